import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireAuditEntry } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { rowsRead } from '#testing/rows-read.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { type AuditFilter, pageOfAudit } from './read-audit.ts'

const api = await startTestApi()
const person = await TestPerson.signedIn(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const own = await api.zone(account, 'own.example.com')
const shared = await api.zone(stranger, 'shared.example.org')
const key = await api.key(account, { name: 'deploy bot', zones: 'all' })
const theirs = await api.key(stranger, { name: 'their bot' })
await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${account})`.execute(api.database.db)

for (let i = 0; i < 5; i++)
  await api.call('PUT', `/zones/${own.name}/rrsets/www/A`, { key, body: { records: [`192.0.2.${i}`] } })
await api.call('PUT', `/zones/${shared.name}/rrsets/www/A`, { key: theirs, body: { records: ['192.0.2.1'] } })

const list = async (query = ''): Promise<WireAuditEntry[]> => (await person.call('GET', `/audit-log${query}`)).body.data

test('a change made with a key is listed under the key’s name, newest first', async () => {
  const [first] = await list('?action=records.changed&zone=own.example.com')
  assert.equal(first?.actor.kind, 'key')
  assert.equal(first?.actor.name, 'deploy bot')
  assert.equal(first?.zone, 'own.example.com')
  assert.match(first?.request_id ?? '', /^req_/)
  const all = await list()
  assert.deepEqual(
    all.map(({ at }) => at),
    all
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
})

test('a manager reads the zone’s entries, and no other entries of its owner', async () => {
  const entries = await list('?limit=200')
  const foreign = entries.filter(({ zone }) => zone === shared.name)
  assert.ok(foreign.some(({ actor }) => actor.name === 'their bot'))
  assert.ok(!entries.some(({ summary }) => summary.includes('stranger@example.net')))
})

test('for a manager, entries refer only to the zone and its versions', async () => {
  const foreign = (await list('?limit=200')).filter(({ zone }) => zone === shared.name)
  assert.ok(foreign.some(({ reference }) => reference?.kind === 'version'))
  assert.ok(foreign.every(({ reference }) => reference?.kind === 'version' || reference?.kind === 'zone'))
})

test('a manager never sees the IP address of the owner’s requests, in JSON or in CSV', async () => {
  const owner = await TestPerson.signedIn(api, 'addressed@example.org')
  const { id: ownerId } = (await owner.call('GET', '/account')).body
  const { id, name } = await api.zone(ownerId, 'addressed.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${id}, ${account})`.execute(api.database.db)
  const addresses = ['203.0.113.7', '2001:db8::7', '10.1.2.3', '198.51.100.250', '::ffff:203.0.113.9']
  const entries = addresses.map((address, n) => ({ address, kind: n % 2 === 0 ? 'session' : 'key', n }))
  await sql`
    insert into audit_log (account_id, actor_kind, actor_name, actor_id, action, zone_id, zone_name, summary, address)
    select ${ownerId}, kind, 'Owner', null, 'records.changed', ${id}, ${name}, 'Change ' || n, address::inet
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (kind text, n int, address text)`.execute(
    api.database.db,
  )
  const query = `?zone=${name}&limit=200`
  const seen = await list(query)
  assert.ok(seen.length > addresses.length)
  assert.deepEqual([...new Set(seen.map(({ address }) => address))], [null])
  const table = String((await person.call('GET', `/audit-log${query}`, { headers: { accept: 'text/csv' } })).body)
  for (const address of addresses) assert.ok(!table.includes(address), address)
  const { data: own } = (await owner.call('GET', `/audit-log${query}`)).body
  const shown = own.map(({ address }: WireAuditEntry) => address)
  for (const address of addresses) assert.ok(shown.includes(address), `the owner sees ${address}`)
  const mine = await list('?zone=own.example.com')
  assert.ok(mine.some(({ address }) => address === '127.0.0.1'))
})

test('filters the list by zone, actor, action and time', async () => {
  for (const [query, expected] of [
    ['?zone=own.example.com&action=records.changed', 5],
    [`?zone=${own.id}&action=records.changed`, 5],
    ['?actor=deploy%20bot', 5],
    ['?actor=PLOY%20B', 5],
    [`?actor=${account}&action=records.changed`, 5],
    ['?actor=owner%40exam&action=records.changed', 5],
    ['?actor=nobody', 0],
    ['?action=Records&zone=own', 5],
    ['?action=records%25', 0],
    ['?action=records_changed', 0],
    ['?actor=%25', 0],
    ['?actor=%5C', 0],
    ['?zone=wn.EXAMPLE.c&action=records.changed', 5],
    ['?zone=shared.EX&action=records.changed', 1],
    ['?zone=own_example', 0],
    ['?action=zone.added&zone=own.example.com', 1],
    ['?until=2026-01-01T00:00:00Z', 0],
    ['?since=2200-01-01T00:00:00Z', 0],
    ['?zone=nowhere.example', 0],
  ] as const)
    assert.equal((await list(query)).length, expected, query)
})

test('pages have no gaps or repeats, even if entries are added in the meantime', async () => {
  const whole = await list('?limit=200&action=records.changed')
  const seen: WireAuditEntry[] = []
  let cursor: string | null = null
  do {
    const query: string = `?limit=2&action=records.changed${cursor === null ? '' : `&cursor=${cursor}`}`
    const { body } = await person.call('GET', `/audit-log${query}`)
    seen.push(...body.data)
    cursor = body.next_cursor
    await api.call('PUT', `/zones/${own.name}/rrsets/new/A`, { key, body: { records: [`198.51.100.${seen.length}`] } })
  } while (cursor !== null)
  assert.deepEqual(seen, whole)
})

test('a page reads only as many entries of a managed zone as it needs, however many there are', async () => {
  const account = await api.account('manager@example.net')
  const zone = await api.zone(stranger, 'busy.example.org')
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${account})`.execute(api.database.db)
  await sql`
    insert into audit_log (at, account_id, actor_kind, actor_name, action, zone_id, zone_name, summary)
    select app_now() - n * interval '1 s', ${stranger}, 'system', 'test', 'records.changed', ${zone.id}, 'busy.example.org', ''
    from generate_series(1, 20000) as n`.execute(api.database.db)
  await sql`analyze audit_log`.execute(api.database.db)
  const filter: Omit<AuditFilter, 'after'> = {
    limit: 50,
    zone: undefined,
    actor: undefined,
    action: undefined,
    since: undefined,
    until: undefined,
  }
  for (const place of ['first', 'later']) {
    const after = place === 'first' ? undefined : await lastOf(account, filter)
    const read = await rowsRead(api.database, 'audit_log%', async (tx) => {
      assert.equal((await pageOfAudit(tx, account, { ...filter, after })).rows.length, 51)
    })
    assert.ok(read > 0 && read < 1_000, `${read} entries for a ${place} page`)
  }
  // A filter that matches nothing reads a bounded number of entries, and returns where to continue.
  const narrow = { ...filter, action: 'no.such.action', after: undefined }
  const read = await rowsRead(api.database, 'audit_log%', async (tx) => {
    const { rows, end } = await pageOfAudit(tx, account, narrow)
    assert.equal(rows.length, 0)
    assert.ok(end)
    const next = await pageOfAudit(tx, account, { ...narrow, after: end })
    const last = await pageOfAudit(tx, account, { ...narrow, after: next.end ?? undefined })
    assert.deepEqual([next.rows.length, last.end], [0, null])
  })
  assert.ok(read <= 2 * 20_000 + 1_000, `${read} entries for all pages`)
})

async function lastOf(account: string, filter: Omit<AuditFilter, 'after'>): Promise<string[]> {
  const { rows } = await pageOfAudit(api.database.db, account, { ...filter, limit: 10_000, after: undefined })
  const last = rows.at(-1)
  return [last?.atText ?? '', String(last?.id)]
}

test('the log is available as CSV, in which no cell is a formula', async () => {
  await api.call('PUT', `/zones/${own.name}/rrsets/csv/TXT`, {
    key: await api.key(account, { name: '=1+1,"x"' }),
    body: { records: ['"a"'] },
  })
  const answer = await person.call('GET', '/audit-log?limit=1&action=records.changed', {
    headers: { accept: 'text/csv' },
  })
  assert.match(String(answer.headers['content-type']), /^text\/csv/)
  const [head, row] = String(answer.body).split('\r\n')
  // New columns are only ever added at the end.
  assert.equal(
    head,
    'at,actor_kind,actor_name,actor_id,action,zone,domain,summary,request_id,address,source,actor_account_id,actor_account_email,zone_id,' +
      'reference_kind,reference_id',
  )
  assert.match(row ?? '', /,key,"'=1\+1,""x""",key_[0-9a-f]+,records\.changed,own\.example\.com,,/)
  const [entry] = await list('?limit=1&action=records.changed')
  const { id } = entry?.reference ?? {}
  assert.ok(row?.endsWith(`,127.0.0.1,api,${account},owner@example.net,${own.id},version,${id}`), row ?? '')
})

test('a CSV page links to the next page like a JSON page; the last one has no link', async () => {
  const linkOf = async (path: string, accept: string): Promise<string | undefined> => {
    const { headers } = await person.call('GET', path, { headers: { accept } })
    return headers['link'] as string | undefined
  }
  const first = '/audit-log?limit=1&action=records.changed'
  const link = (await linkOf(first, 'text/csv')) ?? ''
  assert.match(link, /^<\/api\/v1\/audit-log\?limit=1&action=records\.changed&cursor=[^>]+>; rel="next"$/)
  assert.equal(link, await linkOf(first, 'application/json'))
  const path = link.slice('</api/v1'.length, link.indexOf('>'))
  const next = await person.call('GET', path, { headers: { accept: 'text/csv' } })
  const [, row] = String(next.body).split('\r\n')
  assert.ok(row?.startsWith(`${(await list('?limit=2&action=records.changed'))[1]?.at},`))
  assert.equal(await linkOf('/audit-log?limit=200&action=records.changed', 'text/csv'), undefined)
})

test('finds a zone by its name in Unicode, in any letter case and with a final dot', async () => {
  const { body } = await api.call('POST', '/zones', { key, body: { name: 'bücher.example' } })
  for (const name of ['bücher.example', 'BÜCHER.example.', 'XN--BCHER-KVA.example', body.id, body.id.toUpperCase()])
    assert.deepEqual(
      (await list(`?zone=${encodeURIComponent(name)}`)).map(({ action, zone }) => `${action} ${zone}`),
      ['zone.added xn--bcher-kva.example'],
      name,
    )
  assert.deepEqual(await list('?zone=no%20name'), [])
})

test('refuses a cursor with a time that does not exist', async () => {
  for (const time of [
    '2026-99-99 99:99:99+00',
    '2026-02-30 00:00:00+00',
    '0000-01-01 00:00:00+00',
    '2026-01-01 00:00:00+16',
  ]) {
    const cursor = Buffer.from(JSON.stringify([time, '1'])).toString('base64url')
    const { status, body } = await person.call('GET', `/audit-log?cursor=${cursor}`)
    assert.deepEqual([status, body.error.code], [422, 'validation_failed'], time)
  }
})

test('refuses invalid parameters', async () => {
  for (const query of ['?since=yesterday', '?limit=201', '?cursor=x', '?who=me'])
    assert.equal((await person.call('GET', `/audit-log${query}`)).status, 422, query)
})

test('an entry refers to the version that the change made, and to the key, endpoint or zone that it is about', async () => {
  const zone = await api.zone(account, 'referred.example.com')
  const put = await person.call('PUT', `/zones/${zone.name}/rrsets/www/A`, { body: { records: ['192.0.2.1'] } })
  const version = JSON.parse(String(put.headers['etag']))
  const [change] = await list(`?limit=1&zone=${zone.name}`)
  assert.deepEqual([change?.zone_id, change?.reference], [zone.id, { kind: 'version', id: version }])
  assert.equal((await person.call('GET', `/zones/${zone.id}/versions/${version}`)).status, 200)
  const { body: endpoint } = await person.call('POST', '/webhooks', { body: { url: 'https://127.0.0.1:9/hook' } })
  const [created] = await list('?limit=1&action=webhook.created')
  assert.deepEqual(created?.reference, { kind: 'endpoint', id: endpoint.id })
  await person.call('PATCH', `/zones/${zone.id}`, { body: { comment: 'Of the shop.' } })
  const [described] = await list(`?limit=1&zone=${zone.name}`)
  assert.deepEqual(described?.reference, { kind: 'zone', id: zone.id })
  await person.call('PATCH', '/account', { body: { name: 'Ada' } })
  const [renamed] = await list('?limit=1&action=account.renamed')
  assert.deepEqual([renamed?.zone_id, renamed?.reference], [null, null])
})
