import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, beforeEach, test } from 'node:test'
import { buildResponse, parseMessage, parseName, parseRdata, RrType, responseTo } from '@zonewright/dns'
import { startTestDns } from '#testing/test-dns.ts'
import { createDnsResolver } from './index.ts'

const dns = await startTestDns()
after(() => dns.close())
const timeoutMs = 2_000
const resolver = createDnsResolver({ servers: [dns.address], timeoutMs })
beforeEach(() => {
  dns.mode = 'good'
  dns.asked.length = 0
})

test('joins the strings of each text', async () => {
  dns.set('t.example.com', 'TXT', ['"one" "two"', '"three"'])
  assert.deepEqual(await resolver.texts('t.example.com'), ['onetwo', 'three'])
})

test('a missing or invalid name returns no texts, and records behind an alias do not count', async () => {
  assert.deepEqual(await resolver.texts('nowhere.example.com'), [])
  assert.deepEqual(await resolver.texts(`${'a.'.repeat(130)}example.com`), [])
  dns.set('alias.example.com', 'TXT', ['"there"'], { alias: 'target.example.org' })
  assert.deepEqual(await resolver.texts('alias.example.com'), [])
})

test('repeats a truncated query over TCP', async () => {
  dns.mode = 'cut'
  dns.set('large.example.com', 'TXT', [`"${'x'.repeat(255)}"`])
  assert.deepEqual(await resolver.texts('large.example.com'), ['x'.repeat(255)])
  assert.deepEqual(dns.asked, ['udp TXT large.example.com', 'tcp TXT large.example.com'])
})

test('a silent, unreachable or failing server yields unknown within its time limit; the next one is queried', async () => {
  for (const mode of ['silent', 'servfail'] as const) {
    dns.mode = mode
    assert.equal(await resolver.texts('t.example.com'), 'unknown', mode)
  }
  dns.mode = 'good'
  const nobody = { host: '127.0.0.1', port: 1 }
  assert.equal(await createDnsResolver({ servers: [nobody], timeoutMs }).texts('t.example.com'), 'unknown')
  const both = createDnsResolver({ servers: [nobody, dns.address], timeoutMs })
  dns.set('t.example.com', 'TXT', ['"here"'])
  assert.deepEqual(await both.texts('t.example.com'), ['here'])
})

test('a UDP answer with different letter case is checked over TCP', async () => {
  dns.mode = 'forged'
  dns.set('long-enough-a-name.example.com', 'TXT', ['"truth"'])
  assert.deepEqual(await resolver.texts('long-enough-a-name.example.com'), ['truth'])
  assert.deepEqual(dns.asked, ['udp TXT long-enough-a-name.example.com', 'tcp TXT long-enough-a-name.example.com'])
})

test('ignores answers to another question, with another id, or that are not DNS messages', async () => {
  const liar = createSocket('udp4')
  liar.on('message', (wire, from) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (question === undefined) return
    const say = (text: string, id: number, name: string): void => {
      const owner = parseName(name)
      const answer = { name: owner, type: RrType.TXT, class: 1, ttl: 1, data: parseRdata(RrType.TXT, text) }
      const fields = { id, questions: [{ ...question, name: owner }], answers: [answer] }
      liar.send(buildResponse(wire, responseTo(query, fields)), from.port, from.address)
    }
    liar.send(new Uint8Array([1, 2, 3]), from.port, from.address)
    say('"lie"', query.id ^ 1, question.name)
    say('"lie"', query.id, 'other.example.com.')
    say('"truth"', query.id, question.name)
  })
  liar.bind(0, '127.0.0.1')
  await once(liar, 'listening')
  try {
    const { port } = liar.address()
    const asking = createDnsResolver({ servers: [{ host: '127.0.0.1', port }], timeoutMs })
    assert.deepEqual(await asking.texts('t.example.com'), ['truth'])
  } finally {
    liar.close()
  }
})
