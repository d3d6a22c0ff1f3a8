/** A message in the form for TCP: after its length in two bytes (RFC 1035 §4.2.2), and in one piece (RFC 7766 §8). */
export function frame(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(message.length + 2)
  framed[0] = message.length >> 8
  framed[1] = message.length & 0xff
  framed.set(message, 2)
  return framed
}

/** Splits a TCP stream into messages. Chunks are joined once a message is complete, so slow senders cost little. */
export class FrameReader {
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** No message can be complete before this many bytes have arrived. */
  #neededBytes = 2

  /** The messages that `chunk` completes, in order. They may share memory with it. */
  feed(chunk: Uint8Array): Uint8Array[] {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < this.#neededBytes) return []
    let rest = this.#held.length === 1 ? chunk : join(this.#held, this.#heldBytes)
    const messages: Uint8Array[] = []
    this.#neededBytes = 2
    while (rest.length >= 2) {
      const end = 2 + (((rest[0] ?? 0) << 8) | (rest[1] ?? 0))
      if (rest.length < end) {
        this.#neededBytes = end
        break
      }
      messages.push(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
    this.#held = rest.length > 0 ? [rest] : []
    this.#heldBytes = rest.length
    return messages
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    joined.set(chunk, at)
    at += chunk.length
  }
  return joined
}
