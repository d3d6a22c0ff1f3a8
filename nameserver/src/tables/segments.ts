import { randomFillSync } from 'node:crypto'
import { controlWords, maxSegments, segmentShift, unitBytes, unitOf } from './layout.ts'
import { hashKeyWords } from './wire-name.ts'

/** What another thread needs to read the tables: hand it over as worker data. Later segments follow by message. */
export interface TablesHandle {
  readonly control: SharedArrayBuffer
  readonly segments: readonly SharedArrayBuffer[]
  /** What names are hashed with: random, so that nobody can prepare names that all fall into one slot. */
  readonly hashKeys: SharedArrayBuffer
}

/** Reserved at once. Pages that are not touched cost nothing, while a buffer that grows is read 17 times slower. */
export const usualSegmentBytes = 2 ** 30
const leastSegmentBytes = 2 ** 24

/** The shared memory of the tables as one thread sees it: a few large buffers that never move. */
export class Segments {
  readonly control: Int32Array
  /** For `hashName`. */
  readonly hashKeys: Int32Array
  /** Each segment as words. */
  readonly words: Int32Array[] = []
  /** The same memory as bytes. */
  readonly bytes: Uint8Array[] = []
  readonly #buffers: SharedArrayBuffer[] = []
  readonly #control: SharedArrayBuffer
  readonly #hashKeys: SharedArrayBuffer

  constructor({ control, segments, hashKeys }: TablesHandle) {
    this.#control = control
    this.control = new Int32Array(control)
    this.#hashKeys = hashKeys
    this.hashKeys = new Int32Array(hashKeys)
    for (const buffer of segments) this.add(buffer)
  }

  static create(): Segments {
    const hashKeys = new SharedArrayBuffer(hashKeyWords * 4)
    randomFillSync(new Int32Array(hashKeys))
    return new Segments({ control: new SharedArrayBuffer(controlWords * 4), segments: [], hashKeys })
  }

  get handle(): TablesHandle {
    return { control: this.#control, segments: [...this.#buffers], hashKeys: this.#hashKeys }
  }

  add(buffer: SharedArrayBuffer): void {
    this.#buffers.push(buffer)
    this.words.push(new Int32Array(buffer))
    this.bytes.push(new Uint8Array(buffer))
  }

  /** Another segment, of less than `bytes` where the system does not give as much address space. */
  reserve(bytes: number): SharedArrayBuffer {
    if (this.#buffers.length === maxSegments) throw new Error('the tables are full')
    for (let size = bytes; ; size /= 2) {
      try {
        const buffer = new SharedArrayBuffer(size)
        this.add(buffer)
        return buffer
      } catch (error) {
        if (!(error instanceof RangeError) || size / 2 < leastSegmentBytes) throw error
      }
    }
  }

  /** The words of the segment that `ref` lies in. */
  wordsOf(ref: number): Int32Array {
    const words = this.words[ref >>> segmentShift]
    if (words === undefined) throw new Error(`segment ${ref >>> segmentShift} is not here`)
    return words
  }

  bytesOf(ref: number): Uint8Array {
    const bytes = this.bytes[ref >>> segmentShift]
    if (bytes === undefined) throw new Error(`segment ${ref >>> segmentShift} is not here`)
    return bytes
  }
}

/** The offset in bytes of a reference within its segment. */
export function byteOf(ref: number): number {
  return unitOf(ref) * unitBytes
}
