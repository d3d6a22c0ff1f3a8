import type { ClientLibc } from './client-socket.ts'

/** The number of messages that one system call sends or receives. */
export const batchSize = 64

const headerBytes = 64
const vectorBytes = 16
const receivedLengthWord = 14
const dontWait = 0x40

/** `struct mmsghdr`s and their vectors in one buffer, for a connected socket, whose messages need no addresses. */
export class MessageBatch {
  readonly #libc: ClientLibc
  readonly #words: Uint32Array
  readonly #headers: bigint

  constructor(libc: ClientLibc) {
    const memory = new ArrayBuffer(batchSize * (headerBytes + vectorBytes))
    const view = new DataView(memory)
    this.#libc = libc
    this.#words = new Uint32Array(memory)
    this.#headers = libc.addressOf(memory)
    for (let index = 0; index < batchSize; index++) {
      const vector = this.#headers + BigInt(batchSize * headerBytes + index * vectorBytes)
      view.setBigUint64(index * headerBytes + 16, vector, true)
      view.setBigUint64(index * headerBytes + 24, 1n, true)
    }
  }

  /** Message `index` is at this address of the process and has this many bytes, or this much space. */
  place(index: number, address: number, length: number): void {
    const word = (batchSize * headerBytes + index * vectorBytes) >> 2
    // An address has at most 47 bits, so a number can hold it and is cheap to split.
    this.#words[word] = address % 2 ** 32
    this.#words[word + 1] = Math.floor(address / 2 ** 32)
    this.#words[word + 2] = length
  }

  /** The length of the received message `index`. */
  lengthOf(index: number): number {
    return this.#words[((index * headerBytes) >> 2) + receivedLengthWord] ?? 0
  }

  /** @returns how many of the first `count` were sent. */
  send(socket: number, count: number): number {
    return Math.max(0, this.#libc.sendmmsg(socket, this.#headers, count, 0))
  }

  /** @returns how many messages were available; it does not wait for any. */
  receive(socket: number): number {
    return Math.max(0, this.#libc.recvmmsg(socket, this.#headers, batchSize, dontWait, 0n))
  }
}
