// Every kind of message to the DNS door with everything that can be wrong with its key, its zone or the message itself. Each refusal is the
// one of its protocol (RFC 1035, 2136, 5936, 8945), and nothing changes.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  axfrQuery,
  buildMessage,
  ixfrQuery,
  type Message,
  parseMessage,
  parseName,
  Rcode,
  type TsigKey,
} from '@zonewright/dns'
import { unixSeconds } from '#modules/primary/index.ts'
import { openDatabase, sql, Wake } from '#platform/postgres/index.ts'
import {
  add,
  clientEdns,
  question,
  type SigningKey,
  signed,
  signingKey,
  startTestDoor,
  updateOf,
} from '#testing/dns-door/test-door.ts'
import { connectWithinMs } from '#testing/platform/test-database.ts'
import { soaOfSerial } from '#testing/primary/test-secondary.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const door = await startTestDoor(api)
const client = await door.connect()
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const [own, other, pending, foreign] = ['example.com', 'other.example', 'pending.example', 'foreign.example']
for (const name of [own, other, pending]) await api.zone(owner, name)
await api.zone(stranger, foreign)
const good = await door.key(owner)
const theirs = await door.key(stranger)

/** Each kind of message for a zone. */
const kinds = {
  update: (zone: string) => updateOf(zone, [add(`new.${zone}`, 'A', '192.0.2.1')]),
  query: (zone: string) => question(`www.${zone}.`, 'A'),
  axfr: (zone: string) => axfrQuery(0, parseName(`${zone}.`)),
  ixfr: (zone: string) => ixfrQuery(0, parseName(`${zone}.`), soaOfSerial(parseName(`${zone}.`), 1)),
} satisfies Readonly<Record<string, (zone: string) => Partial<Message>>>
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

/** The response code of each kind, or the same of all. */
type Rcodes = number | Readonly<Record<Kind, number>>

before(async () => {
  // The nameservers as a primary stores them at its start. Transfers name them, and no one waits for them.
  await sql`
    insert into nameservers (name, address, position, lagging_since) values
    ('ns1.zonewright.test', '127.0.0.1:9', 0, app_now()), ('ns2.zonewright.test', '127.0.0.1:9', 1, app_now())`.execute(
    db,
  )
  for (const name of [own, other, foreign]) {
    const by = name === foreign ? theirs : good
    const { rcode } = await client.ask(updateOf(name, [add(`www.${name}`, 'A', '192.0.2.9')]), by.tsig)
    assert.equal(rcode, Rcode.NOERROR)
  }
  await sql`update zones set state = 'pending' where name = ${pending}`.execute(db)
})

/** What a refused message must not change. Audit entries are of changes, as with the API. */
async function stored(): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select (select sum(version) from zones) as versions, (select count(*) from zone_rrsets) as rrsets,
      (select count(*) from zone_changes) as changes, (select count(*) from event_outbox) as events,
      (select count(*) from audit_log where action like 'records.%') as audited`.execute(db)
  return rows[0]
}

async function changingNothing(work: () => Promise<void>): Promise<void> {
  const before = await stored()
  await work()
  assert.deepEqual(await stored(), before)
}

/** Each kind of message for a zone, signed by a key, gets the response code, signed. Unless there is no error, it says why. */
async function all(expected: Rcodes, zone: string, by: SigningKey): Promise<void> {
  await changingNothing(async () => {
    for (const kind of kindNames) {
      const wanted = typeof expected === 'number' ? expected : expected[kind]
      const { rcode, reasons } = await client.ask(kinds[kind](zone), by.tsig)
      assert.equal(rcode, wanted, `${kind} of ${zone}: ${reasons.join()}`)
      assert.match(reasons.join(), /^[A-Z].*[.…]$/, kind)
    }
  })
}

/** Each kind of message, as it is built, gets NOTAUTH with a TSIG error (RFC 8945 §5.2). */
async function allUnproven(error: number, wireOf: (message: Partial<Message>) => Uint8Array): Promise<void> {
  await changingNothing(async () => {
    for (const kind of kindNames) {
      const answer = parseMessage(await client.send(wireOf(kinds[kind](own))))
      assert.deepEqual([answer.rcode, answer.tsig?.error], [Rcode.NOTAUTH, error], kind)
      assert.deepEqual([answer.answers, answer.authorities], [[], []], kind)
    }
  })
}

const by = (tsig: TsigKey, at?: number) => (message: Partial<Message>) => signed(message, tsig, at).wire

test('answers each kind of query that is signed with a valid key', async () => {
  for (const kind of kindNames.filter((each) => each !== 'update'))
    assert.equal((await client.ask(kinds[kind](own), good.tsig)).rcode, Rcode.NOERROR, kind)
})

test('refuses messages without a key', async () => {
  await changingNothing(async () => {
    for (const kind of kindNames) {
      const { rcode, reasons } = await client.askUnsigned(kinds[kind](own))
      assert.equal(rcode, Rcode.REFUSED, kind)
      assert.match(reasons[0] ?? '', /^Sign (updates|queries) with a TSIG key\.$/, kind)
    }
  })
})

test('refuses an unknown key, another secret, and a clock that is 10 minutes off', async () => {
  await allUnproven(Rcode.BADKEY, by({ ...good.tsig, name: parseName('key-0000000000000000.') }))
  await allUnproven(Rcode.BADSIG, by({ ...good.tsig, secret: theirs.tsig.secret }))
  for (const apart of [-600, 600]) await allUnproven(Rcode.BADTIME, by(good.tsig, unixSeconds() + apart))
})

test('refuses an algorithm that is not accepted', async () => {
  for (const [algorithm, hash] of [
    ['hmac-md5.sig-alg.reg.int.', 'md5'],
    ['hmac-sha1.', 'sha1'],
  ] as const)
    await allUnproven(Rcode.BADKEY, (message) => {
      const mac = new Uint8Array(createHmac(hash, good.tsig.secret).update('anything').digest())
      const times = { timeSigned: unixSeconds(), fudge: 300, error: 0, otherData: new Uint8Array(0) }
      const tsig = { keyName: good.tsig.name, algorithm: parseName(algorithm), mac, originalId: 1, ...times }
      return buildMessage({ ...message, id: 1, tsig })
    })
})

test('refuses a key that was revoked, has expired or lost its TSIG secret, or whose owner is deleted', async () => {
  const gone = await api.account('gone@example.net')
  const orphan = await door.key(gone)
  await sql`update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id where id = ${gone}`.execute(
    db,
  )
  await allUnproven(Rcode.BADKEY, by(orphan.tsig))
  for (const end of [
    (id: string) => sql`update api_keys set revoked_at = app_now() where id = ${id}`,
    (id: string) => sql`update api_keys set expires_at = app_now() - interval '1 second' where id = ${id}`,
    (id: string) => sql`delete from api_key_tsig where key_id = ${id}`,
  ]) {
    const key = await door.key(owner)
    assert.equal((await client.ask(kinds.query(own), key.tsig)).rcode, Rcode.NOERROR)
    await end(key.id).execute(db)
    await allUnproven(Rcode.BADKEY, by(key.tsig))
  }
})

test('refuses a key for other addresses, without the permission, or limited to other record sets', async () => {
  await all(Rcode.REFUSED, own, await door.key(owner, { addresses: ['203.0.113.9/32'] }))
  const readOnly = await door.key(owner, { permissions: ['records:read'] })
  await changingNothing(async () =>
    assert.equal((await client.ask(kinds.update(own), readOnly.tsig)).rcode, Rcode.REFUSED),
  )
  const writeOnly = await door.key(owner, { permissions: ['records:write'] })
  for (const kind of ['query', 'axfr', 'ixfr'] as const)
    assert.equal((await client.ask(kinds[kind](own), writeOnly.tsig)).rcode, Rcode.REFUSED, kind)
  await all(Rcode.REFUSED, own, await door.key(owner, { permissions: ['domains:read'] }))
  const limits = [{ zone: own, names: ['home'], types: ['A'] }]
  const permissions = ['records:read', 'records:write'] as const
  await all(Rcode.REFUSED, own, await door.key(owner, { picks: [own], limits, permissions }))
})

/** A zone of which the key must not learn whether it is hosted here. */
const noSuchZone = { update: Rcode.NOTAUTH, query: Rcode.REFUSED, axfr: Rcode.NOTAUTH, ixfr: Rcode.NOTAUTH }

test('refuses zones and keys of another account, and zones that are not covered, not live or not here', async () => {
  await all(noSuchZone, foreign, good)
  await all(noSuchZone, own, theirs)
  await all(noSuchZone, pending, good)
  await all(noSuchZone, 'nowhere.example', good)
  await all(noSuchZone, other, await door.key(owner, { picks: [own], permissions: ['records:read', 'records:write'] }))
})

test('refuses a question of a class other than IN', async () => {
  await changingNothing(async () => {
    for (const type of ['SOA', 'A', 'AXFR']) {
      const { questions = [] } = question(`${own}.`, type)
      const chaos = { questions: questions.map((each) => ({ ...each, class: 3 })) }
      for (const { rcode, message } of [await client.ask(chaos, good.tsig), await client.askUnsigned(chaos)])
        assert.deepEqual([rcode, message.answers], [Rcode.REFUSED, []], type)
    }
  })
})

test('refuses a message that is cut off anywhere, or too long', async () => {
  await changingNothing(async () => {
    for (const kind of kindNames) {
      const { wire } = signed(kinds[kind](own), good.tsig)
      for (let length = 12; length < wire.length; length++)
        assert.equal(
          parseMessage(await client.send(wire.subarray(0, length))).rcode,
          Rcode.FORMERR,
          `${kind} ${length}`,
        )
      const longest = new Uint8Array(65_535)
      longest.set(wire)
      for (const long of [new Uint8Array([...wire, 0]), longest])
        assert.equal(parseMessage(await client.send(long)).rcode, Rcode.FORMERR, `${kind} of ${long.length} bytes`)
    }
  })
})

test('refuses a message with a change in any byte', async () => {
  await changingNothing(async () => {
    for (const kind of kindNames) {
      const { wire } = signed(kinds[kind](own), good.tsig)
      for (let at = 2; at < wire.length; at++) {
        const changed = new Uint8Array(wire)
        changed[at] = (changed[at] ?? 0) ^ 0x01
        // A response gets no answer.
        if (((changed[2] ?? 0) & 0x80) !== 0) continue
        const answer = parseMessage(await client.send(changed))
        assert.notEqual(answer.rcode, Rcode.NOERROR, `${kind}, byte ${at}`)
        assert.deepEqual(answer.answers, [], `${kind}, byte ${at}`)
      }
    }
  })
})

test('accepts the largest update, and refuses a larger one', async () => {
  const changes = (count: number) =>
    Array.from({ length: count }, (_, i) => add(`n${i % 1_000}.${own}`, 'A', `10.9.${Math.floor(i / 250)}.${i % 250}`))
  await changingNothing(async () => {
    const { rcode, reasons } = await client.ask(updateOf(own, changes(1_001)), good.tsig)
    assert.deepEqual([rcode, reasons], [Rcode.REFUSED, ['An update can have at most 1000 changes. This one has 1001.']])
    const asked = { kind: 'name-not-in-use', name: parseName(`free.${own}.`) } as const
    const many = Array.from({ length: 1_001 }, () => asked)
    assert.equal((await client.ask(updateOf(own, [], many), good.tsig)).rcode, Rcode.REFUSED)
  })
  assert.equal((await client.ask(updateOf(own, changes(1_000)), good.tsig)).rcode, Rcode.NOERROR)
})

test('answers a message that is repeated after others, and changes nothing', async () => {
  const first = signed(updateOf(own, [add(`again.${own}`, 'A', '192.0.2.1')]), good.tsig)
  const gone = updateOf(own, [{ kind: 'delete-name', name: parseName(`again.${own}.`) }])
  assert.equal(parseMessage(await client.send(first.wire)).rcode, Rcode.NOERROR)
  assert.equal((await client.ask(gone, good.tsig)).rcode, Rcode.NOERROR)
  await changingNothing(async () => {
    assert.equal(parseMessage(await client.send(first.wire)).rcode, Rcode.NOERROR)
    for (const kind of ['query', 'axfr'] as const) {
      const { wire } = signed(kinds[kind](own), good.tsig)
      for (let time = 0; time < 2; time++)
        assert.equal(parseMessage(await client.send(wire)).rcode, Rcode.NOERROR, kind)
    }
  })
})

test('answers SERVFAIL while the database is unavailable', async () => {
  const proxy = await tcpProxy(api.database.url)
  const wake = new Wake(proxy.url, api.parts.log)
  const database = openDatabase(proxy.url, { application: 'zonewright test door', wake, connectWithinMs })
  const cut = await startTestDoor(api, { database })
  after(async () => {
    await cut.stop()
    await wake.close()
    await database.close()
    await proxy.close()
  })
  const there = await cut.connect()
  const key = await signingKey(api, owner)
  assert.equal((await there.ask(kinds.query(own), key.tsig)).rcode, Rcode.NOERROR)
  proxy.shut()
  await changingNothing(async () => {
    for (const kind of kindNames)
      for (const wire of [by(key.tsig)(kinds[kind](own)), buildMessage({ ...question(`${own}.`, 'SOA'), id: 9 })]) {
        const answer = parseMessage(await there.send(wire))
        assert.equal(answer.rcode, Rcode.SERVFAIL, kind)
        assert.equal(answer.tsig, undefined, 'no key is known')
      }
  })
  proxy.open()
  assert.equal((await there.ask(kinds.axfr(own), key.tsig)).rcode, Rcode.NOERROR)
})

test('also refuses these messages over UDP', async () => {
  await changingNothing(async () => {
    for (const [wire, rcode] of [
      [buildMessage({ ...kinds.update(own), edns: clientEdns, id: 1 }), Rcode.REFUSED],
      [signed(kinds.update(own), { ...good.tsig, secret: theirs.tsig.secret }).wire, Rcode.NOTAUTH],
      [signed(kinds.update(foreign), good.tsig).wire, Rcode.NOTAUTH],
      [signed(kinds.axfr(own), good.tsig).wire, Rcode.REFUSED],
      [new Uint8Array([...signed(kinds.update(own), good.tsig).wire, 0]), Rcode.FORMERR],
    ] as const) {
      const answer = await door.sendDatagram(wire)
      assert.equal(parseMessage(answer).rcode, rcode)
      assert.ok(answer.length <= 1_232)
    }
  })
})
