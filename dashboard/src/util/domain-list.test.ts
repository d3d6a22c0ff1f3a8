import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireDomain } from '@zonewright/contract'
import { type DomainSearch, domainsAsCsv, shownDomains } from './domain-list.ts'

const now = Date.parse('2026-12-01T00:00:00Z')
const domain = (name: string, more: Partial<WireDomain>): WireDomain => ({
  id: `dom_${name}`,
  name,
  unicode_name: name,
  zone_id: null,
  status: 'active',
  status_message: '',
  expires_at: null,
  locked: true,
  auto_renew: true,
  dnssec: { parent_ds: false },
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  contacts: { registrant: null },
  role: 'owner',
  transfer_out: null,
  change: null,
  created_at: '2026-01-01T00:00:00.000Z',
  checked_at: null,
  ...more,
})
const domains = [
  domain('a.test', { expires_at: '2026-12-24T00:00:00Z', locked: false }),
  domain('b.test', { status: 'expired', expires_at: '2026-11-01T00:00:00Z', auto_renew: false }),
  domain('c.test', { role: 'manager', dnssec: { parent_ds: true } }),
]
const found = (search: DomainSearch) =>
  shownDomains(domains, search, now)
    .map(({ name }) => name.slice(0, 1))
    .join('')

test('filters, alone or combined, keep only the domains that match', () => {
  for (const [search, names] of [
    [{}, 'abc'],
    [{ q: 'B.TEST' }, 'b'],
    [{ role: 'manager' }, 'c'],
    [{ status: 'expired' }, 'b'],
    [{ expiry: 'month' }, 'a'],
    [{ expiry: 'expired' }, 'b'],
    [{ locked: 'false' }, 'a'],
    [{ renews: 'false' }, 'b'],
    [{ dnssec: 'ds' }, 'c'],
    [{ locked: 'true', renews: 'true' }, 'c'],
    [{ sort: 'expires_at' }, 'bac'],
    [{ sort: '-expires_at' }, 'abc'],
    [{ sort: '-name' }, 'cba'],
  ] as const)
    assert.equal(found(search), names, JSON.stringify(search))
})

test('a table of domains has one line for each domain', () => {
  const [header, first] = domainsAsCsv(domains).split('\r\n')
  assert.match(header ?? '', /^name,unicode_name,status,expires_at,/)
  assert.equal(
    first,
    'a.test,a.test,active,2026-12-24T00:00:00Z,true,false,false,ns1.example.net ns2.example.net,owner,2026-01-01T00:00:00.000Z',
  )
})
