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

/** Random words that `hashName` is keyed with: two sums, each with two words to begin with and two for every word of a name. */
export const hashKeyWords = 4 + 4 * Math.ceil(maxNameBytes / 4)

/**
 * The hash of the name of `length` bytes at `at`, in any case. Up to three bytes behind it are read, and do not count.
 *
 * Two sums of 16-bit pieces times keys, of which the upper halves are taken: multilinear hashing, strongly universal (Thorup 2015,
 * "High speed hashing for integers and strings", 3.4). Whoever does not know the keys finds no names that fall together more often
 * than by chance, which names of customers and of questions could otherwise be made to: a mixing function with a secret seed alone
 * has such names for every seed.
 *
 * Setting bit 5 of every byte makes a few more names equal than lower case would; that costs a comparison, no more.
 */
export function hashName(bytes: DataView, at: number, length: number, keys: Int32Array): number {
  let one = ((keys[0] ?? 0) + Math.imul(keys[1] ?? 0, length)) | 0
  let two = ((keys[2] ?? 0) + Math.imul(keys[3] ?? 0, length)) | 0
  const end = at + length
  for (let next = at, key = 4; next < end; next += 4, key += 4) {
    let word = bytes.getInt32(next, true) | 0x20202020
    if (end - next < 4) word &= wordMask[end - next] ?? 0
    const low = word & 0xffff
    const high = word >>> 16
    one = (one + Math.imul(keys[key] ?? 0, low) + Math.imul(keys[key + 1] ?? 0, high)) | 0
    two = (two + Math.imul(keys[key + 2] ?? 0, low) + Math.imul(keys[key + 3] ?? 0, high)) | 0
  }
  // Mixed once more, without loss: names in a row would stand in a row, too, and searches go from slot to slot.
  const hash = (one >>> 16) | (two & ~0xffff)
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
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
