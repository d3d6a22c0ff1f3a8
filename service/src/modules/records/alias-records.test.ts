import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AliasChanges } from '#modules/alias/index.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { aliasTargets, aliasWarningsOf, readAliasWarnings, resolvedByWrite, resolvedOf } from './alias-records.ts'
import type { RrsetChange } from './rrset-change.ts'

/** Fails the test if it is used. */
const untouched: Db = {
  run: () => assert.fail('a statement was run'),
}

const change = (type: string, ask: RrsetChange['ask']): RrsetChange => ({ name: 'example.com', type, ttl: 60, ask })

test('changes and reads without an ALIAS run no statement for it', async () => {
  const rrsets = [
    { name: 'example.com', type: 'A', records: ['192.0.2.1'] },
    { name: 'www.example.com', type: 'CNAME', records: ['example.com.'] },
  ]
  const changes = rrsets.map(({ type, records }) => change(type, { kind: 'replace', records }))
  assert.deepEqual(aliasTargets(changes), [])
  assert.deepEqual(await readAliasWarnings(untouched, changes), [])
  assert.deepEqual(await aliasWarningsOf(untouched, rrsets), [])
  assert.equal((await resolvedOf(untouched, 'a zone', rrsets)).size, 0)
  assert.equal(await resolvedByWrite(untouched, rrsets[0] ?? assert.fail()), undefined)
  assert.deepEqual((await AliasChanges.read(untouched as Tx, [])).statements(), [])
})

test('the targets of changes are those that they write, and not those that they remove', async () => {
  const changes = [
    change('ALIAS', { kind: 'replace', records: ['one.example.net.'] }),
    change('ALIAS', { kind: 'create', records: ['two.example.net.'] }),
    change('ALIAS', { kind: 'edit', add: ['three.example.net.'], remove: ['four.example.net.'] }),
    change('ALIAS', { kind: 'edit', add: [], remove: ['five.example.net.'] }),
    change('ALIAS', { kind: 'replace', records: [] }),
    change('CNAME', { kind: 'replace', records: ['six.example.net.'] }),
  ]
  assert.deepEqual(aliasTargets(changes), ['one.example.net', 'two.example.net', 'three.example.net'])
  const removals = changes.slice(3, 5)
  assert.deepEqual(await readAliasWarnings(untouched, removals), [])
})
