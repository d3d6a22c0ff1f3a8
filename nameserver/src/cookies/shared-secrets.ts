const [versionAt, makingAt, acceptedAt, hasAcceptedAt, cells] = [0, 1, 5, 9, 10]
const secretWords = 4

/** A server secret is 128 bits (RFC 9018 §4.4). */
export const secretBytes = 16

/**
 * The server secrets that all threads of the nameserver share: the one that makes cookies, and another one that is
 * also accepted during a change of secrets (RFC 9018 §5).
 *
 * One thread sets them, any number of threads read them. A version that is odd during a change prevents a reader from
 * getting half of each.
 */
export class SharedSecrets {
  /** This thread's copy for `sipHash24`: four halves of the secret that makes cookies, then four of the other accepted one. */
  readonly keys = new Int32Array(2 * secretWords)
  hasAccepted = false
  readonly #shared: Int32Array
  #version = -1

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT)
  }

  constructor(shared: SharedArrayBuffer) {
    this.#shared = new Int32Array(shared)
  }

  /** Updates `keys`; costs one atomic load if nothing has changed. */
  follow(): void {
    if (Atomics.load(this.#shared, versionAt) !== this.#version) this.#copy()
  }

  /** Only the thread that owns the secrets may call this. Each secret has `secretBytes`. */
  set(making: Uint8Array, accepted?: Uint8Array): void {
    Atomics.add(this.#shared, versionAt, 1)
    this.#shared.set(wordsOf(making), makingAt)
    this.#shared.set(wordsOf(accepted ?? new Uint8Array(secretBytes)), acceptedAt)
    this.#shared[hasAcceptedAt] = accepted ? 1 : 0
    Atomics.add(this.#shared, versionAt, 1)
  }

  #copy(): void {
    for (;;) {
      const version = Atomics.load(this.#shared, versionAt)
      for (let at = 0; at < 2 * secretWords; at++) this.keys[at] = Atomics.load(this.#shared, makingAt + at)
      this.hasAccepted = Atomics.load(this.#shared, hasAcceptedAt) === 1
      const isWhole = (version & 1) === 0 && Atomics.load(this.#shared, versionAt) === version
      if (!isWhole) continue
      this.#version = version
      return
    }
  }
}

function wordsOf(secret: Uint8Array): Int32Array {
  const view = new DataView(secret.buffer, secret.byteOffset, secretBytes)
  return Int32Array.from({ length: secretWords }, (_, index) => view.getInt32(4 * index, true))
}
