import { escapeBytes } from './character-string.ts'
import { type Edns, type EdnsOption, OptionCode } from './edns.ts'
import { utf8Bytes, utf8Text } from './utf8.ts'
import { WireReader } from './wire-reader.ts'

/** The reason for a response, in addition to its response code (RFC 8914 §2). */
export interface ExtendedError {
  readonly infoCode: number
  /** A sentence for a person, not for a program; may be empty (RFC 8914 §2). */
  readonly text: string
}

/** The codes that RFC 8914 §4 names. */
export const InfoCode = {
  OTHER: 0,
  UNSUPPORTED_DNSKEY_ALGORITHM: 1,
  UNSUPPORTED_DS_DIGEST_TYPE: 2,
  STALE_ANSWER: 3,
  FORGED_ANSWER: 4,
  DNSSEC_INDETERMINATE: 5,
  DNSSEC_BOGUS: 6,
  SIGNATURE_EXPIRED: 7,
  SIGNATURE_NOT_YET_VALID: 8,
  DNSKEY_MISSING: 9,
  RRSIGS_MISSING: 10,
  NO_ZONE_KEY_BIT_SET: 11,
  NSEC_MISSING: 12,
  CACHED_ERROR: 13,
  NOT_READY: 14,
  BLOCKED: 15,
  CENSORED: 16,
  FILTERED: 17,
  PROHIBITED: 18,
  STALE_NXDOMAIN_ANSWER: 19,
  NOT_AUTHORITATIVE: 20,
  NOT_SUPPORTED: 21,
  NO_REACHABLE_AUTHORITY: 22,
  NETWORK_ERROR: 23,
  INVALID_DATA: 24,
  /** RFC 9276 §3.2. */
  UNSUPPORTED_NSEC3_ITERATIONS: 27,
} as const

/** The EDNS option for an extended error. */
export function extendedErrorOption(error: ExtendedError): EdnsOption {
  const text = utf8Bytes(error.text)
  const data = new Uint8Array(2 + text.length)
  data.set([error.infoCode >> 8, error.infoCode & 0xff])
  data.set(text, 2)
  return { code: OptionCode.EXTENDED_ERROR, data }
}

/**
 * The extended errors of a message, in order; there may be several. A NUL at the end of a text is dropped, and bytes that are not
 * UTF-8 are shown as escapes: a text must never make an answer unreadable.
 *
 * @throws DnsFault `bad_message` if an option has no code
 */
export function extendedErrorsOf(edns: Edns | undefined): ExtendedError[] {
  const options = edns?.options.filter((option) => option.code === OptionCode.EXTENDED_ERROR) ?? []
  return options.map(({ data }) => {
    const reader = new WireReader(data, 0, data.length, 'bad_message')
    const infoCode = reader.u16()
    const bytes = reader.bytes(reader.left)
    const text = bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes
    return { infoCode, text: utf8Text(text) ?? escapeBytes(text) }
  })
}
