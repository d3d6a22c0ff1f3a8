import { DnsFault } from './faults.ts'
import { rootName } from './name.ts'
import type { RawRecord } from './raw-record.ts'
import { RrType } from './type.ts'
import type { WireWriter } from './wire-writer.ts'

/** The OPT record (RFC 6891 §6.1). The upper bits of the response code are in `Message.rcode`. */
export interface Edns {
  /** The largest UDP response that the sender accepts, in bytes. */
  readonly udpSize: number
  readonly version: number
  readonly dnssecOk: boolean
  readonly options: readonly EdnsOption[]
}

export interface EdnsOption {
  readonly code: number
  readonly data: Uint8Array
}

/** Options by their code (IANA "DNS EDNS0 Option Codes"). Unknown options are kept unchanged. */
export const OptionCode = {
  /** RFC 5001 */
  NSID: 3,
  /** RFC 7871 */
  CLIENT_SUBNET: 8,
  /** RFC 7873 */
  COOKIE: 10,
  /** RFC 7828 */
  TCP_KEEPALIVE: 11,
  /** RFC 7830 */
  PADDING: 12,
  /** RFC 8914 */
  EXTENDED_ERROR: 15,
} as const

/** The data of the first option with that code; `undefined` if there is none. */
export function optionOf(edns: Edns | undefined, code: number): Uint8Array | undefined {
  return edns?.options.find((option) => option.code === code)?.data
}

/** @throws DnsFault `bad_message` */
export function readEdns(raw: RawRecord): Edns {
  if (raw.name !== rootName) throw new DnsFault('bad_message', 'The OPT record does not belong to the root.')
  const options: EdnsOption[] = []
  while (raw.data.left > 0) {
    const code = raw.data.u16()
    options.push({ code, data: new Uint8Array(raw.data.bytes(raw.data.u16())) })
  }
  return { udpSize: raw.class, version: (raw.ttl >>> 16) & 0xff, dnssecOk: (raw.ttl & 0x8000) !== 0, options }
}

/** Writes the OPT record with the upper bits of the response code. */
export function writeEdns(edns: Edns, rcode: number, out: WireWriter): void {
  out.name(rootName)
  out.u16(RrType.OPT)
  out.u16(edns.udpSize)
  out.u8(rcode >>> 4)
  out.u8(edns.version)
  out.u16(edns.dnssecOk ? 0x8000 : 0)
  out.u16(edns.options.reduce((sum, option) => sum + 4 + option.data.length, 0))
  for (const option of edns.options) {
    out.u16(option.code)
    out.u16(option.data.length)
    out.bytes(option.data)
  }
}
