import { fromBase32Hex } from '../base32hex.ts'
import { type DomainName, parentOf } from '../name.ts'
import type { RecordData } from '../rdata-wire.ts'

const sha1Algorithm = 1
const sha1Bytes = 20
/** Algorithm, flags, iterations and the length of the salt, which follows. */
const headBytes = 5

/** Whether an NSEC3PARAM announces a chain that negative answers may use: with SHA-1, the only defined hash, and without flags (RFC 5155 §4.1.2). */
export function announcesChain(nsec3param: RecordData): boolean {
  return nsec3param[0] === sha1Algorithm && nsec3param[1] === 0
}

/** Whether two NSEC3 or NSEC3PARAM records use the same hash parameters. The flags are ignored. */
export function hashesAlike(a: RecordData, b: RecordData): boolean {
  const end = headBytes + (a[4] ?? 0)
  for (let at = 0; at < end; at++) if (at !== 1 && a[at] !== b[at]) return false
  return true
}

/** The hash in the name of an NSEC3 record, which is one base 32 label below the apex; `undefined` for any other name. */
export function hashInName(name: DomainName, origin: DomainName): Uint8Array | undefined {
  if (name === origin || parentOf(name) !== origin) return undefined
  const hash = fromBase32Hex(name.slice(0, name.indexOf('.')))
  return hash?.length === sha1Bytes ? hash : undefined
}
