/** Names in wire form as the tables store them: in lower case, compared and hashed four bytes at a time. */

/** Bytes of a name in wire form, the root included (RFC 1035 §2.3.4). */
export const maxNameBytes = 255
const maxLabels = 127

/** Masks for the first bytes of a word, by the number of bytes that belong to the name; the whole word for 0. */
const wordMask = new Int32Array([-1, 0xff, 0xffff, 0xffffff])

/** Four bytes with A–Z in lower case; bytes of 0x80 and above stay as they are. */
export function lowerWord(word: number): number {
  const low = word & 0x7f7f7f7f
  // Bit 7 of each byte is set in the first sum if the byte is 'A' or higher, and in the second if it is higher than 'Z'.
  const isUpper = ((low + 0x3f3f3f3f) | 0) & ~((low + 0x25252525) | 0) & ~word & 0x80808080
  return word | (isUpper >>> 2)
}

/** How many random words `hashName` needs as its key: two sums, each with two initial words and two for every word of a name. */
export const hashKeyWords = 4 + 4 * Math.ceil(maxNameBytes / 4)

/**
 * The hash of the name of `length` bytes at `at`, in any case. Up to three bytes after it are read, but do not affect the hash.
 *
 * It computes two sums of 16-bit pieces times keys, and uses their upper halves. This is multilinear hashing, which is strongly universal (Thorup
 * 2015, "High speed hashing for integers and strings", 3.4). Without the keys, no one can choose names of records or queries that collide more often
 * than by chance. A mixing function with only a secret seed does not ensure this, because it has such names for every seed.
 *
 * Setting bit 5 of every byte gives a few more names the same hash than lower case would. This costs only a comparison.
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
  // Mix the bits once more, without losing any. Otherwise, consecutive names would have consecutive slots, and searches probe one slot after the
  // other.
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

/** Writes the offset of each label, and returns the number of labels without the root. */
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

/** How many bytes the two names have in common at their ends, counted in whole labels; at least 1, for the root. */
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
