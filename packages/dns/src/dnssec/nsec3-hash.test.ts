import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { toBase32Hex } from '../base32hex.ts'
import { fromHex } from '../hex.ts'
import { parseName } from '../name.ts'
import { nsec3Hash, nsec3Owner, type Sha1 } from './nsec3-hash.ts'

const sha1: Sha1 = (data) => createHash('sha1').update(data).digest()
const salt = fromHex('aabbccdd') ?? assert.fail()

/** RFC 5155, appendix A: the names of its zone with 12 iterations. */
const printed = [
  ['example.', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
  ['a.example.', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
  ['ai.example.', 'gjeqe526plbf1g8mklp59enfd789njgi'],
  ['ns1.example.', '2t7b4g4vsa5smi47k61mv5bv1a22bojr'],
  ['ns2.example.', 'q04jkcevqvmu85r014c7dkba38o0ji5r'],
  ['w.example.', 'k8udemvp1j2f7eg6jebps17vp3n8i58h'],
  ['*.w.example.', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
  ['x.w.example.', 'b4um86eghhds6nea196smvmlo4ors995'],
  ['y.w.example.', 'ji6neoaepv8b5o6k4ev33abha8ht9fgc'],
  ['x.y.w.example.', '2vptu5timamqttgl4luu9kg21e0aor3s'],
  ['xx.example.', 't644ebqk9bibcna874givr6joj62mlhv'],
  ['2t7b4g4vsa5smi47k61mv5bv1a22bojr.example.', 'kohar7mbb8dc2ce8a9qvl8hon4k53uhi'],
] as const

test('computes the hashes that RFC 5155 appendix A prints for its names', () => {
  for (const [name, hash] of printed)
    assert.equal(toBase32Hex(nsec3Hash(parseName(name), { iterations: 12, salt }, sha1)), hash, name)
})

test('a name is hashed in lower case, and its hash is a label below the zone', () => {
  const hash = nsec3Hash(parseName('NS1.Example.'), { iterations: 12, salt }, sha1)
  assert.equal(nsec3Owner(hash, parseName('example.')), '2t7b4g4vsa5smi47k61mv5bv1a22bojr.example.')
  assert.equal(nsec3Owner(hash, parseName('.')), '2t7b4g4vsa5smi47k61mv5bv1a22bojr.')
})

test('without iterations and salt, the hash is SHA-1 of the wire form', () => {
  const bare = nsec3Hash(parseName('example.'), { iterations: 0, salt: new Uint8Array(0) }, sha1)
  assert.deepEqual(Buffer.from(bare), createHash('sha1').update('\x07example\0').digest())
})
