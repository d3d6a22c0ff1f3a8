import { DnsFault, type FaultCode } from './faults.ts'
import { type DomainName, scanName } from './name.ts'

/**
 * A bounded cursor over bytes in network order. Reading past `end` throws a `DnsFault` of the code given, so that a cut
 * message and bad record data are told apart.
 */
export class WireReader {
  readonly wire: Uint8Array
  readonly end: number
  readonly code: FaultCode
  at: number

  constructor(wire: Uint8Array, at = 0, end = wire.length, code: FaultCode = 'bad_rdata') {
    this.wire = wire
    this.at = at
    this.end = end
    this.code = code
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

  /** Moves on and returns where it was. */
  skip(length: number): number {
    const at = this.at
    if (at + length > this.end) throw new DnsFault(this.code, 'The data ends too early.')
    this.at = at + length
    return at
  }

  /** A name; one that may point does so to anywhere before it in `wire`. */
  name(mayPoint = false): DomainName {
    const read = scanName(this.wire, this.at, this.end, mayPoint)
    if (typeof read === 'string') throw new DnsFault(this.code, read)
    this.at = read.next
    return read.name
  }

  /** Steps over an uncompressed name without reading its text. */
  skipName(): void {
    this.name(false)
  }
}
