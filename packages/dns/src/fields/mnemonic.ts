import { DnsFault, quoteInput } from '../faults.ts'
import type { Field } from './field.ts'
import { u8, u16, wholeNumber } from './number.ts'

/** An algorithm of DNSSEC, by its number or mnemonic (RFC 4034 §A.1, IANA "DNS Security Algorithm Numbers"). */
export function algorithm(): Field {
  return { ...u8('algorithm'), parse: (words, out) => out.u8(numberOf(words.plain(), 'algorithm', 0xff, algorithms)) }
}

/** The kind of content of a CERT record, by its number or mnemonic (RFC 4398 §2.1). */
export function certificateType(): Field {
  const what = 'certificate type'
  return { ...u16(what), parse: (words, out) => out.u16(numberOf(words.plain(), what, 0xffff, certificateTypes)) }
}

/** How a change is announced, by number or mnemonic (RFC 9859 §2.1). */
export function syncScheme(): Field {
  const what = 'scheme'
  return { ...u8(what), parse: (words, out) => out.u8(numberOf(words.plain(), what, 0xff, syncSchemes)) }
}

/** Mnemonics are read and never printed: every server knows the numbers. */
function numberOf(text: string, what: string, highest: number, mnemonics: ReadonlyMap<string, number>): number {
  if (/^\d/.test(text)) return wholeNumber(text, what, highest)
  const number = mnemonics.get(text.toUpperCase())
  if (number !== undefined) return number
  const [example] = mnemonics.keys()
  throw new DnsFault(
    'bad_rdata',
    `the ${what} ${quoteInput(text)} is neither a number nor a mnemonic such as ${example}`,
  )
}

const algorithms: ReadonlyMap<string, number> = new Map([
  ['RSASHA256', 8],
  ['RSAMD5', 1],
  ['DH', 2],
  ['DSA', 3],
  ['RSASHA1', 5],
  ['DSA-NSEC3-SHA1', 6],
  ['NSEC3DSA', 6],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['NSEC3RSASHA1', 7],
  ['RSASHA512', 10],
  ['ECC-GOST', 12],
  ['ECCGOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['INDIRECT', 252],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
])

const syncSchemes: ReadonlyMap<string, number> = new Map([['NOTIFY', 1]])

const certificateTypes: ReadonlyMap<string, number> = new Map([
  ['PKIX', 1],
  ['SPKI', 2],
  ['PGP', 3],
  ['IPKIX', 4],
  ['ISPKI', 5],
  ['IPGP', 6],
  ['ACPKIX', 7],
  ['IACPKIX', 8],
  ['URI', 253],
  ['OID', 254],
])
