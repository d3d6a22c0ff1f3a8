import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** A query, and how to recognize the right answer. */
export interface CheckedQuery {
  readonly packet: Uint8Array
  readonly rcode: number
  readonly answers: number
  /** The data of the first answer record, an address; not checked if absent. */
  readonly address?: number
  /** There are two addresses that are equal except for their first byte, and they can only increase from one answer to the next. */
  readonly isRising?: boolean
  /** The answer is a delegation, which is not authoritative. */
  readonly isReferral?: boolean
}

/** Before each packet: its length, the rcode, the number of answers, whether the address is compared, and the address. */
const headBytes = 9
const [addressIsOpen, addressIsFixed, addressIsRising, isDelegation] = [0, 1, 2, 3]
/** An address record after its owner name. */
const addressRecordBytes = 14
/** Of an increasing address, all bytes except the first are its version. */
const versionMask = 0xffffff

/** Writes queries to a file, for the process that sends them. */
export function writeQueries(file: string, queries: Iterable<CheckedQuery>): void {
  const descriptor = openSync(file, 'w')
  let pending: Uint8Array[] = []
  const flush = () => {
    writeSync(descriptor, Buffer.concat(pending))
    pending = []
  }
  for (const query of queries) {
    const { packet, rcode, answers, address } = query
    const head = Buffer.alloc(headBytes)
    head.writeUInt16BE(packet.length, 0)
    head.writeUInt8(rcode, 2)
    head.writeUInt8(answers, 3)
    head.writeUInt8(kindOf(query), 4)
    head.writeUInt32BE(address ?? 0, 5)
    pending.push(head, packet)
    if (pending.length > 20_000) flush()
  }
  flush()
  closeSync(descriptor)
}

function kindOf({ address, isRising = false, isReferral = false }: CheckedQuery): number {
  if (isReferral) return isDelegation
  if (address === undefined) return addressIsOpen
  return isRising ? addressIsRising : addressIsFixed
}

/** All queries in one buffer, and the expected answer of each, by its number. */
export class QuerySet {
  readonly memory: ArrayBuffer
  readonly #heads: number[] = []
  readonly #view: DataView
  /** For increasing addresses: the highest one so far. */
  readonly #highest: Uint32Array

  constructor(file: string) {
    const bytes = readFileSync(file)
    this.memory = new ArrayBuffer(bytes.length)
    new Uint8Array(this.memory).set(bytes)
    this.#view = new DataView(this.memory)
    for (let at = 0; at < bytes.length; at += headBytes + this.#view.getUint16(at)) this.#heads.push(at)
    this.#highest = new Uint32Array(this.#heads.length)
  }

  get size(): number {
    return this.#heads.length
  }

  packetAt(query: number): number {
    return (this.#heads[query] ?? 0) + headBytes
  }

  lengthOf(query: number): number {
    return this.#view.getUint16(this.#heads[query] ?? 0)
  }

  setId(query: number, id: number): void {
    this.#view.setUint16(this.packetAt(query), id)
  }

  /** Whether the `length` bytes at `at` are the right answer to this query. */
  isRight(query: number, answer: DataView, at: number, length: number): boolean {
    const view = this.#view
    const head = this.#heads[query] ?? 0
    if ((answer.getUint8(at + 3) & 15) !== view.getUint8(head + 2)) return false
    const kind = view.getUint8(head + 4)
    if ((answer.getUint8(at + 2) & 0x86) !== (kind === isDelegation ? 0x80 : 0x84)) return false
    if (answer.getUint16(at + 6) !== view.getUint8(head + 3)) return false
    if (kind === addressIsOpen || kind === isDelegation) return true
    const firstAt = behindName(answer, behindName(answer, at + 12, at + length) + 4, at + length)
    const address = addressIn(answer, firstAt)
    if (kind === addressIsFixed) return address === view.getUint32(head + 5)
    const version = address & versionMask
    const secondAt = behindName(answer, firstAt + addressRecordBytes, at + length)
    const isWhole = (addressIn(answer, secondAt) & versionMask) === version
    const isNoOlder = version >= (this.#highest[query] ?? 0)
    this.#highest[query] = version
    return isWhole && isNoOlder
  }
}

/** Where the name at `at` ends, whether it is written out or a pointer. */
function behindName(answer: DataView, from: number, end: number): number {
  let at = from
  while (at < end) {
    const size = answer.getUint8(at)
    if (size >= 0xc0) return at + 2
    at += size + 1
    if (size === 0) return at
  }
  return at
}

/** The address in the record whose type is at `at`. */
function addressIn(answer: DataView, at: number): number {
  return answer.getUint32(at + 10)
}
