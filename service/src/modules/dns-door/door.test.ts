// The DNS door as a client meets it, and what it does to zones.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  buildMessage,
  DnsClass,
  type Message,
  Opcode,
  type Prerequisite,
  parseMessage,
  parseName,
  Rcode,
  RrType,
  type TsigKey,
  updateMessage,
} from '@zonewright/dns'
import { unixSeconds } from '#modules/primary/index.ts'
import { sql } from '#platform/postgres/index.ts'
import {
  add,
  clientEdns,
  readAnswer,
  type SigningKey,
  signed,
  startTestDoor,
  tsigOf,
  updateOf,
} from '#testing/dns-door/test-door.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const door = await startTestDoor(api)
const client = await door.connect()
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const zone = await api.zone(owner, 'example.com')
await api.zone(stranger, 'stranger.example')
const key = await door.key(owner)

const values = async (name: string, type: string, zoneId = zone.id): Promise<string[]> => {
  const { rows } = await sql<{ records: string[] }>`
    select records from zone_rrsets where zone_id = ${zoneId} and name = ${name} and type = ${type}`.execute(db)
  return rows[0]?.records ?? []
}
const versionOf = async (zoneId = zone.id): Promise<number> => {
  const { rows } = await sql<{ version: number }>`select version from zones where id = ${zoneId}`.execute(db)
  return rows[0]?.version ?? -1
}

/** Sends an update with the key, or another one, and returns the response code and the reasons. */
async function send(
  update: Partial<Message>,
  by: Pick<SigningKey, 'tsig'> = key,
): Promise<[rcode: number, ...reasons: string[]]> {
  const { rcode, reasons } = await client.ask(update, by.tsig)
  return [rcode, ...reasons]
}

/** The rcode of a TSIG refusal: that of the TSIG record. */
async function signatureRefusal(wire: Uint8Array): Promise<{ rcode: number; error: number | undefined }> {
  const { rcode, tsig } = parseMessage(await client.send(wire))
  return { rcode, error: tsig?.error }
}

const addA = (host: string, value = '192.0.2.1') => updateOf('example.com', [add(`${host}.example.com`, 'A', value)])

test('an update is one change of its zone: one version, one event and one audit entry, by the key', async () => {
  const before = await versionOf()
  const changes = [
    add('one.example.com', 'A', '192.0.2.1'),
    add('one.example.com', 'TXT', '"x"'),
    add('two.example.com', 'AAAA', '2001:db8::1'),
  ]
  assert.deepEqual(await send(updateOf('example.com', changes)), [Rcode.NOERROR])
  assert.equal(await versionOf(), before + 1)
  assert.deepEqual(await values('two.example.com', 'AAAA'), ['2001:db8::1'])
  const { rows: history } = await sql`
    select source, actor_kind, actor_id, changes_count from zone_changes where zone_id = ${zone.id} and version = ${before + 1}`.execute(
    db,
  )
  assert.deepEqual(history, [{ source: 'rfc2136', actor_kind: 'key', actor_id: key.id, changes_count: 3 }])
  const { rows: events } = await sql`
    select count(*)::int as n from event_outbox where type = 'zone.records_changed' and zone_id = ${zone.id}`.execute(
    db,
  )
  assert.deepEqual(events, [{ n: 1 }])
  const { rows: audit } = await sql`
    select actor_kind, actor_id, source, host(address) as address from audit_log where action = 'records.changed' order by at desc limit 1`.execute(
    db,
  )
  assert.deepEqual(audit, [{ actor_kind: 'key', actor_id: key.id, source: 'rfc2136', address: '127.0.0.1' }])
})

test('prerequisites that a name is in use, or not, are checked together with the changes', async () => {
  const inUse = (host: string): Prerequisite => ({ kind: 'name-in-use', name: parseName(`${host}.example.com.`) })
  const free = (host: string): Prerequisite => ({ kind: 'name-not-in-use', name: parseName(`${host}.example.com.`) })
  const change = [add('lease.example.com', 'A', '192.0.2.7')]
  assert.deepEqual(await send(updateOf('example.com', change, [inUse('lease')])), [Rcode.NXDOMAIN])
  assert.deepEqual(await values('lease.example.com', 'A'), [])
  assert.deepEqual(await send(updateOf('example.com', change, [free('lease')])), [Rcode.NOERROR])
  assert.deepEqual(await send(updateOf('example.com', change, [free('lease')])), [Rcode.YXDOMAIN])
  assert.deepEqual(await values('lease.example.com', 'A'), ['192.0.2.7'])
})

test('also accepts hmac-sha384 and hmac-sha512; md5 and sha1 get BADKEY', async () => {
  for (const algorithm of ['hmac-sha384', 'hmac-sha512'] as const)
    assert.deepEqual(await send(addA(algorithm), { tsig: { ...key.tsig, algorithm } }), [Rcode.NOERROR])
  for (const [algorithm, hash] of [
    ['hmac-md5.sig-alg.reg.int.', 'md5'],
    ['hmac-sha1.', 'sha1'],
    ['hmac-sha224.', 'sha224'],
  ] as const) {
    const tsig = {
      keyName: key.tsig.name,
      algorithm: parseName(algorithm),
      timeSigned: unixSeconds(),
      fudge: 300,
      mac: new Uint8Array(createHmac(hash, key.tsig.secret).update('anything').digest()),
      originalId: 1,
      error: 0,
      otherData: new Uint8Array(0),
    }
    const wire = buildMessage({ ...addA('weak'), id: 1, tsig })
    assert.deepEqual(await signatureRefusal(wire), { rcode: Rcode.NOTAUTH, error: Rcode.BADKEY }, algorithm)
  }
  assert.deepEqual(await values('weak.example.com', 'A'), [])
})

test('an invalid signature is refused as RFC 8945 requires, and changes nothing', async () => {
  const before = await versionOf()
  const notauth = (error: number) => ({ rcode: Rcode.NOTAUTH, error })
  const refusalBy = (tsig: TsigKey, at?: number) => signatureRefusal(signed(addA('unproven'), tsig, at).wire)
  const { tsig } = key
  assert.deepEqual(await refusalBy({ ...tsig, secret: new Uint8Array(32) }), notauth(Rcode.BADSIG), 'another secret')
  for (const name of ['key-0000000000000000.', 'transfer.test.', '.', `${'k'.repeat(63)}.example.`, 'key-.'])
    assert.deepEqual(await refusalBy({ ...tsig, name: parseName(name) }), notauth(Rcode.BADKEY), name)
  for (const apart of [-600, -301, 302, 600])
    assert.deepEqual(await refusalBy(tsig, unixSeconds() + apart), notauth(Rcode.BADTIME), `${apart} s`)
  const late = signed(addA('unproven'), tsig, unixSeconds() - 600)
  const fault = late.client.faultOf(await client.send(late.wire), unixSeconds() - 600)
  assert.ok(Math.abs((fault?.peerUnixSeconds ?? 0) - unixSeconds()) < 60, 'the refusal tells our time, signed')
  assert.equal(await versionOf(), before)
})

test('an unsigned update is refused with a reason', async () => {
  const { rcode, reasons } = await client.askUnsigned(addA('unsigned'))
  assert.deepEqual([rcode, reasons], [Rcode.REFUSED, ['Sign updates with a TSIG key.']])
  const { message } = await client.askUnsigned({ ...addA('unsigned'), edns: undefined })
  assert.deepEqual([message.rcode, message.edns], [Rcode.REFUSED, undefined], 'no OPT to a client without one')
})

test('a key that ended, and a secret that was deleted or replaced, are refused from the next message on', async () => {
  const end = {
    revoked: (id: string) => sql`update api_keys set revoked_at = app_now() where id = ${id}`,
    expired: (id: string) => sql`update api_keys set expires_at = app_now() where id = ${id}`,
    'without TSIG': (id: string) => sql`delete from api_key_tsig where key_id = ${id}`,
  }
  for (const [how, statement] of Object.entries(end)) {
    const ending = await door.key(owner)
    const host = how.replace(' ', '-')
    assert.deepEqual(await send(addA(host), ending), [Rcode.NOERROR], how)
    await statement(ending.id).execute(db)
    const wire = signed(addA(host, '192.0.2.2'), ending.tsig).wire
    assert.deepEqual(await signatureRefusal(wire), { rcode: Rcode.NOTAUTH, error: Rcode.BADKEY }, how)
    assert.deepEqual(await values(`${host.toLowerCase()}.example.com`, 'A'), ['192.0.2.1'], how)
  }
  const replaced = await door.key(owner)
  const renewed = { tsig: await tsigOf(api, owner, replaced.id) }
  const old = signed(addA('replaced'), replaced.tsig).wire
  assert.deepEqual(await signatureRefusal(old), { rcode: Rcode.NOTAUTH, error: Rcode.BADSIG })
  assert.deepEqual(await send(addA('replaced'), renewed), [Rcode.NOERROR])
  const leaving = await api.account('leaving@example.net')
  await api.zone(leaving, 'leaving.example')
  const orphan = await door.key(leaving)
  await sql`update accounts set deleted_at = app_now() where id = ${leaving}`.execute(db)
  const wire = signed(updateOf('leaving.example', [add('a.leaving.example', 'A', '192.0.2.1')]), orphan.tsig).wire
  assert.deepEqual(await signatureRefusal(wire), { rcode: Rcode.NOTAUTH, error: Rcode.BADKEY }, 'deleted owner')
})

test('a zone that is not live here, not covered or someone else’s gets NOTAUTH; a name outside it gets NOTZONE', async () => {
  const other = await api.zone(owner, 'other.example')
  const some = await door.key(owner, { zones: [zone.id], permissions: ['records:write'] })
  const unknown = 'This zone is not live here, or the account of the key has no access to it.'
  const of = (name: string) => updateOf(name, [add(`a.${name}`, 'A', '192.0.2.1')])
  for (const name of ['nowhere.example', 'stranger.example', 'sub.example.com', 'com'])
    assert.deepEqual(await send(of(name)), [Rcode.NOTAUTH, unknown], name)
  const [rcode, reason = ''] = await send(of('other.example'), some)
  assert.equal(rcode, Rcode.NOTAUTH)
  assert.match(reason, /lacks the zone other\.example/)
  await sql`update zones set state = 'pending' where id = ${other.id}`.execute(db)
  assert.deepEqual(await send(of('other.example')), [Rcode.NOTAUTH, unknown], 'pending')
  const outside = updateOf('example.com', [add('a.example.net', 'A', '192.0.2.1')])
  assert.equal((await send(outside))[0], Rcode.NOTZONE)
  const chaos = { ...addA('chaos'), questions: [{ name: parseName('example.com.'), type: RrType.SOA, class: 3 }] }
  assert.equal((await send(chaos))[0], Rcode.NOTAUTH)
})

test('refuses what the key may not do, with the message of the API', async () => {
  const readOnly = await door.key(owner, { permissions: ['records:read'] })
  const acme = await door.key(owner, { permissions: ['acme:dns01'] })
  const limits = [{ zone: 'example.com', names: ['home', '*.lan'], types: ['A', 'AAAA'] }]
  const limited = await door.key(owner, {
    picks: ['example.com'],
    limits,
    permissions: ['records:read', 'records:write'],
  })
  const elsewhere = await door.key(owner, { addresses: ['203.0.113.0/24'] })
  const writeOnly = await door.key(owner, { permissions: ['records:write'] })
  const challenge = add('_acme-challenge.www.example.com', 'TXT', '"token"')
  assert.match((await send(addA('home'), readOnly))[1] ?? '', /lacks the permission records:write or acme:dns01/)
  assert.deepEqual(await send(updateOf('example.com', [challenge]), acme), [Rcode.NOERROR])
  assert.match((await send(addA('home'), acme))[1] ?? '', /can change only TXT records named _acme-challenge/)
  assert.deepEqual(await send(addA('home'), limited), [Rcode.NOERROR])
  assert.deepEqual(await send(addA('host.lan'), limited), [Rcode.NOERROR])
  const outside = [Rcode.REFUSED, 'In example.com, this key is limited to these records: home, *.lan (A, AAAA).']
  assert.deepEqual(await send(addA('www'), limited), outside)
  const both = [add('home.example.com', 'A', '192.0.2.9'), add('home.example.com', 'TXT', '"x"')]
  assert.deepEqual(await send(updateOf('example.com', both), limited), outside)
  assert.deepEqual(await values('home.example.com', 'A'), ['192.0.2.1'])
  assert.deepEqual(await send(addA('home'), elsewhere), [Rcode.REFUSED, 'This key may not be used from 127.0.0.1.'])
  const asks = updateOf(
    'example.com',
    [add('home.example.com', 'A', '192.0.2.9')],
    [{ kind: 'rrset-exists', name: parseName('home.example.com.'), type: RrType.A }],
  )
  assert.match((await send(asks, writeOnly))[1] ?? '', /lacks the permission records:read/)
})

test('refuses what the rules for records refuse, with the message of the API', async () => {
  const refused = async (...changes: Parameters<typeof updateOf>[1]) => {
    const [rcode, reason = ''] = await send(updateOf('example.com', changes))
    assert.equal(rcode, Rcode.REFUSED)
    return reason
  }
  const before = await versionOf()
  assert.match(await refused(add('example.com', 'CNAME', 'a.example.net.')), /cannot have a CNAME at its own name/)
  assert.match(await refused(add('bad.example.com', 'CNAME', '192.0.2.1.')), /192\.0\.2\.1/)
  assert.match(await refused(add('example.com', 'NS', 'ns1.example.net.')), /service manages the NS records/)
  const many = Array.from({ length: 1_001 }, (_, i) => add(`n${i}.example.com`, 'A', '192.0.2.1'))
  assert.equal(await refused(...many), 'An update can have at most 1000 changes. This one has 1001.')
  assert.equal(await versionOf(), before)
  assert.deepEqual(await send(updateOf('example.com', many.slice(1))), [Rcode.NOERROR])
  assert.deepEqual([await versionOf(), await values('n1000.example.com', 'A')], [before + 1, ['192.0.2.1']])
})

test('a repeated message is answered again and applied once', async () => {
  const { wire, client: session } = signed(addA('again'), key.tsig)
  const before = await versionOf()
  assert.equal(readAnswer(await client.send(wire), session).rcode, Rcode.NOERROR)
  assert.deepEqual(
    await send(updateOf('example.com', [{ kind: 'delete-name', name: parseName('again.example.com.') }])),
    [Rcode.NOERROR],
  )
  assert.equal(parseMessage(await client.send(wire)).rcode, Rcode.NOERROR)
  assert.deepEqual([await versionOf(), await values('again.example.com', 'A')], [before + 2, []])
})

test('a message that changed nothing or was refused does not take effect when it is repeated later', async () => {
  const free: Prerequisite = { kind: 'name-not-in-use', name: parseName('later.example.com.') }
  const change = [add('later.example.com', 'A', '192.0.2.2')]
  await send(addA('later'))
  const failed = signed(updateOf('example.com', change, [free]), key.tsig).wire
  assert.equal(parseMessage(await client.send(failed)).rcode, Rcode.YXDOMAIN)
  const nothing = signed(
    updateOf('example.com', [{ kind: 'delete-name', name: parseName('gone.example.com.') }]),
    key.tsig,
  )
  assert.equal(parseMessage(await client.send(nothing.wire)).rcode, Rcode.NOERROR)
  await send(addA('gone'))
  await send(updateOf('example.com', [{ kind: 'delete-name', name: parseName('later.example.com.') }]))
  assert.equal(parseMessage(await client.send(failed)).rcode, Rcode.YXDOMAIN)
  assert.equal(parseMessage(await client.send(nothing.wire)).rcode, Rcode.NOERROR)
  assert.deepEqual(await values('later.example.com', 'A'), [])
  assert.deepEqual(await values('gone.example.com', 'A'), ['192.0.2.1'])
})

test('copies that arrive at two doors at the same time are applied once', async () => {
  const second = await startTestDoor(api)
  const there = await second.connect()
  const copies = 20
  for (let round = 0; round < 5; round++) {
    const { wire } = signed(addA(`copy${round}`), key.tsig)
    const before = await versionOf()
    const answers = await Promise.all(
      Array.from({ length: copies }, async (_, i) => {
        const through = i % 2 === 0 ? door : second
        return parseMessage(await through.sendDatagram(wire)).rcode
      }),
    )
    assert.deepEqual(
      answers,
      Array.from({ length: copies }, () => Rcode.NOERROR),
    )
    assert.equal(await versionOf(), before + 1)
  }
  there.close()
  await second.stop()
})

test('messages that arrive in a different order than they were signed in are all applied', async () => {
  const early = signed(addA('order', '192.0.2.1'), key.tsig, unixSeconds() - 5)
  const late = signed(addA('order', '192.0.2.2'), key.tsig)
  assert.equal(parseMessage(await client.send(late.wire)).rcode, Rcode.NOERROR)
  assert.equal(parseMessage(await client.send(early.wire)).rcode, Rcode.NOERROR)
  assert.deepEqual(await values('order.example.com', 'A'), ['192.0.2.1', '192.0.2.2'])
})

test('a message that is cut off anywhere changes nothing, and gets FORMERR if it has a header', async () => {
  const { wire } = signed(addA('cut'), key.tsig)
  const before = await versionOf()
  for (let length = 12; length < wire.length; length++) {
    const { rcode } = parseMessage(await client.send(wire.subarray(0, length)))
    // If the message is cut off after the header, only the counts in it show that something is missing.
    assert.equal(rcode, Rcode.FORMERR, `${length} bytes`)
  }
  const longer = new Uint8Array([...wire, 0])
  assert.equal(parseMessage(await client.send(longer)).rcode, Rcode.FORMERR)
  assert.deepEqual([await versionOf(), await values('cut.example.com', 'A')], [before, []])
})

test('a message with a change in any byte changes nothing', async () => {
  const { wire } = signed(addA('bits'), key.tsig)
  const before = await versionOf()
  for (let at = 2; at < wire.length; at++) {
    const changed = new Uint8Array(wire)
    changed[at] = (changed[at] ?? 0) ^ 0x01
    // A response gets no answer.
    if (((changed[2] ?? 0) & 0x80) !== 0) continue
    const answer = parseMessage(await client.send(changed))
    assert.notEqual(answer.rcode, Rcode.NOERROR, `byte ${at}`)
  }
  assert.deepEqual([await versionOf(), await values('bits.example.com', 'A')], [before, []])
})

test('unsupported and malformed messages get the response code that their protocol defines', async () => {
  const rows: [message: Partial<Message>, rcode: number][] = [
    [{ ...addA('x'), opcode: Opcode.NOTIFY }, Rcode.NOTIMP],
    [{ ...addA('x'), opcode: Opcode.STATUS }, Rcode.NOTIMP],
    [{ ...addA('x'), questions: [] }, Rcode.FORMERR],
    [{ ...addA('x'), edns: { ...clientEdns, version: 1 } }, Rcode.BADVERS],
    [
      { ...addA('x'), questions: [{ name: parseName('example.com.'), type: RrType.A, class: DnsClass.IN }] },
      Rcode.FORMERR,
    ],
  ]
  for (const [message, rcode] of rows) {
    assert.equal((await send(message))[0], rcode)
    assert.notEqual((await client.askUnsigned(message)).rcode, Rcode.NOERROR)
  }
  const bad = updateMessage(0, { zone: parseName('example.com.'), prerequisites: [], changes: [] })
  const meta = {
    ...bad,
    authorities: [
      { name: parseName('x.example.com.'), type: RrType.ANY, class: DnsClass.IN, ttl: 0, data: new Uint8Array(0) },
    ],
  }
  assert.equal((await send(meta))[0], Rcode.FORMERR)
  assert.deepEqual(await send(bad), [Rcode.NOERROR], 'an update without changes')
})

test('the records of a delegation to a zone hosted here stay, and a refused message does not take effect later', async () => {
  const made = await api.call('POST', '/zones', { key: key.secret, body: { name: 'child.example.com' } })
  assert.deepEqual([made.status, made.body.state], [201, 'live'])
  assert.ok((await values('child.example.com', 'NS')).length > 0)
  const removal = updateOf('example.com', [{ kind: 'delete-name', name: parseName('child.example.com.') }])
  const { wire, client: session } = signed(removal, key.tsig)
  const { rcode, reasons } = readAnswer(await client.send(wire), session)
  assert.equal(rcode, Rcode.REFUSED)
  assert.match(reasons[0] ?? '', /service manages the NS records of child\.example\.com/)
  await sql`update zone_rrsets set managed = false where name = 'child.example.com' and type = 'NS'`.execute(db)
  assert.equal(parseMessage(await client.send(wire)).rcode, Rcode.REFUSED)
  assert.ok((await values('child.example.com', 'NS')).length > 0)
  assert.deepEqual(await send(removal), [Rcode.NOERROR], 'a new message')
})
