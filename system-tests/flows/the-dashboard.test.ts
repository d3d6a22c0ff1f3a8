import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askUdp, eventually, peopleForTests, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const personAt = await peopleForTests(world)
const zone = world.facts.zone.name

for (const device of ['desktop', 'phone'] as const)
  test(`a person signs in and adds a record that both nameservers serve, on a ${device}`, async () => {
    const person = await personAt(device)
    const { page } = person
    await person.signIn()
    await person.check('zones')
    await person.link(zone).click()
    await person.button('Add records').click()
    await person.field('Name').fill(`main-path-${device}`)
    await person.field('IPv4 address').fill('192.0.2.999')
    await person.sees(/^A needs/)
    await person.field('IPv4 address').fill('192.0.2.77')
    await person.check('records-adding')
    await person.button('Add to changes').click()
    await person.sees('1 unsaved change')
    await person.button('Review and save').click()
    await page.getByRole('dialog').getByText('192.0.2.77').waitFor()
    await person.check('records-review')
    await person.button('Save the change').click()
    await person.sees('Saved. Live on ns1 and ns2.')
    await person.check('records')
    for (const { address } of world.facts.nameservers) {
      const answered = await eventually('the nameserver answers', async () => {
        const { answers } = await askUdp(address, `main-path-${device}.${zone}`, 'A')
        return answers.length > 0 ? answers : undefined
      })
      assert.deepEqual(answered, ['192.0.2.77'])
    }
    person.assertQuiet()
  })

test('assets are cached permanently, pages are not cached, and no foreign code can run', async () => {
  const page = await fetch(`${world.facts.dashboard_url}zones`)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  assert.ok(!policy.includes('unsafe'))
  const html = await page.text()
  assert.equal(/nonce="([^"]+)"/.exec(html)?.[1], /'nonce-([^']+)'/.exec(policy)?.[1], 'the nonce of this load')
  const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? ''
  const asset = await fetch(new URL(script, world.facts.base_url), { headers: { 'accept-encoding': 'br' } })
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(asset.headers.get('content-encoding'), 'br')
  assert.equal((await fetch(`${world.facts.dashboard_url}assets/none.js`)).status, 404)
  const home = await fetch(world.facts.base_url, { redirect: 'manual' })
  assert.match(await home.text(), /<h1>Your domain and its DNS in one place<\/h1>/)
})
