import { controlEpoch, controlReaderCount, controlReaders, maxReaders, readerStride } from './layout.ts'

/**
 * The slot in which one thread announces to the writer of the tables what it may still read: the epoch in which it began its work, or that it is
 * idle. Memory that was freed since then is not reused until the thread moves on.
 */
export class ReaderSlot {
  readonly #control: Int32Array
  readonly #at: number

  /** `reader` counts from 0, and is different for each thread. */
  constructor(control: Int32Array, reader: number) {
    if (reader >= maxReaders) throw new RangeError(`there can be ${maxReaders} readers at most`)
    this.#control = control
    this.#at = controlReaders + reader * readerStride
    for (let count = Atomics.load(control, controlReaderCount); count <= reader; ) {
      count = Atomics.compareExchange(control, controlReaderCount, count, reader + 1)
    }
  }

  /** From now on, the thread may read the tables. */
  enter(): void {
    Atomics.store(this.#control, this.#at, Atomics.load(this.#control, controlEpoch))
  }

  /** From now on, the thread does not read the tables. The writer also calls this for a thread that has died. */
  leave(): void {
    Atomics.store(this.#control, this.#at, 0)
  }
}
