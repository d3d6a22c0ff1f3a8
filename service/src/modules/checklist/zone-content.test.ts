import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRrset } from '#modules/records/index.ts'
import { ZoneContent } from './zone-content.ts'

const rrset = (name: string, type: string, record: string): StoredRrset => ({ name, type, ttl: 300, records: [record] })

test('a name that is delegated or below a DNAME exists, because others answer for it', () => {
  const content = new ZoneContent('example.com', [
    rrset('cut.example.com', 'NS', 'ns.example.net.'),
    rrset('old.example.com', 'DNAME', 'new.example.net.'),
    rrset('old.example.com', 'TXT', '"x"'),
  ])
  for (const name of ['cut.example.com', 'a.cut.example.com', 'a.old.example.com', 'b.a.old.example.com'])
    assert.deepEqual([name, content.isElsewhere(name), content.exists(name)], [name, true, true])
  for (const name of ['old.example.com', 'example.com']) assert.equal(content.isElsewhere(name), false, name)
  assert.deepEqual([content.isElsewhere('xold.example.com'), content.exists('xold.example.com')], [false, false])
})

test('a DNAME at the apex covers all names below it', () => {
  const content = new ZoneContent('example.com', [rrset('example.com', 'DNAME', 'example.net.')])
  assert.deepEqual([content.isElsewhere('www.example.com'), content.isElsewhere('example.com')], [true, false])
})
