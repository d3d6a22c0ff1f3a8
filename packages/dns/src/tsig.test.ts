import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { buildMessage } from './build-message.ts'
import { Rcode, responseTo } from './message.ts'
import { parseName } from './name.ts'
import { parseMessage } from './parse-message.ts'
import { tsigKeyNameOf } from './split-tsig.ts'
import { axfrQuery, soaQuery } from './transfer.ts'
import { checkRequest, type Hmac, TsigFault, type TsigKey, TsigSession } from './tsig.ts'
import { tsigErrorResponse } from './tsig-error.ts'

const hmac: Hmac = (algorithm, key, data) => createHmac(algorithm.slice('hmac-'.length), key).update(data).digest()
const key: TsigKey = {
  name: parseName('Transfer.Key.'),
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a secret of some length'),
}
const otherKey: TsigKey = { ...key, secret: Buffer.from('another secret') }
const origin = parseName('example.com.')
const query = buildMessage(axfrQuery(0x1234, origin))
const answerWire = buildMessage(responseTo(axfrQuery(0x1234, origin), { aa: true }))
const now = 1_800_000_000

/** Asserts that the verification of a message fails with this code. */
function refuses(verify: () => void, rcode: number): void {
  assert.throws(
    verify,
    (fault: unknown) => fault instanceof TsigFault && fault.code === 'bad_tsig' && fault.rcode === rcode,
  )
}

test('signs a request over exactly the bytes that RFC 8945 §4.3 specifies', () => {
  const signed = new TsigSession(key, hmac).sign(query, now)
  const time = Buffer.from('00006b49d200', 'hex')
  const covered = Buffer.concat([
    query,
    Buffer.from('\x08transfer\x03key\x00', 'latin1'),
    Buffer.from('00ff00000000', 'hex'),
    Buffer.from('\x0bhmac-sha256\x00', 'latin1'),
    time,
    Buffer.from('012c', 'hex'),
    Buffer.from('00000000', 'hex'),
  ])
  const mac = createHmac('sha256', key.secret).update(covered).digest()
  const { tsig } = parseMessage(signed)
  assert.deepEqual(tsig, {
    keyName: 'transfer.key.',
    algorithm: 'hmac-sha256.',
    timeSigned: now,
    fudge: 300,
    mac: new Uint8Array(mac),
    originalId: 0x1234,
    error: 0,
    otherData: new Uint8Array(0),
  })
  assert.equal(tsigKeyNameOf(signed), key.name)
  assert.equal(tsigKeyNameOf(query), undefined)
})

function transaction() {
  const client = new TsigSession(key, hmac)
  const server = new TsigSession(key, hmac)
  server.verify(client.sign(query, now), now)
  return { client, server }
}

test('verifies an answer of several messages in order, even if a proxy changed its id', () => {
  const { client, server } = transaction()
  for (let index = 0; index < 5; index++) {
    const signed = server.sign(answerWire, now + index)
    signed.set([0xab, 0xcd], 0)
    client.verify(signed, now + index)
    assert.equal(client.isSettled, true)
  }
})

test('missing, repeated or swapped messages break the chain', () => {
  const { client, server } = transaction()
  const [first, second, third] = [1, 2, 3].map(() => server.sign(answerWire, now))
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  client.verify(first, now)
  refuses(() => client.verify(third, now), Rcode.BADSIG)
  refuses(() => client.verify(first, now), Rcode.BADSIG)
  client.verify(second, now)
  client.verify(third, now)
})

test('at most 99 unsigned messages may be between signed ones, and the next signature covers them', () => {
  const { client, server } = transaction()
  const first = server.sign(answerWire, now)
  client.verify(first, now)
  for (let count = 0; count < 99; count++) client.verify(answerWire, now)
  assert.equal(client.isSettled, false)
  const last = signCovering(parseMessage(first).tsig?.mac ?? new Uint8Array(), 99)
  client.verify(last, now)
  assert.equal(client.isSettled, true)
  for (let count = 0; count < 99; count++) client.verify(answerWire, now)
  refuses(() => client.verify(answerWire, now), Rcode.FORMERR)
})

/** A message that the test signs itself, over the previous MAC, some unsigned messages, the message and the timers. */
function signCovering(priorMac: Uint8Array, unsigned: number): Uint8Array {
  const timers = Buffer.from('00006b49d200012c', 'hex')
  const parts = [
    Buffer.from('0020', 'hex'),
    priorMac,
    ...Array.from({ length: unsigned + 1 }, () => answerWire),
    timers,
  ]
  const mac = hmac('hmac-sha256', key.secret, Buffer.concat(parts))
  const tsig = {
    keyName: key.name,
    algorithm: parseName('hmac-sha256.'),
    timeSigned: now,
    fudge: 300,
    mac,
    originalId: 0x1234,
    error: 0,
    otherData: new Uint8Array(0),
  }
  return buildMessage({ ...parseMessage(answerWire), tsig })
}

test('the first answer must be signed', () => {
  refuses(() => transaction().client.verify(answerWire, now), Rcode.FORMERR)
  refuses(() => new TsigSession(key, hmac).verify(query, now), Rcode.FORMERR)
})

test('a changed message, another secret, another key and a truncated MAC are refused', () => {
  const sign = (by: TsigKey) => new TsigSession(by, hmac).sign(query, now)
  const verify = (wire: Uint8Array) => new TsigSession(key, hmac).verify(wire, now)
  const changed = sign(key)
  changed[2] = 0x01
  refuses(() => verify(changed), Rcode.BADSIG)
  refuses(() => verify(sign(otherKey)), Rcode.BADSIG)
  refuses(() => verify(sign({ ...key, name: parseName('other.key.') })), Rcode.BADKEY)
  refuses(() => verify(sign({ ...key, algorithm: 'hmac-sha512' })), Rcode.BADKEY)
  const message = parseMessage(sign(key))
  const withMac = (bytes: number) => {
    const tsig = message.tsig === undefined ? undefined : { ...message.tsig, mac: message.tsig.mac.slice(0, bytes) }
    return buildMessage({ ...message, tsig })
  }
  refuses(() => verify(withMac(16)), Rcode.BADTRUNC)
  refuses(() => verify(withMac(15)), Rcode.FORMERR)
  refuses(() => verify(withMac(0)), Rcode.FORMERR)
})

test('clocks may differ by at most 300 seconds', () => {
  const signed = new TsigSession(key, hmac).sign(query, now)
  new TsigSession(key, hmac).verify(signed, now + 300)
  new TsigSession(key, hmac).verify(signed, now - 300)
  refuses(() => new TsigSession(key, hmac).verify(signed, now + 301), Rcode.BADTIME)
})

test('a message that allows more than 300 seconds is limited to 300', () => {
  const wide = { fudge: 0xffff, timeSigned: now, originalId: 0x1234, error: 0, otherData: new Uint8Array(0) }
  const names = { keyName: key.name, algorithm: parseName('hmac-sha256.') }
  const variables = Buffer.concat([
    Buffer.from('\x08transfer\x03key\x00', 'latin1'),
    Buffer.from('00ff00000000', 'hex'),
    Buffer.from('\x0bhmac-sha256\x00', 'latin1'),
    Buffer.from('00006b49d200ffff00000000', 'hex'),
  ])
  const mac = hmac('hmac-sha256', key.secret, Buffer.concat([query, variables]))
  const signed = buildMessage({ ...parseMessage(query), tsig: { ...names, ...wide, mac } })
  new TsigSession(key, hmac).verify(signed, now + 300)
  refuses(() => new TsigSession(key, hmac).verify(signed, now + 301), Rcode.BADTIME)
  refuses(() => new TsigSession(key, hmac).verify(signed, now - 301), Rcode.BADTIME)
})

test('a refusal because of the clock is signed and has our time, which the client trusts', () => {
  const client = new TsigSession(key, hmac)
  const signed = client.sign(query, now)
  const fault = new TsigFault(Rcode.BADTIME, 'late')
  const refusal = tsigErrorResponse(signed, fault, now + 1000, { key, hmac })
  const message = parseMessage(refusal)
  assert.equal(message.rcode, Rcode.NOTAUTH)
  assert.equal(message.id, 0x1234)
  assert.equal(message.tsig?.timeSigned, now)
  assert.equal(Buffer.from(message.tsig?.otherData ?? []).readUIntBE(0, 6), now + 1000)
  const refused = client.faultOf(refusal, now)
  assert.deepEqual([refused?.rcode, refused?.peerUnixSeconds], [Rcode.BADTIME, now + 1000])
})

test('a time without a signature is not trusted', () => {
  const client = new TsigSession(key, hmac)
  const refusal = tsigErrorResponse(client.sign(query, now), new TsigFault(Rcode.BADTIME, 'late'), now + 1000)
  const refused = client.faultOf(refusal, now)
  assert.deepEqual([refused?.rcode, refused?.peerUnixSeconds], [Rcode.BADTIME, undefined])
})

test('a refusal because of the key or the signature is not signed', () => {
  for (const rcode of [Rcode.BADKEY, Rcode.BADSIG]) {
    const client = new TsigSession(key, hmac)
    const refusal = tsigErrorResponse(client.sign(query, now), new TsigFault(rcode, 'no'), now, { key, hmac })
    assert.equal(parseMessage(refusal).tsig?.mac.length, 0)
    refuses(() => client.verify(refusal, now), rcode)
  }
  const unsigned = tsigErrorResponse(buildMessage(soaQuery(7, origin)), new TsigFault(Rcode.FORMERR, 'no'), now)
  assert.equal(parseMessage(unsigned).rcode, Rcode.FORMERR)
  assert.equal(parseMessage(unsigned).tsig, undefined)
})

test('during a key replacement, accepts either key and answers with the same one, even if they share a name', () => {
  const others: readonly TsigKey[] = [otherKey, { ...otherKey, name: parseName('new.key.') }]
  for (const other of others)
    for (const signer of [key, other]) {
      const client = new TsigSession(signer, hmac)
      const { key: found, session, fault } = checkRequest([key, other], hmac, client.sign(query, now), now)
      assert.deepEqual([found, fault], [signer, undefined])
      client.verify(session.sign(answerWire, now), now)
    }
  const stranger = new TsigSession({ ...key, name: parseName('third.key.') }, hmac).sign(query, now)
  assert.equal(checkRequest([key, otherKey], hmac, stranger, now).fault?.rcode, Rcode.BADKEY)
  const late = checkRequest([key, otherKey], hmac, new TsigSession(key, hmac).sign(query, now), now + 1000)
  assert.deepEqual([late.key, late.fault?.rcode], [key, Rcode.BADTIME])
})
