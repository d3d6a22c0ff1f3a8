/** A message as it goes over TCP: its length in two bytes before it (RFC 1035 §4.2.2), in one piece (RFC 7766 §8). */
export function frame(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(message.length + 2)
  framed[0] = message.length >> 8
  framed[1] = message.length & 0xff
  framed.set(message, 2)
  return framed
}

/** Takes a TCP stream apart into messages. */
export class FrameReader {
  #held: Buffer[] = []
  #heldBytes = 0
  /** Nothing can be whole before this many bytes are there, so a slow sender never makes us copy twice. */
  #neededBytes = 2

  /** The messages that are whole now. They may share memory with `chunk`. */
  feed(chunk: Buffer): Uint8Array[] {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < this.#neededBytes) return []
    let rest = this.#held.length === 1 ? chunk : Buffer.concat(this.#held)
    const messages: Uint8Array[] = []
    for (this.#neededBytes = 2; rest.length >= 2; this.#neededBytes = 2) {
      this.#neededBytes = 2 + rest.readUInt16BE(0)
      if (rest.length < this.#neededBytes) break
      messages.push(rest.subarray(2, this.#neededBytes))
      rest = rest.subarray(this.#neededBytes)
    }
    this.#held = rest.length === 0 ? [] : [rest]
    this.#heldBytes = rest.length
    return messages
  }
}
