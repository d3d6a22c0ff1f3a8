import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedZoneJson, namedZoneJson, rrsetJson, zoneJson } from './zone-json.ts'

const zone = { name: 'example.com', serial: 2 ** 32 + 7, kind: 'Native', account: 'ada' }
const www = rrsetJson({ name: 'www.example.com', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] })

test('a record set has the members that acme.sh searches, in the order of PowerDNS', () => {
  assert.equal(
    JSON.stringify(www),
    '{"comments":[],"name":"www.example.com.","records":[{"content":"192.0.2.1","disabled":false},{"content":"192.0.2.2","disabled":false}],"ttl":300,"type":"A"}',
  )
})

test('a zone in a list has the members of PowerDNS, in its order, and a serial below 2^32', () => {
  assert.equal(
    JSON.stringify(listedZoneJson(zone)),
    '{"account":"ada","catalog":"","dnssec":false,"edited_serial":7,"id":"example.com.","kind":"Native","last_check":0,"masters":[],"name":"example.com.","notified_serial":7,"serial":7,"url":"/api/v1/servers/localhost/zones/example.com."}',
  )
})

test('a single zone has more members, and its record sets unless they are omitted', () => {
  const members = Object.keys(zoneJson(zone, [www]))
  assert.deepEqual(members, [...members].sort(), 'PowerDNS sorts them')
  assert.deepEqual(zoneJson(zone, [www]).rrsets, [www])
  assert.equal('rrsets' in zoneJson(zone, undefined), false)
  assert.deepEqual(
    members.filter((name) => !(name in listedZoneJson(zone))),
    [
      'api_rectify',
      'master_tsig_key_ids',
      'nsec3narrow',
      'nsec3param',
      'rrsets',
      'slave_tsig_key_ids',
      'soa_edit',
      'soa_edit_api',
    ],
  )
})

test('without permission to read a zone, only its name and id are shown', () => {
  assert.deepEqual(namedZoneJson('example.com'), { id: 'example.com.', name: 'example.com.', serial: 0 })
})
