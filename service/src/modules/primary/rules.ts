import {
  type DomainName,
  type IxfrStep,
  parseName,
  type ResourceRecord,
  type Rrset,
  type Serial,
  type SoaData,
  toSerial,
} from '@zonewright/dns'

/** One publication of a zone or of the catalog: what was removed and added, without the SOA. */
export interface JournalStep<E> {
  readonly from: number
  readonly to: number
  readonly removed: readonly E[]
  readonly added: readonly E[]
}

/** How an IXFR is answered (RFC 1995 §2, §4): nothing newer, the differences, or the whole zone. */
export type IxfrPlan<E> =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'steps'; readonly steps: readonly JournalStep<E>[] }
  | { readonly kind: 'whole' }

/**
 * Decides how to answer a requester that has serial `have`: with the whole zone if the journal does not lead from there to
 * `current` without a gap (pruned), or if the differences, reduced by `condense`, are larger than the zone's own `size`.
 */
export function planIxfr<E>(
  have: number,
  current: number,
  size: number,
  journal: readonly JournalStep<E>[],
  condense: (journal: readonly JournalStep<E>[]) => readonly JournalStep<E>[] = (all) => all,
): IxfrPlan<E> {
  if (have >= current) return { kind: 'unchanged' }
  if (!leads(have, journal, current)) return { kind: 'whole' }
  const steps = condense(journal)
  const changed = steps.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0)
  return changed <= size ? { kind: 'steps', steps } : { kind: 'whole' }
}

function leads(from: number, journal: readonly JournalStep<unknown>[], to: number): boolean {
  let reached = from
  for (const step of journal) {
    if (step.from !== reached) return false
    reached = step.to
  }
  return reached === to
}

/**
 * The full serial, which may exceed 2^32, for a nameserver's 32 bits: the one nearest to `near`, so that
 * comparing the two as numbers is the comparison of RFC 1982.
 */
export function widenSerial(seen: Serial, near: number): number {
  return near + ((seen - near) | 0)
}

/** The catalog's timers, in seconds: a lost NOTIFY is found soon, and no consumer drops its zones while we are away. */
const catalogTimers = { refresh: 60, retry: 10, expire: 2_147_483_646, minimum: 0 }

/** The catalog names no primary, because it is not public (RFC 9432 §4). */
const nobody = parseName('invalid.')

/** The SOA of the catalog zone (RFC 9432 §4). It does not depend on the names of the nameservers, so that its IXFRs fit. */
export function catalogSoa(serial: number): SoaData {
  return { mname: nobody, rname: nobody, serial: toSerial(serial % 2 ** 32), ...catalogTimers }
}

/** A member of the catalog. */
export interface CatalogEntry {
  readonly label: string
  /** The zone's name, without trailing dot. */
  readonly zone: string
}

/** The changes of a zone since the requester's serial, and its current SOA. */
export interface Since {
  readonly soa: ResourceRecord
  /** Nothing newer, the differences step by step, or too many differences to send. */
  readonly plan: 'unchanged' | 'steps' | 'whole'
  readonly steps: Iterable<IxfrStep>
}

/** What secondaries may fetch. Undefined: no such zone here. */
export interface TransferSource {
  soa(origin: DomainName): Promise<ResourceRecord | undefined>
  since(origin: DomainName, have: Serial): Promise<Since | undefined>
  /** The whole zone, SOA first. It is read completely before it is sent, so that slow sending holds no snapshot. */
  whole(origin: DomainName): Promise<Iterable<Rrset> | undefined>
}
