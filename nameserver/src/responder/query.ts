import { DnsClass, RrType } from '@zonewright/dns'
import { maxNameBytes } from '../tables/wire-name.ts'

export const headerBytes = 12
/** An OPT record without options. */
export const optBytes = 11

const smallestUdpBytes = 512
const cookieCode = 10
const nsidCode = 3
const keepaliveCode = 11

/**
 * A query as it is in its packet. Only what resolvers send is parsed: one question, its name uncompressed, and at most
 * an OPT record after it; or only that record, with a cookie. Everything else is odd, and has to be parsed in full.
 */
export class Query {
  readonly #bytes: DataView
  type = 0
  class = 0
  /** Length of the name in wire form, which begins after the header. */
  nameLength = 0
  /** Offset after the question. */
  questionEnd = 0
  /** The query requests only a cookie (RFC 7873 §5.4). */
  isCookieOnly = false
  hasEdns = false
  ednsVersion = 0
  dnssecOk = false
  /** The size that the client accepts over UDP, in bytes. */
  udpBytes = smallestUdpBytes
  /** The offset of the data of the COOKIE option (RFC 7873), and their length. The offset is 0 if there is no option. */
  cookieAt = 0
  cookieLength = 0
  wantsNsid = false
  wantsKeepalive = false

  /** `bytes` is the memory that contains all packets. */
  constructor(bytes: DataView) {
    this.#bytes = bytes
  }

  /** Parses the packet of `length` bytes at `at`, which is a query according to its header. @returns false if it is odd. */
  read(at: number, length: number): boolean {
    const bytes = this.#bytes
    // One question, no answer and no authority; at most one additional record.
    if (bytes.getUint32(at + 4) !== 0x00010000 || bytes.getUint16(at + 8) !== 0) return this.#readCookieOnly(at, length)
    const additionals = bytes.getUint16(at + 10)
    const end = at + length
    this.isCookieOnly = false
    let next = at + headerBytes
    // The shortest question has a name of one byte.
    if (additionals > 1 || next + 5 > end) return false
    for (let size = bytes.getUint8(next); size !== 0; size = bytes.getUint8(next)) {
      next += size + 1
      if (size > 63 || next + 5 > end) return false
    }
    this.nameLength = next + 1 - at - headerBytes
    if (this.nameLength > maxNameBytes) return false
    this.type = bytes.getUint16(next + 1)
    this.class = bytes.getUint16(next + 3)
    this.questionEnd = next + 5
    this.hasEdns = additionals === 1
    this.cookieAt = 0
    this.wantsNsid = false
    this.wantsKeepalive = false
    if (additionals === 1) return this.#readEdns(next + 5, end)
    this.udpBytes = smallestUdpBytes
    this.dnssecOk = false
    return next + 5 === end
  }

  #readCookieOnly(at: number, length: number): boolean {
    // All counts are 0 except that of the additional records.
    if (this.#bytes.getUint32(at + 4) !== 0 || this.#bytes.getUint32(at + 8) !== 1) return false
    this.isCookieOnly = true
    this.type = 0
    this.class = DnsClass.IN
    this.nameLength = 0
    this.questionEnd = at + headerBytes
    this.hasEdns = true
    this.cookieAt = 0
    this.wantsNsid = false
    this.wantsKeepalive = false
    return this.#readEdns(at + headerBytes, at + length) && this.cookieAt !== 0
  }

  /** RFC 6891 §6.1.2. */
  #readEdns(at: number, end: number): boolean {
    const bytes = this.#bytes
    if (at + optBytes > end || bytes.getUint8(at) !== 0 || bytes.getUint16(at + 1) !== RrType.OPT) return false
    this.udpBytes = Math.max(bytes.getUint16(at + 3), smallestUdpBytes)
    this.ednsVersion = bytes.getUint8(at + 6)
    this.dnssecOk = bytes.getUint8(at + 7) >= 0x80
    if (at + optBytes + bytes.getUint16(at + 9) !== end) return false
    return at + optBytes === end || this.#readOptions(at + optBytes, end)
  }

  #readOptions(from: number, end: number): boolean {
    const bytes = this.#bytes
    for (let at = from; at < end; ) {
      if (at + 4 > end) return false
      const code = bytes.getUint16(at)
      const length = bytes.getUint16(at + 2)
      const data = at + 4
      at = data + length
      if (at > end) return false
      if (code === cookieCode && this.cookieAt === 0) {
        this.cookieAt = data
        this.cookieLength = length
      } else if (code === nsidCode) {
        this.wantsNsid = true
      } else if (code === keepaliveCode) {
        this.wantsKeepalive = length === 0
      }
    }
    return true
  }
}
