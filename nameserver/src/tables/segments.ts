import { randomFillSync } from 'node:crypto'
import { controlWords, maxSegments, segmentShift, unitBytes, unitOf } from './layout.ts'
import { hashKeyWords } from './wire-name.ts'

/** What another thread needs to read the tables. Pass it as worker data. Later segments follow in messages. */
export interface TablesHandle {
  readonly control: SharedArrayBuffer
  readonly segments: readonly SharedArrayBuffer[]
  /** The random keys of the name hash. Without them, no one can choose names that all have the same slot. */
  readonly hashKeys: SharedArrayBuffer
}

/** The full size is reserved immediately. Unused pages cost nothing, and reading a growable buffer is 17 times slower. */
export const usualSegmentBytes = 2 ** 30
const leastSegmentBytes = 2 ** 24

/** The shared memory of the tables as one thread sees it: a few large buffers that never move. */
export class Segments {
  readonly control: Int32Array
  /** The keys for `hashName`. */
  readonly hashKeys: Int32Array
  /** The segments as words. */
  readonly words: Int32Array[] = []
  /** The same memory as bytes. */
  readonly bytes: Uint8Array[] = []
  /** The same memory for values of any size at any offset. */
  readonly views: DataView[] = []
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
    this.views.push(new DataView(buffer))
  }

  /** Adds a segment. It has less than `bytes` if the system does not provide that much address space. */
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

  /** The words of the segment that contains `ref`. */
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
