import { type DomainName, isHostName, isWithin, parentOf } from '@zonewright/dns'
import { absolute } from '#modules/zones/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { branchOf, type DotlessName, lineNames, lineWarnings } from './forgotten-dots.ts'
import { keyOf, type RrsetMove, type StoredRrset } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import { readHostRrsets, readOutline } from './store.ts'
import { findWarnings, hostsOf, newWarnings, ownWarnings, type Warning } from './warnings.ts'
import type { ChangeResult } from './zone-draft.ts'
import { ZoneNames } from './zone-names.ts'

/** What the warnings of a change need to know about a zone. The moved rrsets in it may be from before or after the change. */
export interface Surroundings {
  /** MX and NS record sets whose hosts the change may have touched. */
  readonly hosts: readonly StoredRrset[]
  /** The records at the hosts' names and around them (`readOutline`). */
  readonly standing: readonly { readonly name: string; readonly type: string }[]
}

/**
 * The warnings that a change adds to a zone, and for a zone file, those about names that may lack their final dot. Most changes of one record
 * set are judged without reading the zone.
 *
 * `db` may be the transaction of the change: it makes no difference whether it sees the change.
 */
export async function readChangeWarnings(
  db: Db,
  zone: { readonly id: string; readonly name: string },
  { moves, hasWildcards }: Pick<ChangeResult, 'moves' | 'hasWildcards'>,
  dotless: readonly DotlessName[] = [],
): Promise<Warning[]> {
  const origin = absolute(zone.name)
  const hosts = moves.some((move) => mayTouchHosts(move, origin, hasWildcards)) ? await readHostRrsets(db, zone.id) : []
  const names = [
    ...[...hosts, ...sidesOf(moves, 'before'), ...sidesOf(moves, 'after')].flatMap(hostsOf),
    ...lineNames(dotless).map(branchOf),
  ].filter((name) => isWithin(name, origin))
  if (names.length === 0 && lineNames(dotless).length === 0) return inSlices(newOwnWarnings(moves, origin))
  const standing = names.length > 0 ? await readOutline(db, zone, names) : []
  return inSlices(changeWarnings(zone.name, moves, { hosts, standing }, dotless))
}

/** The same with a known outline, with pauses. */
export function* changeWarnings(
  zone: string,
  moves: readonly RrsetMove[],
  { hosts, standing }: Surroundings,
  dotless: readonly DotlessName[] = [],
): Generator<undefined, Warning[]> {
  const origin = absolute(zone)
  const moved = new Set(moves.map(keyOf))
  const stays = (rrset: { readonly name: string; readonly type: string }) => !moved.has(keyOf(rrset))
  const [otherHosts, others] = [hosts.filter(stays), standing.filter(stays)]
  yield
  const [before, after] = [sidesOf(moves, 'before'), sidesOf(moves, 'after')]
  const namesBefore = new ZoneNames(origin, [...others, ...before])
  yield
  const namesAfter = new ZoneNames(origin, [...others, ...after])
  const old = yield* findWarnings([...before, ...otherHosts], namesBefore)
  const now = yield* findWarnings([...after, ...otherHosts], namesAfter)
  return [...lineWarnings(dotless, () => namesAfter), ...newWarnings(old, now)]
}

/** The warnings that moves add when nothing else in the zone matters, with pauses. */
function* newOwnWarnings(moves: readonly RrsetMove[], origin: DomainName): Generator<undefined, Warning[]> {
  const after = yield* allOwnWarnings(sidesOf(moves, 'after'), origin)
  if (after.length === 0) return []
  return newWarnings(yield* allOwnWarnings(sidesOf(moves, 'before'), origin), after)
}

function* allOwnWarnings(rrsets: readonly StoredRrset[], origin: DomainName): Generator<undefined, Warning[]> {
  const warnings: Warning[] = []
  for (const rrset of rrsets) {
    warnings.push(...ownWarnings(rrset, origin))
    yield
  }
  return warnings
}

/** The warnings about what a request itself contains, whatever the zone has. */
export function sentWarnings(
  zone: string,
  { changes, dotless }: { readonly changes: readonly RrsetChange[]; readonly dotless: readonly DotlessName[] },
): Warning[] {
  const origin = absolute(zone)
  const sent = changes.flatMap(({ name, type, ttl = 0, ask }) => {
    const records = ask.kind === 'edit' ? ask.add : ask.records
    return records.length === 0 ? [] : [{ name, type, ttl, records }]
  })
  return [
    ...lineWarnings(dotless, () => new ZoneNames(origin, sent)),
    ...sent.flatMap((rrset) => ownWarnings(rrset, origin)),
  ]
}

/** Types whose removal may leave a name without an address, or without its delegation to other nameservers. */
const leadingTypes = new Set(['A', 'AAAA', 'CNAME', 'NS'])

/**
 * Whether a move may add warnings about the hosts in other record sets: a host becomes an alias or loses its address, or a new name hides the
 * wildcard that covered it (RFC 4592 §2.2.1).
 */
function mayTouchHosts({ name, type, before, after }: RrsetMove, origin: DomainName, hasWildcards: boolean): boolean {
  if (after === null) return leadingTypes.has(type)
  if (before !== null) return false
  return type === 'CNAME' || (hasWildcards && mayAddHost(absolute(name), origin))
}

/** Whether a name, or one between it and the apex, can be a host. */
function mayAddHost(name: DomainName, origin: DomainName): boolean {
  return name !== origin && (isHostName(name) || mayAddHost(parentOf(name), origin))
}

function sidesOf(moves: readonly RrsetMove[], side: 'before' | 'after'): StoredRrset[] {
  return moves.flatMap(({ name, type, [side]: rrset }) => (rrset ? [{ name, type, ...rrset }] : []))
}
