import { type DomainName, dotAfter, maxNameBytes, rootName } from './name.ts'
import { putLabel, putName } from './name-wire.ts'

/** A compression pointer has 14 bits (RFC 1035 §4.1.4). */
const pointerReach = 0x4000

/** A growing buffer in network order, with name compression for messages. */
export class WireWriter {
  length = 0
  #bytes: Uint8Array
  /** The positions of each name and its parents. Set once a name was compressed. */
  #offsets: Map<string, number> | undefined
  /** The same, oldest first. */
  readonly #written: { suffix: string; at: number }[] = []

  constructor(capacity = 128) {
    this.#bytes = new Uint8Array(capacity)
  }

  u8(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  u16(value: number): void {
    this.#reserve(2)
    this.#bytes[this.length++] = value >>> 8
    this.#bytes[this.length++] = value
  }

  u32(value: number): void {
    this.u16(value >>> 16)
    this.u16(value & 0xffff)
  }

  /** Seconds of TSIG (RFC 8945 §4.2); exact up to 2⁴⁸ − 1. */
  u48(value: number): void {
    this.u16(Math.floor(value / 0x100000000))
    this.u32(value % 0x100000000)
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.length)
    this.length += value.length
  }

  /** Overwrites two bytes written before, such as a length known only afterward. */
  patchU16(at: number, value: number): void {
    this.#bytes[at] = value >>> 8
    this.#bytes[at + 1] = value
  }

  /** Writes a name without compression. Later names do not point to it. */
  name(name: DomainName): void {
    this.#reserve(maxNameBytes)
    this.length = putName(name, this.#bytes, this.length)
  }

  /** Writes a name. Its longest suffix that was written before becomes a pointer. Later names can point to the new parts. */
  compressedName(name: DomainName): void {
    this.#reserve(maxNameBytes + 1)
    if (name === rootName) {
      this.#bytes[this.length++] = 0
      return
    }
    this.#offsets ??= new Map()
    for (let start = 0; start < name.length; ) {
      const suffix = start === 0 ? name : name.slice(start)
      const target = this.#offsets.get(suffix)
      if (target !== undefined) {
        this.u16(0xc000 | target)
        return
      }
      if (this.length < pointerReach) {
        this.#offsets.set(suffix, this.length)
        this.#written.push({ suffix, at: this.length })
      }
      const end = dotAfter(name, start)
      this.length = putLabel(name, start, end, this.#bytes, this.length)
      start = end + 1
    }
    this.#bytes[this.length++] = 0
  }

  /** Everything that another writer wrote. */
  append(other: WireWriter): void {
    this.bytes(other.#bytes.subarray(0, other.length))
  }

  /** Removes everything, so that the writer can be reused: creating one costs more than most messages that it writes. */
  clear(): this {
    this.length = 0
    this.#offsets?.clear()
    this.#written.length = 0
    return this
  }

  /** Removes everything from `length` on, including the names remembered there. */
  rollBack(length: number): void {
    this.length = length
    for (let last = this.#written.at(-1); last !== undefined && last.at >= length; last = this.#written.at(-1)) {
      this.#offsets?.delete(last.suffix)
      this.#written.pop()
    }
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }

  #reserve(size: number): void {
    const needed = this.length + size
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}
