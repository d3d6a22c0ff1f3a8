import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const key = await api.key(account)
const zone = await api.zone(account, 'notes.test')

const at = `/zones/${zone.name}/rrsets/www/A`
const put = (body: object, by = key) =>
  api.call('PUT', at, { key: by, body: { records: ['192.0.2.1'], ttl: 300, ...body } })
const get = async () => (await api.call('GET', at, { key })).body
const audited = async (action: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from audit_log where action = ${action} and zone_id = ${zone.id}`.execute(api.database.db)
  return rows[0]?.n ?? 0
}

test('a record set keeps its comment and labels until a write sends others, and null clears them', async () => {
  const made = await put({ comment: 'The shop.', labels: ['shop', 'eu'] })
  assert.deepEqual([made.status, made.body.comment, made.body.labels], [201, 'The shop.', ['shop', 'eu']])
  assert.deepEqual((await get()).comment, 'The shop.')
  const kept = await put({ records: ['192.0.2.2'] })
  assert.equal(kept.status, 200)
  const after = await get()
  assert.deepEqual([after.records, after.comment, after.labels], [['192.0.2.2'], 'The shop.', ['shop', 'eu']])
  const listed = (await api.call('GET', `/zones/${zone.name}/rrsets?name=www`, { key })).body.data[0]
  assert.deepEqual([listed.comment, listed.labels], ['The shop.', ['shop', 'eu']])
  const patched = await api.call('PATCH', at, { key, body: { add: ['192.0.2.3'], labels: null } })
  assert.deepEqual([patched.body.comment, patched.body.labels], ['The shop.', undefined])
  await put({ comment: null })
  assert.equal((await get()).comment, undefined)
})

test('a comment is not part of the version, ETag, history, events and export, and its change is audited once', async () => {
  await put({})
  const state = async () => {
    const { rows } = await sql`
      select version, serial, (select count(*) from zone_changes where zone_id = z.id) as changes,
        (select count(*) from event_outbox where zone_id = z.id) as events, bytes
      from zones z where id = ${zone.id}`.execute(api.database.db)
    const file = (await api.call('GET', `/zones/${zone.name}/export`, { key })).body
    return { row: rows[0], file, etag: (await api.call('GET', at, { key })).headers.etag }
  }
  const [before, audits] = [await state(), await audited('records.described')]
  const { status, body } = await put({ comment: 'Only this changes.' })
  assert.deepEqual([status, body.comment], [200, 'Only this changes.'])
  await put({ comment: 'Only this changes.' })
  assert.deepEqual(await state(), before)
  assert.equal(await audited('records.described'), audits + 1)
  await put({ comment: 'A dry run changes nothing.' }).then(() => put({ comment: 'Only this changes.' }))
  const dry = await api.call('PUT', `${at}?dry_run=true`, { key, body: { records: ['192.0.2.1'], comment: 'No.' } })
  assert.equal(dry.status, 200)
  assert.equal((await get()).comment, 'Only this changes.')
})

test('comments that are too long or have hidden characters, and invalid or too many labels are refused', async () => {
  for (const body of [
    { comment: 'a'.repeat(201) },
    { comment: 'two\nlines' },
    { comment: 'abc\u202edef' },
    { labels: ['Shop'] },
    { labels: [''] },
    { labels: ['a'.repeat(33)] },
    { labels: Array.from({ length: 21 }, (_, i) => `l${i}`) },
  ])
    assert.equal((await put(body)).status, 422, JSON.stringify(body))
  assert.equal((await put({ comment: 'a'.repeat(200), labels: ['a._-9'] })).status, 200)
})

test('a key that can only answer ACME challenges cannot send comments', async () => {
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const refused = await api.call('PUT', `/zones/${zone.name}/rrsets/_acme-challenge/TXT`, {
    key: acme,
    body: { records: ['"token"'], comment: 'No.' },
  })
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'])
})

test('a person can describe a zone and a key cannot; the version stays the same', async () => {
  const path = `/zones/${zone.name}`
  const before = await person.call('GET', path)
  const described = await person.call('PATCH', path, { body: { comment: 'Ours.', labels: ['prod', 'prod'] } })
  assert.deepEqual([described.status, described.body.comment, described.body.labels], [200, 'Ours.', ['prod']])
  assert.equal(described.headers.etag, before.headers.etag)
  assert.equal((await person.call('PATCH', path, { body: { labels: null } })).body.comment, 'Ours.')
  assert.equal((await api.call('PATCH', path, { key, body: { comment: 'No.' } })).status, 403)
  const listed = (await api.call('GET', `/zones?name=${zone.name}`, { key })).body.data[0]
  assert.deepEqual([listed.comment, listed.labels], ['Ours.', undefined])
  assert.equal(await audited('zone.described'), 2)
})

test('a bulk change writes comments and labels of many record sets, alone or with their records', async () => {
  const path = `/zones/${zone.name}/rrsets`
  const change = (...changes: object[]) => api.call('PATCH', path, { key, body: { changes } })
  const notesAt = async (name: string) => {
    const [rrset] = (await api.call('GET', `${path}?name=${name}`, { key })).body.data
    return rrset && [rrset.comment, rrset.labels]
  }
  const one = { name: 'one', type: 'A', ttl: 60, records: ['192.0.2.1'] }
  const two = { name: 'two', type: 'A', ttl: 60, records: ['192.0.2.2'] }
  const made = await change({ ...one, comment: 'First.', labels: ['a', 'b'] }, two)
  assert.equal(made.status, 200)
  assert.deepEqual(
    [await notesAt('one'), await notesAt('two')],
    [
      ['First.', ['a', 'b']],
      [undefined, undefined],
    ],
  )
  const audits = await audited('records.described')
  const described = await change({ ...one, labels: ['c'] }, { ...two, comment: 'Second.' })
  assert.deepEqual([described.body.version, described.body.diff.changes], [made.body.version, []])
  assert.deepEqual(
    [await notesAt('one'), await notesAt('two')],
    [
      ['First.', ['c']],
      ['Second.', undefined],
    ],
  )
  assert.equal(await audited('records.described'), audits + 1, 'one entry for both')
  await change({ ...one, records: ['192.0.2.9'] }, { ...two, records: [], comment: 'gone' })
  assert.deepEqual([await notesAt('one'), await notesAt('two')], [['First.', ['c']], undefined])
  assert.equal(await audited('records.described'), audits + 1, 'a write that omits them keeps them')
  assert.equal((await change({ ...one, comment: 'a'.repeat(201) })).status, 422)
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const challenge = { name: '_acme-challenge', type: 'TXT', records: ['"x"'], comment: 'No.' }
  assert.equal((await api.call('PATCH', path, { key: acme, body: { changes: [challenge] } })).status, 403)
})
