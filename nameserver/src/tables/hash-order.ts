import type { Arena } from './arena.ts'
import { nodeName, noRef, wordOf } from './layout.ts'
import { compareHashes, hashWords, readHashLabel } from './name-hash.ts'
import { byteOf, type Segments } from './segments.ts'

/**
 * The NSEC3 records of a zone by hash. Hashes are spread evenly, so the first bits of a hash determine its leaf. The root has the references of its
 * leaves. A leaf has pairs of the first word of a hash and the reference of its name.
 *
 * Words of a root: the number of bits that select a leaf, then the leaves. Words of a leaf: the number of its pairs, its capacity in pairs, then the
 * pairs.
 */
const rootBits = 0
const rootLeaves = 1
const leafCount = 0
const leafRoom = 1
const leafPairs = 2

/** Maximum number of pairs of a leaf. A new leaf has half as many. If a leaf is full, the next pair creates a new root. */
const largestLeaf = 512
const leastRoom = 4

/** A name of NSEC3 and its hash. */
export interface HashedRef {
  readonly hash: Int32Array
  readonly ref: number
}

/** A new order of names. @returns the reference of its root. */
export function buildHashOrder(arena: Arena, names: readonly HashedRef[]): number {
  let bits = 0
  while (names.length >> bits > largestLeaf / 2) bits++
  const leaves: HashedRef[][] = Array.from({ length: 1 << bits }, () => [])
  for (const name of names) leaves[leafIndex(name.hash[0] ?? 0, bits)]?.push(name)
  const root = arena.allocate(rootBytes(bits))
  const words = arena.segments.wordsOf(root)
  const at = wordOf(root)
  words[at + rootBits] = bits
  for (const [index, leaf] of leaves.entries()) {
    leaf.sort((a, b) => compareHashes(a.hash, 0, b.hash, 0))
    words[at + rootLeaves + index] = newLeaf(arena, leaf, names.length > largestLeaf ? leaf.length >> 2 : 0)
  }
  return root
}

/** The references of the names, in the order of their hashes. */
export function* inHashOrder(segments: Segments, root: number): Generator<number> {
  if (root === noRef) return
  for (const leaf of leavesOf(segments, root)) {
    const words = segments.wordsOf(leaf)
    const at = wordOf(leaf)
    for (let pair = 0; pair < (words[at + leafCount] ?? 0); pair++) yield refAt(words, at, pair)
  }
}

/** The references of the leaf with the hashes that begin with `first`, and the beginning of the hashes in the next leaf; none after the last leaf. */
export function hashLeaf(
  segments: Segments,
  root: number,
  first: number,
): { readonly refs: readonly number[]; readonly next: number | undefined } {
  if (root === noRef) return { refs: [], next: undefined }
  const rootWords = segments.wordsOf(root)
  const bits = rootWords[wordOf(root) + rootBits] ?? 0
  const index = leafIndex(first, bits)
  const leaf = (rootWords[wordOf(root) + rootLeaves + index] ?? 0) >>> 0
  const words = segments.wordsOf(leaf)
  const at = wordOf(leaf)
  const refs = Array.from({ length: words[at + leafCount] ?? 0 }, (_, pair) => refAt(words, at, pair))
  return { refs, next: index + 1 < 1 << bits ? (index + 1) * 2 ** (32 - bits) : undefined }
}

/** Searches for hashes in one thread, without allocating. */
export class HashFinder {
  readonly #segments: Segments
  readonly #wordsOf: (ref: number) => Int32Array
  /** Whether the name that was found last has exactly the searched hash. */
  isExact = false
  readonly #label = new Int32Array(hashWords)

  /** `wordsOf` also fetches a segment that the thread has not been given yet. */
  constructor(segments: Segments, wordsOf: (ref: number) => Int32Array = (ref) => segments.wordsOf(ref)) {
    this.#segments = segments
    this.#wordsOf = wordsOf
  }

  /** The name with the hash at `at`, or with the closest hash before it. Before the first hash, it is the last name of the zone (RFC 5155 §1.3). */
  find(root: number, hash: Int32Array, at: number): number {
    this.isExact = false
    if (root === noRef) return noRef
    const words = this.#wordsOf(root)
    const rootAt = wordOf(root)
    const bits = words[rootAt + rootBits] ?? 0
    const index = leafIndex(hash[at] ?? 0, bits)
    const first = (words[rootAt + rootLeaves + index] ?? 0) >>> 0
    const place = this.placeBehind(first, hash, at)
    if (place > 0) return refAt(this.#wordsOf(first), wordOf(first), place - 1)
    const mask = (1 << bits) - 1
    for (let before = 1; before <= mask + 1; before++) {
      const leaf = (words[rootAt + rootLeaves + ((index - before) & mask)] ?? 0) >>> 0
      const leafWords = this.#wordsOf(leaf)
      const count = leafWords[wordOf(leaf) + leafCount] ?? 0
      if (count > 0) return refAt(leafWords, wordOf(leaf), count - 1)
    }
    return noRef
  }

  /** How many names of a leaf have the hash at `at` or one before it. */
  placeBehind(leaf: number, hash: Int32Array, at: number): number {
    const words = this.#wordsOf(leaf)
    const leafAt = wordOf(leaf)
    const wanted = (hash[at] ?? 0) >>> 0
    let [low, high] = [0, words[leafAt + leafCount] ?? 0]
    while (low < high) {
      const middle = (low + high) >> 1
      let order = ((words[leafAt + leafPairs + middle * 2] ?? 0) >>> 0) - wanted
      if (order === 0) {
        order = this.#compare(refAt(words, leafAt, middle), hash, at)
        if (order === 0) this.isExact = true
      }
      if (order <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(ref: number, hash: Int32Array, at: number): number {
    this.#wordsOf(ref)
    readHashLabel(this.#segments.bytesOf(ref), byteOf(ref) + nodeName * 4, this.#label)
    return compareHashes(this.#label, 0, hash, at)
  }
}

/** Inserts a name. @returns the root, which may be a new one. */
export function insertHash(arena: Arena, root: number, { hash, ref }: HashedRef): number {
  if (root === noRef) return buildHashOrder(arena, [{ hash, ref }])
  const { segments } = arena
  const rootWords = segments.wordsOf(root)
  const slot = slotOf(segments, root, hash)
  const leaf = (rootWords[slot] ?? 0) >>> 0
  const words = segments.wordsOf(leaf)
  const at = wordOf(leaf)
  const count = words[at + leafCount] ?? 0
  const place = new HashFinder(segments).placeBehind(leaf, hash, 0)
  if (count >= largestLeaf) {
    const all = Array.from(inHashOrder(segments, root), (each) => ({ hash: hashOf(segments, each), ref: each }))
    const grown = buildHashOrder(arena, [...all, { hash, ref }])
    retireHashOrder(arena, root)
    return grown
  }
  if (count < (words[at + leafRoom] ?? 0)) {
    const from = at + leafPairs + place * 2
    words.copyWithin(from + 2, from, at + leafPairs + count * 2)
    words[from] = hash[0] ?? 0
    words[from + 1] = ref
    words[at + leafCount] = count + 1
    return root
  }
  const pairs = Array.from({ length: count }, (_, each) => {
    const there = refAt(words, at, each)
    return { hash: hashOf(segments, there), ref: there }
  })
  pairs.splice(place, 0, { hash, ref })
  rootWords[slot] = newLeaf(arena, pairs, (count >> 1) + 1)
  retireLeaf(arena, leaf)
  return root
}

/** Replaces the name with the same hash, which must exist, by `ref`. */
export function replaceHash(segments: Segments, root: number, { hash, ref }: HashedRef): void {
  const leaf = (segments.wordsOf(root)[slotOf(segments, root, hash)] ?? 0) >>> 0
  const place = new HashFinder(segments).placeBehind(leaf, hash, 0) - 1
  segments.wordsOf(leaf)[wordOf(leaf) + leafPairs + place * 2 + 1] = ref
}

/** Removes the name of a hash, which must exist. @returns the root, or 0 if nothing is left. */
export function removeHash(arena: Arena, root: number, hash: Int32Array): number {
  const { segments } = arena
  const leaf = (segments.wordsOf(root)[slotOf(segments, root, hash)] ?? 0) >>> 0
  const words = segments.wordsOf(leaf)
  const at = wordOf(leaf)
  const count = words[at + leafCount] ?? 0
  const from = at + leafPairs + (new HashFinder(segments).placeBehind(leaf, hash, 0) - 1) * 2
  words.copyWithin(from, from + 2, at + leafPairs + count * 2)
  words[at + leafCount] = count - 1
  if (count > 1 || !inHashOrder(segments, root).next().done) return root
  retireHashOrder(arena, root)
  return noRef
}

/** Frees all blocks of an order. */
export function retireHashOrder(arena: Arena, root: number): void {
  if (root === noRef) return
  for (const leaf of leavesOf(arena.segments, root)) retireLeaf(arena, leaf)
  arena.retire(root, rootBytes(arena.segments.wordsOf(root)[wordOf(root) + rootBits] ?? 0))
}

/** The hash that the name of a block states. */
function hashOf(segments: Segments, ref: number): Int32Array {
  const hash = new Int32Array(hashWords)
  readHashLabel(segments.bytesOf(ref), byteOf(ref) + nodeName * 4, hash)
  return hash
}

function leavesOf(segments: Segments, root: number): number[] {
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  return Array.from(
    { length: 1 << (words[at + rootBits] ?? 0) },
    (_, leaf) => (words[at + rootLeaves + leaf] ?? 0) >>> 0,
  )
}

/** The position of the leaf of a hash in the root. */
function slotOf(segments: Segments, root: number, hash: Int32Array): number {
  const bits = segments.wordsOf(root)[wordOf(root) + rootBits] ?? 0
  return wordOf(root) + rootLeaves + leafIndex(hash[0] ?? 0, bits)
}

function newLeaf(arena: Arena, names: readonly HashedRef[], more: number): number {
  const room = Math.max(leastRoom, names.length + more)
  const leaf = arena.allocate(leafBytes(room))
  const words = arena.segments.wordsOf(leaf)
  const at = wordOf(leaf)
  words[at + leafCount] = names.length
  words[at + leafRoom] = room
  for (const [index, { hash, ref }] of names.entries()) {
    words[at + leafPairs + index * 2] = hash[0] ?? 0
    words[at + leafPairs + index * 2 + 1] = ref
  }
  return leaf
}

function retireLeaf(arena: Arena, leaf: number): void {
  arena.retire(leaf, leafBytes(arena.segments.wordsOf(leaf)[wordOf(leaf) + leafRoom] ?? 0))
}

/** The first bits of a hash. With 0 bits, all hashes are in one leaf. */
function leafIndex(first: number, bits: number): number {
  return bits === 0 ? 0 : first >>> (32 - bits)
}

function refAt(words: Int32Array, leafAt: number, pair: number): number {
  return (words[leafAt + leafPairs + pair * 2 + 1] ?? 0) >>> 0
}

function rootBytes(bits: number): number {
  return (rootLeaves + (1 << bits)) * 4
}

function leafBytes(room: number): number {
  return (leafPairs + room * 2) * 4
}
