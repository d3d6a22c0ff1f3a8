import type { Arena } from './arena.ts'
import { nodeName, wordOf } from './layout.ts'
import { byteOf, type Segments } from './segments.ts'
import { compareWireNames } from './wire-name.ts'

/**
 * The names of a zone in canonical order (RFC 4034 §6.1): a block of references to names, or, in a large zone, a block
 * of references to such blocks. Each block says how many references it has, how many it has room for, and its level.
 */
const blockCount = 0
const blockRoom = 1
const blockRefs = 2
const branchBit = 0x40000000

/** Inserting a name moves the references after it, on average half a block, which is 1 KiB. */
const leafRoom = 512
const leastRoom = 4

/** Creates an order from sorted names. @returns the reference of its root block. */
export function buildOrder(arena: Arena, names: readonly number[]): number {
  if (names.length <= leafRoom) return newBlock(arena, names, names.length, 0)
  const leaves: number[] = []
  // Blocks start three quarters full, because names may be inserted.
  const size = (leafRoom * 3) >> 2
  for (let from = 0; from < names.length; from += size) {
    leaves.push(newBlock(arena, names.slice(from, from + size), leafRoom, 0))
  }
  return newBlock(arena, leaves, leaves.length, branchBit)
}

/** The references of the names, in order. */
export function* inOrder(segments: Segments, root: number): Generator<number> {
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  for (let index = 0; index < (words[at + blockCount] ?? 0); index++) {
    const ref = (words[at + blockRefs + index] ?? 0) >>> 0
    if (((words[at + blockRoom] ?? 0) & branchBit) === 0) yield ref
    else yield* inOrder(segments, ref)
  }
}

/** The name after `name` in the order, or 0 after the last one. `name` itself need not exist. */
export function nameAfter(segments: Segments, root: number, name: Uint8Array): number {
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  if (!isBranch(words, at)) return orderRef(words, at, positionBehind(segments, root, name))
  const child = Math.max(positionBehind(segments, root, name) - 1, 0)
  const found = nameAfter(segments, orderRef(words, at, child), name)
  if (found !== 0 || child + 1 >= (words[at + blockCount] ?? 0)) return found
  return nameAfter(segments, orderRef(words, at, child + 1), name)
}

/** The references of the names after `name` in one block, or of the first names if `name` is missing. None after the last name. */
export function refsAfter(segments: Segments, root: number, name: Uint8Array | undefined): number[] {
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  const position = name === undefined ? 0 : positionBehind(segments, root, name)
  const count = orderCount(words, at)
  if (!isBranch(words, at))
    return Array.from({ length: count - position }, (_, index) => orderRef(words, at, position + index))
  const child = Math.max(position - 1, 0)
  const found = refsAfter(segments, orderRef(words, at, child), name)
  return found.length > 0 || child + 1 >= count ? found : refsAfter(segments, orderRef(words, at, child + 1), name)
}

/** The reference of `name`, or 0. */
export function nameInOrder(segments: Segments, root: number, name: Uint8Array): number {
  const index = positionBehind(segments, root, name) - 1
  if (index < 0) return 0
  const ref = orderRef(segments.wordsOf(root), wordOf(root), index)
  if (isBranch(segments.wordsOf(root), wordOf(root))) return nameInOrder(segments, ref, name)
  return compareWireNames(segments.bytesOf(ref), byteOf(ref) + nodeName * 4, name, 0) === 0 ? ref : 0
}

/** Inserts the name of `ref`. Returns the root block, which may be a new one. */
export function insertInOrder(arena: Arena, root: number, ref: number, name: Uint8Array): number {
  const { segments } = arena
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  if (!isBranch(words, at)) {
    const [left, right] = insertRef(arena, root, positionBehind(segments, root, name), ref)
    return right === 0 ? left : newBlock(arena, [left, right], leastRoom, branchBit)
  }
  const child = Math.max(positionBehind(segments, root, name) - 1, 0)
  const leaf = orderRef(words, at, child)
  const [left, right] = insertRef(arena, leaf, positionBehind(segments, leaf, name), ref)
  words[at + blockRefs + child] = left
  if (right === 0) return root
  const [same] = insertRef(arena, root, child + 1, right)
  return same
}

/** Replaces the block with the same name by `ref`. */
export function replaceInOrder(segments: Segments, root: number, ref: number, name: Uint8Array): void {
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  const index = positionBehind(segments, root, name) - 1
  if (isBranch(words, at)) replaceInOrder(segments, orderRef(words, at, index), ref, name)
  else words[at + blockRefs + index] = ref
}

/** Removes a name, which must exist. The apex stays, so the root block is never empty. */
export function removeFromOrder(arena: Arena, root: number, name: Uint8Array): void {
  const { segments } = arena
  const words = segments.wordsOf(root)
  const at = wordOf(root)
  const index = positionBehind(segments, root, name) - 1
  if (isBranch(words, at)) {
    const leaf = orderRef(words, at, index)
    removeFromOrder(arena, leaf, name)
    if ((segments.wordsOf(leaf)[wordOf(leaf) + blockCount] ?? 0) > 0) return
    retireBlock(arena, leaf)
  }
  const count = words[at + blockCount] ?? 0
  words.copyWithin(at + blockRefs + index, at + blockRefs + index + 1, at + blockRefs + count)
  words[at + blockCount] = count - 1
}

/** Frees all blocks of an order. */
export function retireOrder(arena: Arena, root: number): void {
  const words = arena.segments.wordsOf(root)
  const at = wordOf(root)
  if (isBranch(words, at)) {
    for (let index = 0; index < (words[at + blockCount] ?? 0); index++) retireBlock(arena, orderRef(words, at, index))
  }
  retireBlock(arena, root)
}

/** How many references of the block are at or before `name`; a branch counts by its first name. */
function positionBehind(segments: Segments, block: number, name: Uint8Array): number {
  const words = segments.wordsOf(block)
  const at = wordOf(block)
  const isAbove = isBranch(words, at)
  let [low, high] = [0, words[at + blockCount] ?? 0]
  while (low < high) {
    const middle = (low + high) >> 1
    let ref = orderRef(words, at, middle)
    if (isAbove) ref = orderRef(segments.wordsOf(ref), wordOf(ref), 0)
    if (compareWireNames(segments.bytesOf(ref), byteOf(ref) + nodeName * 4, name, 0) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts a reference into one block. The block may move or be split. */
function insertRef(arena: Arena, block: number, index: number, ref: number): [block: number, second: number] {
  const words = arena.segments.wordsOf(block)
  const at = wordOf(block)
  const count = words[at + blockCount] ?? 0
  const level = (words[at + blockRoom] ?? 0) & branchBit
  const room = roomOf(words, at)
  if (count < room) {
    words.copyWithin(at + blockRefs + index + 1, at + blockRefs + index, at + blockRefs + count)
    words[at + blockRefs + index] = ref
    words[at + blockCount] = count + 1
    return [block, 0]
  }
  const refs = Array.from({ length: count }, (_, each) => orderRef(words, at, each))
  refs.splice(index, 0, ref)
  retireBlock(arena, block)
  if (level !== 0 || count < leafRoom) {
    const grown = Math.max(leastRoom, count + (count >> 1) + 1)
    return [newBlock(arena, refs, level === 0 ? Math.min(grown, leafRoom) : grown, level), 0]
  }
  const half = refs.length >> 1
  return [newBlock(arena, refs.slice(0, half), leafRoom, level), newBlock(arena, refs.slice(half), leafRoom, level)]
}

function newBlock(arena: Arena, refs: readonly number[], room: number, level: number): number {
  const block = arena.allocate(blockBytes(room))
  const words = arena.segments.wordsOf(block)
  const at = wordOf(block)
  words[at + blockCount] = refs.length
  words[at + blockRoom] = room | level
  words.set(refs, at + blockRefs)
  return block
}

function retireBlock(arena: Arena, block: number): void {
  arena.retire(block, blockBytes(roomOf(arena.segments.wordsOf(block), wordOf(block))))
}

function blockBytes(room: number): number {
  return (blockRefs + room) * 4
}

function roomOf(words: Int32Array, at: number): number {
  return (words[at + blockRoom] ?? 0) & ~branchBit
}

/** Whether a block has references to other blocks of an order. */
export function isBranch(words: Int32Array, at: number): boolean {
  return ((words[at + blockRoom] ?? 0) & branchBit) !== 0
}

/** How many references a block of an order has. */
export function orderCount(words: Int32Array, at: number): number {
  return words[at + blockCount] ?? 0
}

/** One of them; 0 after the last. */
export function orderRef(words: Int32Array, at: number, index: number): number {
  return index < (words[at + blockCount] ?? 0) ? (words[at + blockRefs + index] ?? 0) >>> 0 : 0
}
