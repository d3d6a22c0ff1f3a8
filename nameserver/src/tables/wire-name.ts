/** Names in wire form as the tables hold them: in lower case, compared and hashed four bytes at a time. */

/** Bytes of a name in wire form, the root included (RFC 1035 §2.3.4). */
export const maxNameBytes = 255
const maxLabels = 127

/** The first bytes of a word, by the number of them that belong to the name; a whole word for none. */
const wordMask = new Int32Array([-1, 0xff, 0xffff, 0xffffff])

/** Four bytes with A–Z in lower case; bytes of 0x80 and above stay as they are. */
export function lowerWord(word: number): number {
  const low = word & 0x7f7f7f7f
  // Bit 7 of each byte: set in the first sum from 'A' on, in the second from behind 'Z' on.
  const isUpper = ((low + 0x3f3f3f3f) | 0) & ~((low + 0x25252525) | 0) & ~word & 0x80808080
  return word | (isUpper >>> 2)
}

/**
 * The hash of the name of `length` bytes at `at`, in any case. Up to three bytes behind it are read, and do not count.
 *
 * Setting bit 5 of every byte makes a few more names equal than lower case would; that costs a comparison, no more.
 */
export function hashName(bytes: DataView, at: number, length: number, seed: number): number {
  let hash = seed ^ length
  const whole = at + (length & ~3)
  let next = at
  for (; next < whole; next += 4) {
    hash = Math.imul(hash ^ (bytes.getInt32(next, true) | 0x20202020), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  const rest = length & 3
  if (rest !== 0) {
    hash = Math.imul(hash ^ ((bytes.getInt32(next, true) | 0x20202020) & (wordMask[rest] ?? 0)), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
  return hash ^ (hash >>> 16)
}

/** Whether the name at `at`, in any case, is the lower-case one that begins at word `word` of a segment. */
export function equalsName(bytes: DataView, at: number, length: number, words: Int32Array, word: number): boolean {
  const whole = at + (length & ~3)
  let next = at
  let other = word
  for (; next < whole; next += 4, other++) {
    if (lowerWord(bytes.getInt32(next, true)) !== words[other]) return false
  }
  const rest = length & 3
  return rest === 0 || ((lowerWord(bytes.getInt32(next, true)) ^ (words[other] ?? 0)) & (wordMask[rest] ?? 0)) === 0
}

/** Whether two names of `length` bytes, both in any case, are the same. */
export function sameName(bytes: DataView, a: number, b: number, length: number): boolean {
  const whole = length & ~3
  for (let done = 0; done < whole; done += 4) {
    if (lowerWord(bytes.getInt32(a + done, true)) !== lowerWord(bytes.getInt32(b + done, true))) return false
  }
  const difference = lowerWord(bytes.getInt32(a + whole, true)) ^ lowerWord(bytes.getInt32(b + whole, true))
  return whole === length || (difference & (wordMask[length & 3] ?? 0)) === 0
}

const labelsOfA = new Uint8Array(maxLabels + 1)
const labelsOfB = new Uint8Array(maxLabels + 1)

/** Canonical order (RFC 4034 §6.1) of two lower-case names in wire form: negative, zero or positive. */
export function compareWireNames(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  let aLabels = labelStarts(a, aAt, labelsOfA)
  let bLabels = labelStarts(b, bAt, labelsOfB)
  while (aLabels > 0 && bLabels > 0) {
    const order = compareLabels(a, aAt + (labelsOfA[--aLabels] ?? 0), b, bAt + (labelsOfB[--bLabels] ?? 0))
    if (order !== 0) return order
  }
  return aLabels - bLabels
}

/** Fills in where each label begins, and returns how many there are, the root not counted. */
export function labelStarts(bytes: Uint8Array, at: number, starts: Uint8Array): number {
  let count = 0
  let next = at
  for (let size = bytes[next] ?? 0; size !== 0; size = bytes[next] ?? 0) {
    starts[count++] = next - at
    next += size + 1
  }
  return count
}

function compareLabels(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  const aSize = a[aAt] ?? 0
  const bSize = b[bAt] ?? 0
  const shared = Math.min(aSize, bSize)
  for (let index = 1; index <= shared; index++) {
    const difference = (a[aAt + index] ?? 0) - (b[bAt + index] ?? 0)
    if (difference !== 0) return difference
  }
  return aSize - bSize
}

/** How many bytes the two names have in common at their ends, counted in whole labels; at least the root's one. */
export function sharedSuffixBytes(a: Uint8Array, b: Uint8Array): number {
  let aLabels = labelStarts(a, 0, labelsOfA)
  let bLabels = labelStarts(b, 0, labelsOfB)
  let shared = 1
  while (aLabels > 0 && bLabels > 0) {
    const aStart = labelsOfA[--aLabels] ?? 0
    if (compareLabels(a, aStart, b, labelsOfB[--bLabels] ?? 0) !== 0) break
    shared = a.length - aStart
  }
  return shared
}
