import { DnsFault } from './faults.ts'
import { type DomainName, dotAfter, labelText, maxLabelBytes, maxNameBytes, nameBytes, rootName } from './name.ts'

const backslash = 0x5c
const dot = 0x2e
const zero = 0x30
const nine = 0x39

/** The name in uncompressed wire form (RFC 1035 §3.1). */
export function nameToWire(name: DomainName): Uint8Array {
  const wire = new Uint8Array(nameBytes(name))
  putName(name, wire, 0)
  return wire
}

/** Writes the wire form at `at` (255 bytes must be free) and returns the offset after it. */
export function putName(name: DomainName, wire: Uint8Array, at: number): number {
  let next = at
  for (let start = 0; start < name.length && name !== rootName; ) {
    const end = dotAfter(name, start)
    next = putLabel(name, start, end, wire, next)
    start = end + 1
  }
  wire[next] = 0
  return next + 1
}

/** Writes the label `name[start, end)` with its length byte and returns the offset after it. */
export function putLabel(name: DomainName, start: number, end: number, wire: Uint8Array, at: number): number {
  let next = at + 1
  for (let index = start; index < end; index++) {
    let byte = name.charCodeAt(index)
    if (byte === backslash) {
      byte = name.charCodeAt(++index)
      if (byte >= zero && byte <= nine) {
        const [tens, ones] = [name.charCodeAt(++index), name.charCodeAt(++index)]
        byte = (byte - zero) * 100 + (tens - zero) * 10 + ones - zero
      }
    }
    wire[next++] = byte
  }
  wire[at] = next - at - 1
  return next
}

/**
 * The name in uncompressed wire form at `offset`.
 *
 * @throws DnsFault `bad_name` if a label is truncated or compressed
 */
export function nameFromWire(wire: Uint8Array, offset = 0): DomainName {
  const found = scanName(wire, offset, wire.length)
  if (typeof found === 'string') throw new DnsFault('bad_name', found)
  return found.name
}

/** A name in a message: `bytes` is its length without compression, `next` the offset after it. */
interface FoundName {
  readonly name: DomainName
  readonly bytes: number
  readonly next: number
}

/** The names of one message that pointers refer to, so that each is read once, however many pointers refer to it. */
export class PointedNames {
  #byOffset: Map<number, FoundName> | undefined

  at(offset: number): FoundName | undefined {
    return this.#byOffset?.get(offset)
  }

  add(offset: number, found: FoundName): void {
    this.#byOffset ??= new Map()
    this.#byOffset.set(offset, found)
  }
}

/** A chain of pointers without labels between them is legal but never useful. A limit prevents it from costing time. */
const maxPointers = 127

/** Reads the name at `offset`, up to `end`, or returns what is wrong with it. With `pointed`, pointers to earlier names are allowed. */
export function scanName(
  wire: Uint8Array,
  offset: number,
  end: number,
  pointed?: PointedNames,
  pointers = 0,
): FoundName | string {
  const codes: number[] = []
  let at = offset
  for (;;) {
    const size = at < end ? wire[at] : undefined
    if (size === undefined) return 'A domain name is cut short.'
    if (size === 0 || size >= 0xc0) break
    if (size > maxLabelBytes) return 'A label has an unknown kind.'
    if (at + size >= end) return 'A domain name is cut short.'
    pushLabel(wire, at + 1, at + 1 + size, codes)
    at += size + 1
    if (at - offset + 1 > maxNameBytes) return tooLong
  }
  const labels = String.fromCharCode(...codes) as DomainName
  const labelBytes = at - offset
  if (wire[at] === 0) return { name: labelBytes === 0 ? rootName : labels, bytes: labelBytes + 1, next: at + 1 }
  const rest = followPointer(wire, at, end, pointed, pointers)
  if (typeof rest === 'string') return rest
  const bytes = labelBytes + rest.bytes
  if (bytes > maxNameBytes) return tooLong
  if (labelBytes === 0) return { name: rest.name, bytes, next: at + 2 }
  return { name: rest.name === rootName ? labels : ((labels + rest.name) as DomainName), bytes, next: at + 2 }
}

const tooLong = 'A domain name is longer than 255 bytes.'

function followPointer(
  wire: Uint8Array,
  at: number,
  end: number,
  pointed: PointedNames | undefined,
  pointers: number,
): FoundName | string {
  if (pointed === undefined) return 'A compressed name is not allowed here.'
  if (at + 1 >= end) return 'A compression pointer is cut short.'
  const target = (((wire[at] ?? 0) & 0x3f) << 8) | (wire[at + 1] ?? 0)
  if (target >= at || pointers === maxPointers) return 'A compression pointer does not lead backwards.'
  const known = pointed.at(target)
  if (known !== undefined) return known
  const found = scanName(wire, target, at, pointed, pointers + 1)
  if (typeof found !== 'string') pointed.add(target, found)
  return found
}

function pushLabel(wire: Uint8Array, from: number, to: number, codes: number[]): void {
  for (let at = from; at < to; at++) {
    const byte = wire[at] ?? 0
    const plain = plainByte[byte] ?? 0
    if (plain !== 0) {
      codes.push(plain)
    } else {
      const escaped = labelText[byte] ?? ''
      for (let index = 0; index < escaped.length; index++) codes.push(escaped.charCodeAt(index))
    }
  }
  codes.push(dot)
}

/** The bytes that the canonical form writes as themselves, lower-cased; 0 for those that need an escape. */
const plainByte = Uint8Array.from(labelText, (text) => (text.length === 1 ? text.charCodeAt(0) : 0))
