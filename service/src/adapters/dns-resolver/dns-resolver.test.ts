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

test('texts come with their strings joined', async () => {
  dns.set('t.example.com', 'TXT', ['"one" "two"', '"three"'])
  assert.deepEqual(await resolver.texts('t.example.com'), ['onetwo', 'three'])
})

test('no such name is nothing, and so is a name that no name can be; what stands behind an alias is not the name’s', async () => {
  assert.deepEqual(await resolver.texts('nowhere.example.com'), [])
  assert.deepEqual(await resolver.texts(`${'a.'.repeat(130)}example.com`), [])
  dns.set('alias.example.com', 'TXT', ['"there"'], { alias: 'target.example.org' })
  assert.deepEqual(await resolver.texts('alias.example.com'), [])
})

test('an answer that is cut is asked for again over TCP', async () => {
  dns.mode = 'cut'
  dns.set('large.example.com', 'TXT', [`"${'x'.repeat(255)}"`])
  assert.deepEqual(await resolver.texts('large.example.com'), ['x'.repeat(255)])
  assert.deepEqual(dns.asked, ['udp TXT large.example.com', 'tcp TXT large.example.com'])
})

test('a server that is silent, away or failing is unknown, within its time; the next one is asked', async () => {
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

test('an answer by UDP whose letters are not the query’s decides nothing: TCP does', async () => {
  dns.mode = 'forged'
  dns.set('long-enough-a-name.example.com', 'TXT', ['"truth"'])
  assert.deepEqual(await resolver.texts('long-enough-a-name.example.com'), ['truth'])
  assert.deepEqual(dns.asked, ['udp TXT long-enough-a-name.example.com', 'tcp TXT long-enough-a-name.example.com'])
})

test('answers to another question, with another id, or that are no message, are passed over', async () => {
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
