import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBriefTurns } from '#testing/longest-turn.ts'
import { type RawAnswer, type RawCall, rawCalls } from '#testing/raw-call.ts'
import { startTestApi, testOrigin } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { sql } from '../postgres/index.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const key = await api.key(account)
const zone = await api.zone(account, 'example.com')
const acmeKey = await api.key(account, { zones: [zone.id], permissions: ['acme:dns01'] })
const person = await TestPerson.signedIn(api, 'person@example.net')
const call = await rawCalls(api.server)

/** Maximum processor time, in milliseconds, for which a refusal may block all others on a machine of the usual speed. */
const mostMs = 50
const json = { 'content-type': 'application/json' }
const asOwner = { authorization: `Bearer ${key}`, ...json }
const asAcme = { authorization: `Bearer ${acmeKey}`, ...json }
const asPerson = {
  ...json,
  origin: testOrigin,
  cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
}
const rrsets = '/api/v1/zones/example.com/rrsets'
const imports = '/api/v1/zones/example.com/import'

const list = (count: number, of: (i: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => of(i)).join()}]`
const members = (count: number, name: (i: number) => string): string =>
  `{${Array.from({ length: count }, (_, i) => `${JSON.stringify(name(i))}:1`).join()}}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
/** No two places near each other are equal, so that any repeated part is found. */
const unlike = Array.from({ length: 20_000 }, (_, i) => `a${i.toString(36).padStart(4, '0')}-`).join('')
const long = (characters: number): string => unlike.repeat(Math.ceil(characters / unlike.length)).slice(0, characters)
const spaced = (characters: number): string => long(characters).replaceAll('-', ' ')

interface Hostile extends RawCall {
  readonly about: string
  readonly status: number
  /** A text of this kind. No response may repeat more than 200 characters of it. */
  readonly input?: string
}

const bulk = (about: string, body: string, more: Partial<Hostile> = {}): Hostile => ({
  about,
  method: 'PATCH',
  path: rrsets,
  headers: asOwner,
  body: Buffer.from(body),
  status: 422,
  ...more,
})
const load = (about: string, body: string, more: Partial<Hostile> = {}): Hostile => ({
  ...bulk(about, body, more),
  method: 'POST',
  path: more.path ?? imports,
})

const manyFaults = `{"rrsets":${list(9_999, () => `{"name":1,"type":1,"records":[${'1,'.repeat(700)}1]}`)}}`
const badChanges = (count: number, records: number) =>
  `{"changes":${list(count, (i) => `{"name":"h${i}","type":"A","records":${list(records, () => '1')}}`)}}`

const hostile: Hostile[] = [
  load('an import of 14 MB in which nothing is right', manyFaults),
  bulk('a bulk change of 930 kB in which nothing is right', badChanges(1_000, 440)),
  bulk('the same by a key for ACME challenges', badChanges(1_000, 440), { headers: asAcme }),
  {
    ...bulk(
      'a checkout of 942 kB at no pay link',
      members(90_000, (i) => `m${i}`),
    ),
    method: 'POST',
    path: '/api/v1/pay/x/checkout',
    headers: json,
    status: 404,
  },
  bulk('numbers in place of changes', `{"changes":${list(300_000, () => '1')}}`),
  bulk('a thousand changes that are numbers', `{"changes":${list(1_000, () => '1')}}`),
  bulk(
    'unknown members',
    members(90_000, (i) => `m${i}`),
  ),
  bulk('unknown members in each change', `{"changes":${list(1_000, () => members(80, (i) => `m${i}`))}}`),
  bulk(
    'records that are no addresses',
    `{"changes":${list(1_000, (i) => `{"name":"h${i}","type":"A","records":${list(150, () => '"x"')}}`)}}`,
  ),
  bulk('names that are none', `{"changes":${list(1_000, () => '{"name":"a..b","type":"A","records":["192.0.2.1"]}')}}`),
  bulk(
    'names that are none, by a key for ACME challenges',
    `{"changes":${list(1_000, () => '{"name":"a..b","type":"A","records":["192.0.2.1"]}')}}`,
    { headers: asAcme },
  ),
  bulk(
    'one change, a thousand times',
    `{"changes":${list(1_000, () => '{"name":"a","type":"A","records":["192.0.2.1"]}')}}`,
  ),
  bulk('a long name', `{"changes":[{"name":"${long(900_000)}","type":"A","records":["192.0.2.1"]}]}`, {
    input: long(900_000),
  }),
  bulk('a long name with spaces', `{"changes":[{"name":"${spaced(900_000)}","type":"A","records":["192.0.2.1"]}]}`, {
    input: spaced(900_000),
  }),
  bulk(
    'a long name that is not ASCII',
    `{"changes":[{"name":"${'é'.repeat(400_000)}","type":"A","records":["192.0.2.1"]}]}`,
    { input: 'é'.repeat(400_000) },
  ),
  bulk('a long type', `{"changes":[{"name":"a","type":"${long(900_000)}","records":["192.0.2.1"]}]}`, {
    input: long(900_000),
  }),
  bulk('long values', `{"changes":[{"name":"a","type":"A","records":${list(13, () => `"${spaced(69_000)}"`)}}]}`, {
    input: spaced(69_000),
  }),
  bulk(
    'values of escapes',
    `{"changes":[{"name":"a","type":"A","records":${list(6, () => `"${'\\\\'.repeat(60_000)}"`)}}]}`,
  ),
  bulk('long names of unknown members', `{${list(9, (i) => `"${i}${spaced(100_000)}":1`).slice(1, -1)}}`, {
    input: spaced(100_000),
  }),
  bulk(
    'names of members that are all escapes',
    `{${list(400, (i) => `"${i}${'\\u0001'.repeat(300)}":1`).slice(1, -1)}}`,
  ),
  bulk('lists in lists', `{"changes":${nested(100_000)}}`),
  bulk('lists in lists where nothing is expected', `{"other":${nested(450_000)}}`),
  bulk('objects in objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`),
  bulk('texts that no database keeps', `{"changes":${list(100_000, () => '"\\u0000"')}}`),
  bulk(
    'halves of characters',
    list(100_000, () => '"\\ud800"'),
  ),
  bulk('members of which one is the prototype', `{"__proto__":{},"a":${list(300_000, () => '1')}}`, { status: 400 }),
  bulk('JSON that breaks off', `{"changes":${list(300_000, () => '1')}`, { status: 400 }),
  bulk('a body that is no UTF-8', '', { body: Buffer.alloc(1_000_000, 0xff), status: 400 }),
  bulk('a body of 20 MB', ' '.repeat(20_000_000), { status: 413 }),
  bulk('a body of 20 MB in chunks', ' '.repeat(20_000_000), { status: 413, chunked: true }),
  bulk('a body one byte too large', ' '.repeat(1024 * 1024 + 1), { status: 413 }),
  bulk('a body one byte too large, in chunks', ' '.repeat(1024 * 1024 + 1), { status: 413, chunked: true }),
  bulk('a body that is no JSON and too large', long(2_000_000), {
    headers: { ...asOwner, 'content-type': 'text/plain' },
    status: 413,
  }),
  load('an import of a body that is no JSON', ' '.repeat(15_000_000), { status: 400 }),
  load('an import of a million lists', `{"rrsets":${list(999_997, () => '[]')}}`),
  load('an import of more lists than there may be', `{"rrsets":${list(1_500_000, () => '[]')}}`, { status: 413 }),
  load(
    'an import of more record sets than there may be',
    `{"rrsets":${list(100_000, (i) => `{"name":"h${i}","type":"A","records":["192.0.2.1"]}`)}}`,
  ),
  load('an import of lists in lists', `{"rrsets":${nested(900_000)}}`),
  load('an import of more lists in lists than there may be', `{"rrsets":${nested(1_000_000)}}`, { status: 413 }),
  load(
    'an import of unknown members',
    members(200_000, (i) => `member ${i}`),
  ),
  load('an import of one long text', `"${spaced(15_000_000)}"`, { input: spaced(15_000_000) }),
  load(
    'an import of one long name',
    `{"rrsets":[{"name":"${spaced(15_000_000)}","type":"A","records":["192.0.2.1"]}]}`,
    { input: spaced(15_000_000) },
  ),
  load(
    'an import of names that are none',
    `{"rrsets":${list(9_999, (i) => `{"name":"a..b${i}","type":"A","records":["${'x'.repeat(200)}"]}`)}}`,
  ),
  load(
    'an import of one record set with all that it may have, and one fault',
    `{"rrsets":[{"name":"a","type":"TXT","records":${list(2_300, (i) => `"${i} ${'x '.repeat(2_000)}"`)}},{"name":"a..b","type":"A","records":["192.0.2.1"]}]}`,
  ),
  load(
    'an import of good record sets, the last of which is bad',
    `{"rrsets":${list(9_999, (i) => `{"name":"h${i}","type":"TXT","records":["${'x'.repeat(200)}"]}`).slice(0, -1)},{"name":"h1","type":"A","records":["x"]}]}`,
  ),
  load(
    'an import of good record sets of which two are one',
    `{"rrsets":${list(9_999, (i) => `{"name":"h${i % 9_998}","type":"TXT","records":["${'x'.repeat(200)}"]}`)}}`,
  ),
  load('an import by a key for ACME challenges', manyFaults, { headers: asAcme, status: 403 }),
  load('a zone file of 16 MB in which nothing is right', 'x y z\n'.repeat(2_700_000), {
    headers: { ...asOwner, 'content-type': 'text/dns' },
  }),
  {
    ...bulk(
      'a key for zones that are numbers',
      `{"name":"a","permissions":[],"expires_in":"never","zones":${list(300_000, () => '1')}}`,
    ),
    method: 'POST',
    path: '/api/v1/api-keys',
    headers: asPerson,
  },
  {
    ...bulk('a contact with many other fields', `{"extra":${members(90_000, (i) => `m${i}`)}}`),
    method: 'POST',
    path: '/api/v1/contacts',
  },
  {
    ...bulk('an endpoint for many events', `{"url":"https://example.net","events":${list(200_000, () => '"x"')}}`),
    method: 'POST',
    path: '/api/v1/webhooks',
  },
  {
    ...bulk('a sign-up of 17 KiB', `{"email":"${'x'.repeat(17_000)}"}`),
    method: 'POST',
    path: '/api/auth/sign-up/email',
    headers: json,
    status: 413,
  },
  {
    ...bulk('a sign-up with a long address', `{"email":"${long(16_000)}","password":"correct horse","name":"A"}`),
    method: 'POST',
    path: '/api/auth/sign-up/email',
    headers: json,
    status: 400,
    input: long(16_000),
  },
  {
    ...bulk('a sign-in of lists in lists', `{"email":${nested(7_000)}}`),
    method: 'POST',
    path: '/api/auth/sign-in/email',
    headers: json,
  },
  {
    ...bulk('news of a gateway of 257 KiB', ' '.repeat(257 * 1024)),
    method: 'POST',
    path: '/api/v1/gateway/paystack',
    headers: json,
    status: 413,
  },
  {
    ...bulk('news that are not signed', ' '.repeat(256 * 1024)),
    method: 'POST',
    path: '/api/v1/gateway/paystack',
    headers: json,
    status: 403,
  },
  {
    ...bulk('a body to nowhere', ' '.repeat(15_000_000)),
    method: 'POST',
    path: '/api/v1/nowhere',
    headers: json,
    status: 404,
  },
  {
    ...bulk('a body by a method that there is not', ' '.repeat(15_000_000)),
    method: 'POST',
    path: '/api/v1/zones/example.com',
    headers: json,
    status: 405,
  },
  {
    ...bulk('a long query', ''),
    method: 'GET',
    path: `${rrsets}?${Array.from({ length: 1_500 }, (_, i) => `m${i}=1`).join('&')}`,
  },
  { ...bulk('a long parameter', ''), method: 'GET', path: `${rrsets}?q=${long(10_000)}`, input: long(10_000) },
  { ...bulk('a long cursor', ''), method: 'GET', path: `${rrsets}?cursor=${long(10_000)}`, input: long(10_000) },
]

/** How long parsing JSON of at most 1 MiB takes. */
function parseMs({ body = Buffer.of() }: RawCall): number {
  if (body.length > 1024 * 1024) return 0
  const before = process.threadCpuUsage()
  try {
    JSON.parse(body.toString())
  } catch {}
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function assertBounded(answer: RawAnswer, { about, status, input }: Hostile): void {
  assert.equal(answer.status, status, `${about}: ${answer.text.slice(0, 300)}`)
  assert.ok(answer.bytes <= 64 * 1024, `${about}: ${answer.bytes} bytes`)
  if (input !== undefined)
    for (const at of [0, 1, 500])
      assert.ok(!answer.text.includes(input.slice(at, at + 201)), `${about}: repeats ${answer.text.slice(0, 500)}`)
  if (answer.headers['content-type'] === undefined) return
  const { error } = JSON.parse(answer.text)
  if (error === undefined) return
  assert.match(error.request_id, /^req_/, about)
  const details = error.details ?? []
  assert.ok(details.length <= 100, `${about}: ${details.length} faults`)
  if (details.length === 100) assert.match(error.message, /\(and more\)$/, about)
}

async function assertHarmless(each: Hostile, besidesMs?: () => number): Promise<void> {
  await assertBriefTurns(
    each.about,
    mostMs,
    async () => {
      const answer = await call(each)
      if (process.env['SHOW']) console.log(`${answer.status} ${answer.bytes}: ${answer.text.slice(0, 160)}`)
      assertBounded(answer, each)
    },
    besidesMs,
  )
}

test('no refusal is long, repeats its input, or blocks others', async () => {
  for (const each of hostile.slice(0, 3)) await call(each)
  const failures: string[] = []
  for (const each of hostile)
    await assertHarmless(each, () => parseMs(each)).catch(({ message }) => failures.push(message))
  assert.deepEqual(failures, [])
})

test('refusals of changes to a full zone do not block the event loop either', async () => {
  const full = await api.zone(account, 'full.example')
  // The largest zone that is allowed: 32 MiB.
  await sql`insert into zone_rrsets (zone_id, name, type, ttl, records)
    select ${full.id}, 'h' || i || '.full.example', 'TXT', 3600, array_fill('"' || repeat('x', 250) || '"', array[12]) from generate_series(1, 10000) i`.execute(
    api.database.db,
  )
  await sql`update zones set rrset_count = 10000, bytes = 32000000 where id = ${full.id}`.execute(api.database.db)
  const path = '/api/v1/zones/full.example'
  const change = '{"name":"h1","type":"CNAME","records":["a"]}'
  const refused: Hostile[] = [
    load('a record set more than there may be', `{"rrsets":[{"name":"new","type":"A","records":["192.0.2.1"]}]}`, {
      path: `${path}/import`,
    }),
    load('the same as a dry run', `{"rrsets":[{"name":"new","type":"A","records":["192.0.2.1"]}]}`, {
      path: `${path}/import?dry_run=true`,
    }),
    load('a faulty zone file', `h1 60 CNAME a\nh2 60 A x\n`, {
      path: `${path}/import`,
      headers: { ...asOwner, 'content-type': 'text/dns' },
    }),
    load('a replacement with a fault', `{"rrsets":[${change},{"name":"h1","type":"A","records":["192.0.2.1"]}]}`, {
      path: `${path}/import?mode=replace`,
    }),
    bulk('a DNAME above everything', `{"changes":[{"name":"@","type":"DNAME","records":["a.example."]}]}`, {
      path: `${path}/rrsets`,
    }),
    bulk('a CNAME beside other records', `{"changes":[${change}]}`, { path: `${path}/rrsets` }),
    bulk('a replacement with a fault, as a PUT', `{"rrsets":[${change},${change}]}`, {
      path: `${path}/rrsets`,
      method: 'PUT',
    }),
  ]
  await call(refused[1] as Hostile)
  const failures: string[] = []
  for (const each of refused) await assertHarmless(each).catch(({ message }) => failures.push(message))
  assert.deepEqual(failures, [])
})

test('a zone file of 9,999 record sets, or of entries with the most words allowed, does not block the event loop', async () => {
  const headers = { ...asOwner, 'content-type': 'text/dns' }
  const records = Array.from({ length: 9_999 }, (_, i) => `h${i} 300 A 10.0.${i >> 8}.${i & 255}\n`)
  const words = Array.from({ length: 120 }, (_, i) => `h${i} 300 TXT ${'a '.repeat(21_900)}\n`)
  for (const [what, lines, status] of [
    ['records', records, 200],
    ['words', words, 422],
  ] as const) {
    await assertBriefTurns(what, mostMs, async (run) => {
      const { name } = await api.zone(account, `${what}${run}.example`)
      const path = `/api/v1/zones/${name}/import`
      const answer = await call({ method: 'POST', path, headers, body: Buffer.from(lines.join('')) })
      assert.equal(answer.status, status, answer.text.slice(0, 300))
    })
  }
})
