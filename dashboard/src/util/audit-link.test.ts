import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLink } from './audit-link.ts'
import { paths } from './paths.ts'

const zone = '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10'
const linkOf = (kind: string, id: string, action = 'a.change') =>
  auditLink({ action, zone_id: zone, reference: { kind, id } as Parameters<typeof auditLink>[0]['reference'] })

test('an entry leads to the version, order, key, endpoint, domain or zone that it is about', () => {
  assert.deepEqual(linkOf('version', '12'), paths.history(zone, '12'))
  assert.deepEqual(linkOf('order', 'ord_1'), paths.order('ord_1'))
  assert.deepEqual(linkOf('key', 'key_1'), paths.keys('key_1'))
  assert.deepEqual(linkOf('endpoint', 'whe_1'), paths.webhook('whe_1'))
  assert.deepEqual(linkOf('domain', 'shop.test'), paths.domain('shop.test'))
  assert.deepEqual(linkOf('zone', zone), paths.zone(zone))
})

test('an entry about something deleted, about nothing, or of an unknown kind never leads to a missing page', () => {
  assert.deepEqual(linkOf('version', '12', 'zone.deleted'), paths.deletedZones())
  assert.equal(linkOf('endpoint', 'whe_1', 'webhook.deleted'), undefined)
  assert.equal(auditLink({ action: 'account.renamed', zone_id: null, reference: null }), undefined)
  assert.equal(linkOf('statement', 'sta_1'), undefined)
})
