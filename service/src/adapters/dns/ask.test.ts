import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildResponse, parseMessage, parseName, Rcode, RrType, responseTo } from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'
import { standStill } from '#testing/stand-still.ts'
import { ask } from './ask.ts'

for (const by of ['udp', 'tcp'] as const)
  test(`accepts an answer that arrived by ${by} while the process was frozen, even after the timeout`, async (t) => {
    const timeoutMs = 200
    const server = await startDnsServer('127.0.0.1:0', async (wire, transport) => {
      // Sent before the event loop continues, and not read yet.
      if (transport === by) setImmediate(() => standStill(timeoutMs + 50))
      return buildResponse(wire, responseTo(parseMessage(wire), { aa: true, tc: transport !== by }))
    })
    t.after(() => server.close())
    const to = { host: '127.0.0.1', port: Number(server.address.split(':')[1]) }
    const query = { name: parseName('zone.example.'), type: RrType.SOA, recursive: false, timeoutMs }
    assert.equal(await ask(to, query, ({ rcode }) => rcode), Rcode.NOERROR)
  })
