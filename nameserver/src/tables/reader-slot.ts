import { controlEpoch, controlReaderCount, controlReaders, maxReaders, readerStride } from './layout.ts'

/**
 * Where one thread tells the writer of the tables what it may still look at: the epoch in which it began its work, or
 * that it is idle. Memory that was freed since then waits for it.
 */
export class ReaderSlot {
  readonly #control: Int32Array
  readonly #at: number

  /** `reader` counts from 0 and is nobody else's. */
  constructor(control: Int32Array, reader: number) {
    if (reader >= maxReaders) throw new RangeError(`there can be ${maxReaders} readers at most`)
    this.#control = control
    this.#at = controlReaders + reader * readerStride
    for (let count = Atomics.load(control, controlReaderCount); count <= reader; ) {
      count = Atomics.compareExchange(control, controlReaderCount, count, reader + 1)
    }
  }

  /** From here on the tables may be read. */
  enter(): void {
    Atomics.store(this.#control, this.#at, Atomics.load(this.#control, controlEpoch))
  }

  /** Nothing of the tables is looked at any more: also what the writer says of a thread that has died. */
  leave(): void {
    Atomics.store(this.#control, this.#at, 0)
  }
}
