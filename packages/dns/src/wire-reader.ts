import { DnsFault, type FaultCode } from './faults.ts'
import { type DomainName, maxLabelBytes, maxNameBytes } from './name.ts'
import { PointedNames, scanName } from './name-wire.ts'

/**
 * A bounded cursor over bytes in network order. Reading past `end` throws a `DnsFault` with the given code, so that a
 * truncated message can be distinguished from bad record data.
 */
export class WireReader {
  readonly wire: Uint8Array
  readonly end: number
  readonly code: FaultCode
  at: number
  /** Set if the bytes belong to a message, so that names may be compressed. */
  readonly #pointed: PointedNames | undefined

  constructor(wire: Uint8Array, at = 0, end = wire.length, code: FaultCode = 'bad_rdata', pointed?: PointedNames) {
    this.wire = wire
    this.at = at
    this.end = end
    this.code = code
    this.#pointed = pointed
  }

  /** A reader for a whole message. Its faults have the code `bad_message`. */
  static ofMessage(wire: Uint8Array): WireReader {
    return new WireReader(wire, 0, wire.length, 'bad_message', new PointedNames())
  }

  get left(): number {
    return this.end - this.at
  }

  u8(): number {
    const at = this.skip(1)
    return this.wire[at] ?? 0
  }

  u16(): number {
    const at = this.skip(2)
    return ((this.wire[at] ?? 0) << 8) | (this.wire[at + 1] ?? 0)
  }

  u32(): number {
    return this.u16() * 0x10000 + this.u16()
  }

  u48(): number {
    return this.u16() * 0x100000000 + this.u32()
  }

  /** The next `length` bytes, as a view. */
  bytes(length: number): Uint8Array {
    const at = this.skip(length)
    return this.wire.subarray(at, at + length)
  }

  /** A reader for only the next `length` bytes. */
  part(length: number): WireReader {
    const at = this.skip(length)
    return new WireReader(this.wire, at, at + length, this.code, this.#pointed)
  }

  /** Advances, and returns the previous position. */
  skip(length: number): number {
    const at = this.at
    if (at + length > this.end) throw new DnsFault(this.code, 'The data ends too early.')
    this.at = at + length
    return at
  }

  /** Reads a name. In a message, it may point to any earlier position in `wire`. */
  name(): DomainName {
    const found = scanName(this.wire, this.at, this.end, this.#pointed)
    if (typeof found === 'string') throw new DnsFault(this.code, found)
    this.at = found.next
    return found.name
  }

  /** A name that is never compressed, not even in a message. */
  uncompressedName(): DomainName {
    const found = scanName(this.wire, this.at, this.end)
    if (typeof found === 'string') throw new DnsFault(this.code, found)
    this.at = found.next
    return found.name
  }

  /** Skips an uncompressed name without decoding its text. */
  skipName(): void {
    let at = this.at
    for (let size = this.wire[at] ?? 0; size > 0 && size <= maxLabelBytes; size = this.wire[at] ?? 0) at += size + 1
    const isWhole = at < this.end && this.wire[at] === 0 && at - this.at < maxNameBytes
    if (isWhole) this.at = at + 1
    else this.uncompressedName() // Throws with the reason.
  }
}
