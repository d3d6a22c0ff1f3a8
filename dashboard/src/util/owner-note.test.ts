import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerNote } from './owner-note.ts'

const rrset = (name: string, type: string) => ({ name, type, ttl: 300, records: ['x'] })
const known = [
  rrset('example.com', 'SOA'),
  rrset('example.com', 'NS'),
  rrset('example.com', 'MX'),
  rrset('www.example.com', 'A'),
  rrset('www.example.com', 'AAAA'),
  rrset('shop.example.com', 'NS'),
]
const note = (owner: string) => ownerNote('example.com', owner, known)

test('a note lists the record types that a name already has, except those of the service', () => {
  assert.equal(note('www.example.com'), 'This name already has A and AAAA records.')
  assert.equal(note('example.com'), 'This name already has MX records.')
  assert.equal(note('new.example.com'), undefined)
})

test('a note reports that a name below a delegation has no effect', () => {
  assert.match(note('www.shop.example.com') ?? '', /^shop\.example\.com is delegated/)
  assert.equal(note('shop.example.com'), 'This name already has NS records.')
  assert.equal(note('myshop.example.com'), undefined)
})
