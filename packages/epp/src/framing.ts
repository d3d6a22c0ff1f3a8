import { EppFault } from './faults.ts'

const headerBytes = 4

/** The default maximum size of a frame. Real frames have a few kilobytes. */
export const usualMaxFrameBytes = 1_048_576

/** A document in the form for TCP, after its length, which includes the four bytes of the length itself (RFC 5734 §4). */
export function frame(document: Uint8Array): Uint8Array {
  const framed = new Uint8Array(document.length + headerBytes)
  new DataView(framed.buffer).setUint32(0, framed.length)
  framed.set(document, headerBytes)
  return framed
}

/**
 * Splits a TCP stream into documents. A length above the limit is refused as soon as it is read, before anything of the frame is kept. After that,
 * the stream cannot be used.
 */
export class FrameReader {
  readonly #maxBytes: number
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** No document can be complete before this many bytes have arrived. */
  #neededBytes = headerBytes

  constructor(maxBytes = usualMaxFrameBytes) {
    this.#maxBytes = maxBytes
  }

  /** Whether a frame has begun and is not complete. */
  get isAmidFrame(): boolean {
    return this.#heldBytes > 0
  }

  /** The documents that `chunk` completes, in order. They may share memory with it. Throws EppFault `bad_frame`. */
  feed(chunk: Uint8Array): Uint8Array[] {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < this.#neededBytes) return []
    let rest = this.#held.length === 1 ? chunk : joined(this.#held, this.#heldBytes)
    const documents: Uint8Array[] = []
    this.#neededBytes = headerBytes
    while (rest.length >= headerBytes) {
      const length = this.#lengthOf(rest)
      if (rest.length < length) {
        this.#neededBytes = length
        break
      }
      documents.push(rest.subarray(headerBytes, length))
      rest = rest.subarray(length)
    }
    this.#held = rest.length > 0 ? [rest] : []
    this.#heldBytes = rest.length
    return documents
  }

  #lengthOf(bytes: Uint8Array): number {
    const length = new DataView(bytes.buffer, bytes.byteOffset, headerBytes).getUint32(0)
    if (length <= headerBytes) throw new EppFault('bad_frame', `A frame of ${length} bytes holds no document.`)
    if (length > this.#maxBytes)
      throw new EppFault('bad_frame', `A frame of ${length} bytes is larger than the ${this.#maxBytes} that are read.`)
    return length
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
