import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { nsec3Hash, parseName } from '@zonewright/dns'
import { sha1 } from '../testing/signed-zone.ts'
import { Arena } from './arena.ts'
import { NameCompiler } from './compile-name.ts'
import {
  buildHashOrder,
  type HashedRef,
  HashFinder,
  inHashOrder,
  insertHash,
  removeHash,
  retireHashOrder,
} from './hash-order.ts'
import { compareHashes, NameHash, readHashLabel } from './name-hash.ts'

const arena = new Arena(() => {}, 2 ** 25)
const compiler = new NameCompiler(arena)

/** An NSEC3 name with its hash and its block, by number. */
function placed(number: number): HashedRef {
  const bytes = createHash('sha1').update(String(number)).digest()
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const label = (bits.match(/.{5}/g) ?? []).map((five) => Number.parseInt(five, 2).toString(32)).join('')
  const name = Uint8Array.of(label.length, ...Buffer.from(label), 0)
  const hash = new Int32Array(5)
  assert.ok(readHashLabel(name, 0, hash))
  for (let word = 0; word < 5; word++) assert.equal(hash[word], bytes.readInt32BE(word * 4))
  return { hash, ref: compiler.compile(8, name, [], false, undefined) }
}

const byHash = (a: HashedRef, b: HashedRef) => compareHashes(a.hash, 0, b.hash, 0)

/** Compares the results with those of a plain search, for hashes that exist and others. */
function check(root: number, names: readonly HashedRef[]): void {
  const sorted = [...names].sort(byHash)
  assert.deepEqual(
    [...inHashOrder(arena.segments, root)],
    sorted.map(({ ref }) => ref),
  )
  const finder = new HashFinder(arena.segments)
  for (const { hash, ref } of sorted) {
    assert.equal(finder.find(root, hash, 0), ref)
    assert.ok(finder.isExact)
  }
  for (let other = 0; other < 200; other++) {
    const hash = new Int32Array(createHash('sha1').update(`other ${other}`).digest().buffer.slice(0, 20))
    const before = sorted.findLast((each) => compareHashes(each.hash, 0, hash, 0) <= 0) ?? sorted.at(-1)
    assert.equal(finder.find(root, hash, 0), before?.ref ?? 0)
    assert.equal(finder.isExact, false)
  }
}

for (const count of [1, 5, 511, 513, 3000]) {
  test(`an order of size ${count} finds each hash, and the closest one before any other`, () => {
    const names = Array.from({ length: count }, (_, number) => placed(number))
    const root = buildHashOrder(arena, [...names].sort(byHash))
    check(root, names)
    retireHashOrder(arena, root)
  })
}

test('an order that grows from empty and shrinks to empty finds the same', () => {
  const names = Array.from({ length: 1500 }, (_, number) => placed(number))
  let root = 0
  for (const [index, name] of names.entries()) {
    root = insertHash(arena, root, name)
    if (index % 300 === 0) check(root, names.slice(0, index + 1))
  }
  check(root, names)
  for (const [index, { hash }] of names.entries()) {
    root = removeHash(arena, root, hash)
    if (index % 300 === 0) check(root, names.slice(index + 1))
  }
  assert.equal(root, 0)
})

test('names are hashed as RFC 5155 requires, with any length, salt and number of iterations', () => {
  const hasher = new NameHash()
  for (const labels of [0, 1, 3, 4, 5, 20, 60, 120]) {
    const name = parseName('a.'.repeat(labels) || '.')
    for (const length of [0, 1, 4, 35, 36, 200, 255]) {
      const salt = new Uint8Array(length).fill(0xab)
      for (const iterations of [0, 1, 12]) {
        const wire = Uint8Array.of(...Array.from({ length: labels }, () => [1, 0x61]).flat(), 0)
        hasher.hash(wire, 0, wire.length, iterations, salt)
        const expected = Buffer.from(nsec3Hash(name, { iterations, salt }, sha1))
        assert.deepEqual(
          [...hasher.words],
          [0, 4, 8, 12, 16].map((at) => expected.readInt32BE(at)),
        )
      }
    }
  }
})

test('only a label of 32 base 32 characters is a hash', () => {
  const read = (label: string) =>
    readHashLabel(Uint8Array.of(label.length, ...Buffer.from(label), 0), 0, new Int32Array(5))
  assert.equal(read('0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'), true)
  for (const label of ['0p9mhaveqvm6t7vbl5lop2u3t2rp3to', '0p9mhaveqvm6t7vbl5lop2u3t2rp3toz', 'www'])
    assert.equal(read(label), false)
})
