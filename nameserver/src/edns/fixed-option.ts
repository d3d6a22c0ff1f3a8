/**
 * An EDNS option that is the same in every answer, ready to be copied.
 *
 * The options of an answer's OPT record are in this order: COOKIE, NSID, edns-tcp-keepalive. COOKIE is first because it is in
 * most answers and always 28 bytes long, so that everything before the variable part has fixed places. The others are included
 * only if the query had theirs, keepalive only over TCP. RFC 6891 §6.1.2 allows any order.
 */
export class FixedOption {
  readonly #bytes: Uint8Array

  /** `data` is what follows the code and the length. */
  constructor(code: number, data: Uint8Array) {
    this.#bytes = new Uint8Array(4 + data.length)
    const view = new DataView(this.#bytes.buffer)
    view.setUint16(0, code)
    view.setUint16(2, data.length)
    this.#bytes.set(data, 4)
  }

  /** Length of the whole option, to be kept free when an answer is truncated. */
  get length(): number {
    return this.#bytes.length
  }

  /** Copies it. @returns where it ends. */
  write(target: DataView, at: number): number {
    for (let index = 0; index < this.#bytes.length; index++) target.setUint8(at + index, this.#bytes[index] ?? 0)
    return at + this.#bytes.length
  }
}

const nsidCode = 3
const keepaliveCode = 11

/** The longest NSID that does not make every answer much larger. */
export const maxNsidBytes = 128

/** The name of this nameserver among several behind one address (RFC 5001). */
export function nsidOption(name: string): FixedOption {
  return new FixedOption(nsidCode, new TextEncoder().encode(name))
}

/** How long a TCP connection may be silent (RFC 7828), in tenths of a second. */
export function keepaliveOption(idleMs: number): FixedOption {
  const tenths = Math.min(Math.floor(idleMs / 100), 0xffff)
  return new FixedOption(keepaliveCode, Uint8Array.of(tenths >> 8, tenths & 0xff))
}
