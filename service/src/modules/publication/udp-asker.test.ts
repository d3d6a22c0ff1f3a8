import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { UdpAsker } from './udp-asker.ts'

for (const [from, seen] of [
  ['127.0.0.2', '127.0.0.2'],
  ['0.0.0.0', '127.0.0.1'],
  // It says nothing of IPv4.
  ['::1', '127.0.0.1'],
] as const)
  test(`a primary that listens at ${from} asks nameservers from ${seen}`, async (t) => {
    const nameserver = createSocket('udp4').bind(0, '127.0.0.1')
    await once(nameserver, 'listening')
    const asker = new UdpAsker(createLogger('test', 'silent'), from)
    t.after(() => {
      asker.close()
      nameserver.close()
    })
    let whoAsked: string | undefined
    nameserver.on('message', (query, { address, port }) => {
      whoAsked = address
      const answer = Buffer.from(query)
      answer[2] = 0x80
      nameserver.send(answer, port, address)
    })
    const make = (id: number): Uint8Array => Uint8Array.of(id >> 8, id & 0xff, ...new Array<number>(10).fill(0))
    const answer = await asker.ask({ host: '127.0.0.1', port: nameserver.address().port }, 10_000, make)
    assert.equal(answer?.length, 12)
    assert.equal(whoAsked, seen)
  })
