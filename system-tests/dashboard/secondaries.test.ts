import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildResponse, parseMessage, parseRdata, RrType, responseTo } from '@zonewright/dns'
import { startDnsServer } from '../../sandbox/src/index.ts'
import { eventually, peopleForTests, testedDevices, worldForTests } from '../world/index.ts'

/** A secondary that serves every zone with serial 1. It accepts no NOTIFY. */
const secondary = await startDnsServer('127.0.0.1:0', async (wire) => {
  const query = parseMessage(wire)
  const [question] = query.questions
  if (question?.type !== RrType.SOA || query.opcode !== 0) return undefined
  const data = parseRdata(RrType.SOA, 'ns1.example.org. hostmaster.example.org. 1 1 1 1 1')
  const answers = [{ name: question.name, type: RrType.SOA, class: 1, ttl: 300, data }]
  return buildResponse(wire, responseTo(query, { aa: true, answers }))
})
after(() => secondary.close())
const port = secondary.address.split(':')[1] ?? ''

const world = await worldForTests({ env: { WEBHOOK_TRUSTED_TARGETS: secondary.address } })
const personAt = await peopleForTests(world)
const { account } = world.facts

for (const device of testedDevices)
  test(`a customer’s secondary is added, shows its serial and its configuration, and is removed, on a ${device}`, async () => {
    const zone = `secondaries-${device}.example.org`
    await world.admin('zone', 'add', account.email, zone)
    await world.api.put(zone, 'ns3', 'A', ['192.0.2.53'])
    const person = await personAt(device)
    await person.signIn()
    await person.open(`/zones/${zone}/secondaries`)
    await person.sees('No secondaries')
    await person.button('Add a secondary').click()
    await person.field('Address').fill('127.0.0.1')
    await person.field('Port').fill(port)
    await person.page.getByRole('combobox', { name: 'API key' }).click()
    await person.page.getByRole('option', { name: 'demo', exact: true }).click()
    await person.page.getByPlaceholder('ns3.example.com').fill(`ns4.${zone}`)
    person.expects(/422/)
    await person.button('Add').click()
    await person.sees(`NS name: ns4.${zone} has no A or AAAA record in ${zone}. Add one first.`)
    await person.page.getByPlaceholder('ns3.example.com').fill(`ns3.${zone}`)
    await person.button('Add').click()
    await person.sees('1, behind')
    await person.sees('Active')
    await person.check('secondaries')

    const answer = await person.page.request.get(`/api/v1/zones/${zone}/secondaries/config?for=knot`)
    assert.match(await answer.text(), new RegExp(`domain: ${zone}`))
    const { body } = await world.api.call<{ expected: string[] }>('GET', `/zones/${zone}/delegation`)
    assert.equal(body.expected.at(-1), `ns3.${zone}`)

    await person.button('Remove 127.0.0.1').click()
    await person.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await person.sees('No secondaries')
    await eventually('the name is gone', async () => {
      const { body } = await world.api.call<{ expected: string[] }>('GET', `/zones/${zone}/delegation`)
      return !body.expected.includes(`ns3.${zone}`)
    })
    person.assertQuiet()
    await person.page.context().close()
  })
