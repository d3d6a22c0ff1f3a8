import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase32Hex } from '../base32hex.ts'
import { toHex } from '../hex.ts'
import { parseName } from '../name.ts'
import { parseRdata } from '../rdata.ts'
import { RrType } from '../type.ts'
import {
  nsec3FromRdata,
  nsec3ParametersFromRdata,
  nsec3ParametersToRdata,
  nsec3ToRdata,
  nsecFromRdata,
  nsecToRdata,
} from './denial-data.ts'

test('reads the NSEC record of RFC 4034 §4.3 and writes it with the same bytes', () => {
  const data = parseRdata(RrType.NSEC, 'host.example.com. A MX RRSIG NSEC TYPE1234')
  const nsec = nsecFromRdata(data)
  assert.equal(nsec.next, 'host.example.com.')
  assert.deepEqual(nsec.types, [1, 15, 46, 47, 1234])
  assert.deepEqual(nsecToRdata(nsec), data)
})

test('the next name of an NSEC record is compared in lower case, but its bytes keep their case (RFC 6840 §5.1)', () => {
  const data = Uint8Array.of(4, 72, 111, 115, 116, 0, 0, 1, 0x40)
  assert.equal(nsecFromRdata(data).next, parseName('host.'))
})

test('reads an NSEC3 record of RFC 5155 appendix A and writes it with the same bytes', () => {
  const text = '1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr MX DNSKEY NS SOA NSEC3PARAM RRSIG'
  const data = parseRdata(RrType.NSEC3, text)
  const nsec3 = nsec3FromRdata(data)
  assert.deepEqual([nsec3.algorithm, nsec3.flags, nsec3.iterations, toHex(nsec3.salt)], [1, 1, 12, 'aabbccdd'])
  assert.equal(toBase32Hex(nsec3.next), '2t7b4g4vsa5smi47k61mv5bv1a22bojr')
  assert.deepEqual(nsec3.types, [2, 6, 15, 46, 48, 51])
  assert.deepEqual(nsec3ToRdata(nsec3), data)
})

test('reads NSEC3PARAM and writes it with the same bytes', () => {
  for (const text of ['1 0 12 aabbccdd', '1 0 0 -']) {
    const data = parseRdata(RrType.NSEC3PARAM, text)
    assert.deepEqual(nsec3ParametersToRdata(nsec3ParametersFromRdata(data)), data)
  }
})
