import { compareData, parseRdata, RrType } from '@zonewright/dns'
import type { AddressFailure, FoundAddresses } from '#ports/address-resolver.ts'

/** Why a target has no new addresses, as the API shows it. */
export type AliasError = AddressFailure | 'private_address'

/** Bounds of the TTL that is published for an ALIAS, and of the time between two lookups of a target. Seconds. */
export const aliasTtl = { least: 30, most: 3_600 }
/** Maximum number of addresses that are published for an ALIAS, of both families together. */
export const mostAddresses = 20
/** Maximum number of aliases that are followed from a target: a loop ends here. */
export const mostSteps = 8
/** How long the last addresses of a failing target are kept, and when its owners get an email. Seconds. */
export const keptS = 24 * 3_600
export const toldAfterS = 3_600
/** A failing target is looked up again after as long as it has been failing, within these bounds. Seconds. */
const retryS = { least: 30, most: 300 }

/** What is known about a target. */
export interface KnownTarget {
  readonly target: string
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  readonly found: number
  readonly ttl: number
  /** Seconds since an answer last had this TTL. */
  readonly ttlAgeS: number
  readonly error: AliasError | null
  /** Seconds for which lookups have failed; null: the last one did not. */
  readonly failingS: number | null
  /** 0: nothing is stored. */
  readonly revision: number
}

/** A target about which nothing is known yet. */
export function newTarget(target: string): KnownTarget {
  return { target, a: [], aaaa: [], found: 0, ttl: 0, ttlAgeS: 0, error: null, failingS: null, revision: 0 }
}

/** What a lookup changes about a target. */
export interface TargetResult extends Pick<KnownTarget, 'target' | 'a' | 'aaaa' | 'found' | 'ttl' | 'error'> {
  /** The revision that the lookup started from. */
  readonly known: number
  readonly isChanged: boolean
  readonly isTtlSeen: boolean
  /** Seconds until the next lookup. */
  readonly nextS: number
}

/**
 * The new state of a target after a lookup.
 *
 * While it fails, the last addresses stay for 24 hours. A TTL that is lower than the known one is used only after the known one has not been seen for
 * its own duration. Before that, it may be the remaining TTL in a cache.
 */
export function afterLookup(
  known: KnownTarget,
  lookup: FoundAddresses | AddressFailure,
  isPublic: (address: string) => boolean,
): TargetResult {
  const found = typeof lookup === 'string' ? lookup : completed(known, lookup)
  if (typeof found === 'string') return afterFailure(known, found)
  if (![...found.a, ...found.aaaa].every(isPublic)) return afterFailure(known, 'private_address')
  const { a, aaaa } = lowest(found)
  const ttl = within(found.ttl)
  const isSame = isEqual(a, known.a) && isEqual(aaaa, known.aaaa)
  const isTtlSeen = !isSame || ttl >= known.ttl || known.ttlAgeS >= known.ttl
  const newTtl = isTtlSeen ? ttl : known.ttl
  return {
    target: known.target,
    a,
    aaaa,
    found: found.a.length + found.aaaa.length,
    ttl: newTtl,
    error: null,
    known: known.revision,
    isChanged: !isSame || newTtl !== known.ttl,
    isTtlSeen,
    nextS: ttl,
  }
}

/** Treats a family without an answer as empty; a failure if the target had addresses of that family. */
function completed(
  known: KnownTarget,
  { a, aaaa, ttl }: FoundAddresses,
): { a: readonly string[]; aaaa: readonly string[]; ttl: number } | AliasError {
  if ((a === undefined && known.a.length > 0) || (aaaa === undefined && known.aaaa.length > 0)) return 'server_failure'
  return { a: [...new Set(a)], aaaa: [...new Set(aaaa)], ttl }
}

function afterFailure(known: KnownTarget, error: AliasError): TargetResult {
  const failingS = known.failingS ?? 0
  const isGone = failingS >= keptS
  const had = known.a.length + known.aaaa.length > 0
  return {
    target: known.target,
    ...(isGone ? { a: [], aaaa: [], found: 0 } : { a: known.a, aaaa: known.aaaa, found: known.found }),
    ttl: Math.max(known.ttl, aliasTtl.least),
    error,
    known: known.revision,
    isChanged: isGone && had,
    isTtlSeen: false,
    nextS: Math.min(Math.max(failingS, retryS.least), retryS.most),
  }
}

/**
 * The addresses that are published, in order. If there are more than `mostAddresses`, each family keeps its lowest: half of that number, and what the
 * other family does not need.
 */
function lowest({ a, aaaa }: { readonly a: readonly string[]; readonly aaaa: readonly string[] }): {
  a: string[]
  aaaa: string[]
} {
  const half = mostAddresses / 2
  const [ofA, ofAaaa] = [mostAddresses - Math.min(half, aaaa.length), mostAddresses - Math.min(half, a.length)]
  return {
    a: inOrder(RrType.A, a).slice(0, ofA),
    aaaa: inOrder(RrType.AAAA, aaaa).slice(0, ofAaaa),
  }
}

/** Addresses of one family, by their numbers. Each is read once: an answer by TCP may have thousands. */
function inOrder(type: RrType, addresses: readonly string[]): string[] {
  return addresses
    .map((address) => ({ address, data: parseRdata(type, address) }))
    .sort((one, other) => compareData(one.data, other.data))
    .map(({ address }) => address)
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i])
}

function within(ttl: number): number {
  return Math.min(Math.max(ttl, aliasTtl.least), aliasTtl.most)
}

/** The TTL that is published for an ALIAS: the lower one of its own and its target's, within the bounds. */
export function publishedTtl(rrsetTtl: number, targetTtl: number): number {
  return within(Math.min(rrsetTtl, targetTtl))
}
