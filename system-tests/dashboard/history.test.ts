// The history of a zone as a timeline: who changed what, from where and when, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newcomer, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const email = 'historian@example.net'
const browser = await newcomer(world, email)

for (const device of testedDevices) {
  test(`the history describes changes in words, and restores the empty zone, on a ${device}`, async () => {
    const zone = `history-${device}.example.org`
    await world.admin('zone', 'add', email, zone)
    const call = async (method: string, path: string, body?: object): Promise<void> => {
      const { status } = await browser.call(method, `/api/v1/zones/${zone}${path}`, body)
      assert.ok(status === 200 || status === 201, `${method} ${path}: ${status}`)
    }
    await call('PUT', '/rrsets/www/A', { ttl: 3_600, records: ['192.0.2.1'] })
    await call('PUT', '/rrsets/www/A', { ttl: 300, records: ['192.0.2.1'] })
    await call('PATCH', '/rrsets', {
      changes: [
        { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] },
        { name: '@', type: 'TXT', ttl: 300, records: ['"v=spf1 -all"'] },
      ],
    })
    const rrsets = Array.from({ length: 5 }, (_, i) => ({
      name: `n${i}`,
      type: 'A',
      ttl: 60,
      records: [`192.0.2.${i}`],
    }))
    await call('POST', '/import', { rrsets })
    const person = await personAt(device)
    await person.signInAs(email)
    await person.open(`/zones/${zone}/history`)
    await person.heading('Today').waitFor()
    for (const words of [
      `${email} added www A with 192.0.2.1`,
      `${email} changed the TTL of www A from 1 h to 5 min`,
      'added 192.0.2.2 to www A',
      `${email} changed 5 record sets`,
    ])
      await person.sees(words)
    await person.sees(/with an import · version 4/)
    await person.sees(/in the dashboard · version 2/)
    await person.check('history')
    await person.button('Show the changes of version 2').click()
    await person.sees('TTL 3600 → 300')
    await person.check('history-open')
    await person.button('Restore the empty zone').click()
    const dialog = person.page.getByRole('dialog', { name: 'Restore the empty zone' })
    await dialog.getByText('www A').waitFor()
    const restore = dialog.getByRole('button', { name: 'Restore the empty zone' })
    const [frame, button] = await Promise.all([dialog.boundingBox(), restore.boundingBox()])
    assert.ok(frame && button)
    assert.ok(button.y + button.height < frame.y + frame.height, 'the buttons stay in view while the dialog scrolls')
    await person.check('history-empty-zone')
    await restore.click()
    await person.sees(/with a restore · version 5/)
    person.assertQuiet()
    await person.page.context().close()
  })
}
