import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { standStill } from '#testing/stand-still.ts'
import { UdpRequester } from './udp-requester.ts'

/** A query reduced to its header. */
const make = (id: number): Uint8Array => Uint8Array.of(id >> 8, id & 0xff, ...new Array<number>(10).fill(0))

/** Answers every query, in this process. */
async function startAnswering(t: TestContext, heard: (query: Buffer, from: RemoteInfo) => void = () => undefined) {
  const nameserver = createSocket('udp4').bind(0, '127.0.0.1')
  await once(nameserver, 'listening')
  t.after(() => nameserver.close())
  nameserver.on('message', (query, from) => {
    heard(query, from)
    const answer = Buffer.from(query)
    answer[2] = 0x80
    nameserver.send(answer, from.port, from.address)
  })
  return { host: '127.0.0.1', port: nameserver.address().port }
}

for (const [from, seen] of [
  ['127.0.0.2', '127.0.0.2'],
  ['0.0.0.0', '127.0.0.1'],
  // An IPv6 address does not determine the source address for IPv4.
  ['::1', '127.0.0.1'],
] as const)
  test(`a primary that listens on ${from} queries nameservers from ${seen}`, async (t) => {
    let whoAsked: string | undefined
    const nameserver = await startAnswering(t, (_query, { address }) => {
      whoAsked = address
    })
    const requester = new UdpRequester(createLogger('test', 'silent'), from)
    t.after(() => requester.close())
    const answer = await requester.ask(nameserver, 10_000, make)
    assert.equal(answer?.length, 12)
    assert.equal(whoAsked, seen)
  })

test('answers that arrive while the process is stopped are received, even if their time is over', async (t) => {
  const nameserver = await startAnswering(t)
  const requester = new UdpRequester(createLogger('test', 'silent'))
  t.after(() => requester.close())
  await requester.ask(nameserver, 10_000, make)
  const questions = Array.from({ length: 200 }, () => requester.ask(nameserver, 20, make))
  standStill(60)
  const answers = await Promise.all(questions)
  assert.equal(answers.filter((answer) => answer === undefined).length, 0)
})

test('a query without an answer ends when its time is over', async (t) => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const requester = new UdpRequester(createLogger('test', 'silent'))
  t.after(() => requester.close())
  assert.equal(await requester.ask({ host: '127.0.0.1', port: silent.address().port }, 20, make), undefined)
})
