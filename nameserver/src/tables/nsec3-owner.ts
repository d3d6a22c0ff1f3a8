import { hashesAlike, type RecordData, RrType, splitNsec3 } from '@zonewright/dns'
import { hashLabelBytes, hashWords, readHashLabel } from './name-hash.ts'
import type { Owner, OwnerRrset } from './owners.ts'

/** An owner name with its NSEC3 records split off, because the two are separate names in the tables (RFC 5155 §7.2.8). */
export interface SplitOwner {
  readonly name: Uint8Array
  /** The hash that the name contains, if it is one. */
  readonly hash: Int32Array | undefined
  /** NSEC3 with its signatures; none if the name is not a hash. */
  readonly nsec3: readonly OwnerRrset[]
  readonly others: readonly OwnerRrset[]
}

export function splitOwner({ name, rrsets }: Owner, apexLength: number): SplitOwner {
  const hash = hashInWire(name, apexLength)
  return hash === undefined ? { name, hash, nsec3: [], others: rrsets } : { name, hash, ...splitNsec3(rrsets) }
}

/** Whether an NSEC3 rrset belongs to the chain that an NSEC3PARAM announces. */
export function isInChain(nsec3: readonly OwnerRrset[], announced: RecordData | undefined): boolean {
  if (announced === undefined) return false
  return nsec3.some(({ type, data }) => type === RrType.NSEC3 && data.some((item) => hashesAlike(announced, item)))
}

/** The hash in a name that is one base 32 label below the apex; `undefined` for any other name. */
export function hashInWire(name: Uint8Array, apexLength: number): Int32Array | undefined {
  if (name.length !== apexLength + 1 + hashLabelBytes) return undefined
  const hash = new Int32Array(hashWords)
  return readHashLabel(name, 0, hash) ? hash : undefined
}
