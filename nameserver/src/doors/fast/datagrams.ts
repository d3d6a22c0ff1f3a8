import { slackBytes } from '../../tables/reply.ts'
import { scratchBytes } from '../../tables/resolver.ts'
import type { Libc } from './libc.ts'

/** How many datagrams are received or sent at once. */
export const batchSize = 64

/** Space for a query or a response, and for what is written past its end. Longer queries arrive truncated. */
const slotBytes = 2048
const queryBytes = slotBytes - slackBytes
if (queryBytes < 1232) throw new Error('a slot is too small')
const addressBytes = 28
const addressSlotBytes = 32
const vectorBytes = 16
const headerBytes = 64

// One slot separates what the kernel reads as addresses from the bytes that clients sent.
const vectorsAt = (batchSize + 1) * slotBytes
const headersAt = vectorsAt + batchSize * vectorBytes
const addressesAt = headersAt + batchSize * headerBytes
const spareAt = addressesAt + batchSize * addressSlotBytes
const spareBytes = 64

// Words within a struct mmsghdr and a struct iovec.
const headerWords = headerBytes / 4
const nameLengthWord = 2
const receivedWord = 14
const vectorWords = vectorBytes / 4
const vectorLengthWord = 2

/** Wait for the first datagram only (MSG_WAITFORONE). */
const waitForOne = 0x10000
const waitForNone = 0x40

/**
 * A batch of datagrams in one piece of memory. The kernel sees it as `struct mmsghdr`s, and this code as one `DataView`. Each datagram is answered in
 * place and sent back to its source.
 */
export class Datagrams {
  readonly view: DataView<ArrayBuffer>
  /** Spare bytes for a resolver. */
  readonly scratchAt = spareAt + spareBytes
  readonly #words: Int32Array
  readonly #libc: Libc
  /** The address of each header. Computed once, so that sending allocates nothing. */
  readonly #headers: bigint[]

  constructor(libc: Libc) {
    const memory = new ArrayBuffer(this.scratchAt + scratchBytes)
    const base = libc.addressOf(memory)
    const place = (offset: number) => base + BigInt(offset)
    this.#libc = libc
    this.view = new DataView(memory)
    this.#words = new Int32Array(memory)
    this.#headers = Array.from({ length: batchSize + 1 }, (_, index) => place(headersAt + index * headerBytes))
    for (let index = 0; index < batchSize; index++) {
      const vector = vectorsAt + index * vectorBytes
      const header = headersAt + index * headerBytes
      this.view.setBigUint64(vector, place(slotAt(index)), true)
      this.view.setBigUint64(header, place(addressAt(index)), true)
      this.view.setBigUint64(header + 16, place(vector), true)
      this.view.setBigUint64(header + 24, 1n, true)
    }
    this.reset(batchSize)
  }

  /** Waits for datagrams. @returns how many arrived; 0 or less if none arrived within the timeout of the socket. */
  receive(socket: number): number {
    return this.#libc.recvmmsg(socket, this.#headers[0] ?? 0n, batchSize, waitForOne, 0n)
  }

  /** Like `receive`, but without waiting. */
  receiveWaiting(socket: number): number {
    return this.#libc.recvmmsg(socket, this.#headers[0] ?? 0n, batchSize, waitForNone, 0n)
  }

  /** How long datagram `index` is. */
  lengthOf(index: number): number {
    return this.#words[headersAt / 4 + index * headerWords + receivedWord] ?? 0
  }

  /** Sets the length of datagram `index`, which is now a response. */
  setLength(index: number, length: number): void {
    this.#words[vectorsAt / 4 + index * vectorWords + vectorLengthWord] = length
  }

  /** Sends datagrams `from` up to `to`. @returns how many could not be sent. */
  send(socket: number, from: number, to: number): number {
    let lost = 0
    for (let next = from; next < to; ) {
      const sent = this.#libc.sendmmsg(socket, this.#headers[next] ?? 0n, to - next, 0)
      if (sent > 0) {
        next += sent
      } else {
        // A response that cannot be sent is lost like any other datagram: the client retries.
        lost++
        next++
      }
    }
    return lost
  }

  /** Prepares the first `count` slots for the next batch. */
  reset(count: number): void {
    for (let index = 0; index < count; index++) {
      this.setLength(index, queryBytes)
      this.#words[headersAt / 4 + index * headerWords + nameLengthWord] = addressBytes
    }
  }
}

/** The offset of datagram `index`. */
export function slotAt(index: number): number {
  return index * slotBytes
}

/** The offset of the socket address that datagram `index` came from. */
export function addressAt(index: number): number {
  return addressesAt + index * addressSlotBytes
}
