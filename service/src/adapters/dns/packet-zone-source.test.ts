import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  axfrAnswers,
  buildResponse,
  groupRecords,
  parseMessage,
  parseName,
  parseZoneFile,
  Rcode,
  RrType,
  responseTo,
  transferMessages,
} from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'
import { createZoneSource } from './index.ts'

const zone = parseName('zone.example.')
const file = '@ 300 IN SOA ns. root. 1 2 3 4 5\n@ 300 IN NS ns.\nwww 300 IN A 192.0.2.1\n'
const limits = { maxRecords: 10, maxBytes: 10_000, timeoutMs: 1_000 }

/** The result of a transfer from a server with these responses. */
async function transferFrom(
  { text = file, answer }: { text?: string; answer?: (wire: Uint8Array) => Uint8Array | undefined },
  most = limits,
) {
  const rrsets = groupRecords(parseZoneFile(text, { origin: zone }).records).sort(({ type }) =>
    type === RrType.SOA ? -1 : 1,
  )
  const usual = (wire: Uint8Array) => [...transferMessages(parseMessage(wire), wire, axfrAnswers(rrsets))][0]
  const server = await startDnsServer('127.0.0.1:0', async (wire) => (answer ?? usual)(wire))
  const at = { host: '127.0.0.1', port: Number(server.address.split(':')[1]) }
  const found = await createZoneSource().transfer(at, zone, most, async () => true)
  await server.close()
  return typeof found === 'string' ? found : found.map(({ name, type }) => `${name} ${type}`)
}

test('a transfer returns each record once', async () => {
  assert.deepEqual((await transferFrom({})).toString(), 'zone.example. 2,zone.example. 6,www.zone.example. 1')
})

test('a transfer that is refused, too long, endless or unreadable returns no records', async () => {
  const refused = (wire: Uint8Array) => buildResponse(wire, responseTo(parseMessage(wire), { rcode: Rcode.REFUSED }))
  assert.equal(await transferFrom({ answer: refused }), 'refused')
  assert.equal(await transferFrom({}, { ...limits, maxRecords: 3 }), 'broken')
  assert.equal(await transferFrom({}, { ...limits, maxBytes: 50 }), 'broken')
  assert.equal(await transferFrom({ answer: () => undefined }, { ...limits, timeoutMs: 100 }), 'timeout')
  assert.equal(await transferFrom({ answer: () => new Uint8Array(600).fill(0xc0) }), 'broken')
})
