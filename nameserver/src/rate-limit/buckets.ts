const [waysPerSet, bucketWords] = [4, 4]
// A set is the 64 bytes that the processor fetches at once.
const setWords = waysPerSet * bucketWords
const [tagAt, filledUntilAt, limitedAt] = [0, 1, 2]

/** How much memory the given number of buckets needs, in 32-bit words. The number of sets is a power of two. */
export function bucketTableWords(buckets: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(buckets / waysPerSet, 1))) * setWords
}

/**
 * A table of leaky buckets, looked up by a 32-bit tag. An answer adds a drop; a bucket holds as many drops as answers may be
 * sent in a second, and leaks at the same rate. Time is counted in drops: a bucket's only number says when it will be empty.
 *
 * The table is shared by all threads and never grows. The tag selects a set of four buckets. If all four have other
 * tags, the emptiest gets the new tag and keeps its drops, so crowding the table does not raise any limit.
 *
 * Drops are added by compare-and-exchange, so the limit holds over all threads together. Tags are plain writes: if two
 * threads take over the same bucket at once, one may add its drop to the other's bucket, and nothing worse happens.
 */
export class Buckets {
  readonly #table: Int32Array
  readonly #rate: number
  readonly #setMask: number
  /** Drops that a bucket would have leaked since 1970, modulo 2^32. */
  #now = 0

  /** `table` has `bucketTableWords` words of shared memory, zero at first; `rate` is in drops per second. */
  constructor(table: Int32Array, rate: number) {
    this.#table = table
    this.#rate = rate
    this.#setMask = table.length / setWords - 1
  }

  /** Sets the time, in milliseconds of a clock that all threads share. */
  tick(nowMs: number): void {
    const wholeS = Math.floor(nowMs / 1000)
    this.#now = (wholeS * this.#rate + Math.floor(((nowMs - wholeS * 1000) * this.#rate) / 1000)) | 0
  }

  /** Finds the bucket with this tag, or gives the tag to the emptiest bucket of its set. @returns its offset. */
  find(tag: number): number {
    const table = this.#table
    const set = (tag & this.#setMask) * setWords
    for (let bucket = set; bucket < set + setWords; bucket += bucketWords) {
      if (table[bucket + tagAt] === tag) return bucket
    }
    return this.#takeOver(set, tag)
  }

  #takeOver(set: number, tag: number): number {
    const table = this.#table
    let emptiest = set
    for (let bucket = set + bucketWords; bucket < set + setWords; bucket += bucketWords) {
      const [drops, fewest] = [table[bucket + filledUntilAt] ?? 0, table[emptiest + filledUntilAt] ?? 0]
      if (this.#dropsIn(drops) < this.#dropsIn(fewest)) emptiest = bucket
    }
    table[emptiest + tagAt] = tag
    return emptiest
  }

  /** The state of a bucket, for `isFull` and `fill`. */
  read(bucket: number): number {
    return this.#table[bucket + filledUntilAt] ?? 0
  }

  isFull(state: number): boolean {
    return this.#dropsIn(state) >= this.#rate
  }

  /** Adds a drop to a bucket that was read in this state. @returns false if the bucket is full. */
  fill(bucket: number, state: number): boolean {
    for (let seen = state; ; ) {
      const drops = this.#dropsIn(seen)
      if (drops >= this.#rate) return false
      const found = Atomics.compareExchange(this.#table, bucket + filledUntilAt, seen, (this.#now + drops + 1) | 0)
      if (found === seen) return true
      seen = found
    }
  }

  /** Counts an answer that was limited. @returns how many were counted before it. */
  countLimited(bucket: number): number {
    return Atomics.add(this.#table, bucket + limitedAt, 1)
  }

  #dropsIn(filledUntil: number): number {
    const drops = (filledUntil - this.#now) | 0
    // It has been empty for so long that the count has wrapped, or the clock went back.
    if (drops < 0 || drops > 2 * this.#rate) return 0
    // More than the bucket holds: a thread whose clock is slightly ahead has filled it.
    return Math.min(drops, this.#rate)
  }
}
