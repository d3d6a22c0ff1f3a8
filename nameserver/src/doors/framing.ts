/** The two-byte length in front of each message on TCP (RFC 1035 §4.2.2), in one piece with it (RFC 7766 §8). */
export function frame(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(message.length + 2)
  framed[0] = message.length >> 8
  framed[1] = message.length & 0xff
  framed.set(message, 2)
  return framed
}

/** Cuts a TCP stream into messages. Chunks are joined once a message is whole, so slow senders cost little. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0
  #needed = 2

  /** The messages that `chunk` completes, in order. They may share memory with it. */
  feed(chunk: Buffer): Uint8Array[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#needed) return []
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length)
    const messages: Uint8Array[] = []
    this.#needed = 2
    while (rest.length >= 2) {
      const end = 2 + rest.readUInt16BE(0)
      if (rest.length < end) {
        this.#needed = end
        break
      }
      messages.push(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#length = rest.length
    return messages
  }
}
