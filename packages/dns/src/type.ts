import { DnsFault, quoteInput } from './faults.ts'

declare const brand: unique symbol

/** A record type by its number (RFC 1035 §3.2.2, IANA "DNS parameters"). */
export type RrType = number & { readonly [brand]: 'RrType' }

const rr = (code: number): RrType => code as RrType

/** The types with a mnemonic. A type with a mnemonic does not necessarily have a codec: see `supportedTypes`. */
export const RrType = {
  A: rr(1),
  NS: rr(2),
  MD: rr(3),
  MF: rr(4),
  CNAME: rr(5),
  SOA: rr(6),
  MB: rr(7),
  MG: rr(8),
  MR: rr(9),
  NULL: rr(10),
  WKS: rr(11),
  PTR: rr(12),
  HINFO: rr(13),
  MINFO: rr(14),
  MX: rr(15),
  TXT: rr(16),
  RP: rr(17),
  AFSDB: rr(18),
  X25: rr(19),
  ISDN: rr(20),
  RT: rr(21),
  NSAP: rr(22),
  'NSAP-PTR': rr(23),
  SIG: rr(24),
  KEY: rr(25),
  PX: rr(26),
  GPOS: rr(27),
  AAAA: rr(28),
  LOC: rr(29),
  NXT: rr(30),
  EID: rr(31),
  NIMLOC: rr(32),
  SRV: rr(33),
  ATMA: rr(34),
  NAPTR: rr(35),
  KX: rr(36),
  CERT: rr(37),
  A6: rr(38),
  DNAME: rr(39),
  SINK: rr(40),
  OPT: rr(41),
  APL: rr(42),
  DS: rr(43),
  SSHFP: rr(44),
  IPSECKEY: rr(45),
  RRSIG: rr(46),
  NSEC: rr(47),
  DNSKEY: rr(48),
  DHCID: rr(49),
  NSEC3: rr(50),
  NSEC3PARAM: rr(51),
  TLSA: rr(52),
  SMIMEA: rr(53),
  HIP: rr(55),
  NINFO: rr(56),
  RKEY: rr(57),
  TALINK: rr(58),
  CDS: rr(59),
  CDNSKEY: rr(60),
  OPENPGPKEY: rr(61),
  CSYNC: rr(62),
  ZONEMD: rr(63),
  SVCB: rr(64),
  HTTPS: rr(65),
  DSYNC: rr(66),
  HHIT: rr(67),
  BRID: rr(68),
  SPF: rr(99),
  NID: rr(104),
  L32: rr(105),
  L64: rr(106),
  LP: rr(107),
  EUI48: rr(108),
  EUI64: rr(109),
  TKEY: rr(249),
  TSIG: rr(250),
  IXFR: rr(251),
  AXFR: rr(252),
  MAILB: rr(253),
  MAILA: rr(254),
  ANY: rr(255),
  URI: rr(256),
  CAA: rr(257),
  AVC: rr(258),
  DOA: rr(259),
  AMTRELAY: rr(260),
  RESINFO: rr(261),
  WALLET: rr(262),
  CLA: rr(263),
  IPN: rr(264),
  TA: rr(32768),
  DLV: rr(32769),
  /** Private use: the number that PowerDNS uses. It appears only in zone files and customers' records, never in our messages. */
  ALIAS: rr(65401),
} as const

const codeOf = new Map<string, RrType>(Object.entries(RrType))
const textOf = new Map<RrType, string>(Object.entries(RrType).map(([text, code]) => [code, text]))

/**
 * Reads a mnemonic in any case, or `TYPE65400` (RFC 3597 §5). `*` is ANY.
 *
 * @throws DnsFault `bad_type`
 */
export function parseType(text: string): RrType {
  const known = codeOf.get(text) ?? codeOf.get(text.toUpperCase())
  if (known !== undefined) return known
  if (text === '*') return RrType.ANY
  const digits = /^TYPE(\d{1,5})$/i.exec(text)?.[1]
  const code = digits === undefined ? Number.NaN : Number(digits)
  if (code >= 1 && code <= 65535) return rr(code)
  throw new DnsFault('bad_type', `${quoteInput(text)} is not a record type, such as A, MX or TYPE65400.`)
}

/** The type that `parseType` reads from `text`; undefined if it is not a type. */
export function asType(text: string): RrType | undefined {
  try {
    return parseType(text)
  } catch {
    return undefined
  }
}

/** Whether `text` is a type, as `parseType` reads it. */
export function isType(text: string): boolean {
  return asType(text) !== undefined
}

/** The mnemonic, or `TYPE65400` for a type without one. */
export function typeToText(type: RrType): string {
  return textOf.get(type) ?? `TYPE${type}`
}

/** A type number off the wire; every 16-bit number is one. */
export function toType(code: number): RrType {
  return rr(code)
}

/**
 * Whether the type is only for questions or part of the protocol, so that no zone has records of it:
 * OPT and 128–255 (RFC 6895 §3.1).
 */
export function isMetaType(type: RrType): boolean {
  return type === RrType.OPT || (type >= 128 && type <= 255) || type === 0
}
