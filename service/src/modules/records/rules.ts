import {
  aboveRecordsText,
  belowDnameText,
  type Clash,
  canonicalRdata,
  clashesAt,
  clashText,
  excludingTypes,
  faultsTogether,
  parseType,
  rrsetBytes,
  ttlBounds,
} from '@zonewright/dns'
import { namesAbove } from '#modules/zones/index.ts'
import { type FaultDetail, Faults, Refusal } from '#platform/errors.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { isDiscovery, keyOf, type RrsetMove, type Side, type StoredRrset } from './rrset.ts'
import { isRemoval, type RrsetChange } from './rrset-change.ts'

/** The rrsets to write. No moves: the request changes nothing. */
export interface Plan {
  readonly moves: readonly RrsetMove[]
  /** The number of rrsets in the zone after the change, and their bytes. */
  readonly rrsetCount: number
  readonly bytes: number
  /** For each change of the request, the resulting rrset; null: there is none. */
  readonly results: readonly (StoredRrset | null)[]
}

/** The size of a zone, and its limits. */
export interface ZoneSize {
  readonly rrsetCount: number
  readonly bytes: number
  /** Null: the zone has no limits on rrsets, bytes and the size of a name. */
  readonly rrsetLimit: number | null
}

/**
 * Bytes that a zone's rrsets may have, by `rrsetBytes` and with their owner names. For most zones, a transfer is about this large.
 *
 * A zone is read as one value, for transfers, exports and dry runs: if all rrsets had their maximum size, this would be 640 MB, which is
 * more than a string in Node.js can have (512 MiB).
 */
export const maxZoneBytes = 32 * 1024 * 1024

/**
 * The limits of one owner name in a zone that has limits. Its bytes are counted like those of the zone.
 *
 * All rrsets of a name are read and written again with each change of it, here and on every nameserver. No name needs more.
 */
export const mostAtName = { rrsets: 500, bytes: 1024 * 1024 }

/** The other inputs of the decision: the caller, and checks of the resulting zone. */
interface Judgement {
  /** Whether the service itself makes the change, to managed records. */
  readonly byService?: boolean
  /** Whether an error can name this rrset. */
  readonly mayReveal?: (rrset: { readonly name: string; readonly type: string }) => boolean
  readonly faultsAfter?: (after: ReadonlyMap<string, StoredRrset>) => Iterable<FaultDetail>
}

/**
 * Decides what a request does to a zone. Returns the whole change, or throws a Refusal with every error at once.
 *
 * `existing` must contain every rrset at every owner name that the changes touch, the DNAMEs above these (`namesAboveOwner`), and every rrset of
 * the zone if the request may add a DNAME (`mayAddDname`). Two changes of one rrset in one request are refused: their order would matter. The
 * service's own rrsets change only `byService`, to which no limit applies.
 */
export function planChange(
  zone: ZoneSize,
  existing: readonly StoredRrset[],
  changes: readonly RrsetChange[],
  pathOf: (index: number) => string,
  judgement?: Judgement,
): Plan {
  return withoutPauses(planSliced(zone, existing, changes, pathOf, judgement))
}

/** The same with pauses: a zone can have ten thousand rrsets, and a request can change all of them. */
export function* planSliced(
  zone: ZoneSize,
  existing: readonly StoredRrset[],
  changes: readonly RrsetChange[],
  pathOf: (index: number) => string,
  { byService = false, mayReveal = () => true, faultsAfter = () => [] }: Judgement = {},
): Generator<undefined, Plan> {
  const before = new Map(existing.map((rrset) => [keyOf(rrset), rrset]))
  yield
  const after = new Map(before)
  const faults = new Faults()
  /** Several changes can share an error, for example about the host at which a preset is applied. */
  const told = new Set<FaultDetail>()
  let existingNames: ReturnType<typeof byName> | undefined
  const touched = new Map<string, number>()
  const results: (StoredRrset | null)[] = []
  for (const [i, change] of changes.entries()) {
    yield
    const key = keyOf(change)
    const standing = before.get(key)
    // For customers, the TXT of Domain Connect does not conflict with their own.
    const old = standing && !byService && isDiscovery(standing) ? undefined : standing
    if (touched.has(key))
      faults.add({
        path: pathOf(i),
        code: 'duplicate',
        message: `${change.name} ${change.type} appears twice in this request. Send it once.`,
      })
    touched.set(key, i)
    if (change.ask.kind === 'create' && old) throw rrsetExists(change)
    if (byService && change.type === 'TXT' && old && !isDiscovery(old)) {
      results.push(old)
      continue
    }
    if (change.ifNew !== undefined) {
      existingNames ??= byName(existing)
      for (const fault of newFaults(change, existingNames)) told.add(fault)
    }
    const wanted = applyTo(old, change)
    const result = byService && wanted ? { ...wanted, managed: true } : wanted
    if (old?.managed && !byService) {
      if (!wanted || !sameRrset(old, wanted))
        faults.add({ path: pathOf(i), ...serviceOwned(mayReveal(change) ? change.name : undefined) })
      results.push(old)
      continue
    }
    if (result) after.set(key, result)
    else if (old) after.delete(key)
    if (result)
      for (const fault of faultsTogether(parseType(result.type), result.records))
        faults.add({ path: pathOf(i), ...fault })
    results.push(result)
  }
  faults.addAll(told)
  if (!byService) removeDisplaced(before, after, touched)
  const step = { before, after, touched, changes, pathOf, mayReveal }
  yield* addEach(faults, exclusivityFaults(step))
  yield* addEach(faults, belowDnameFaults(step))
  yield
  faults.addAll(faultsAfter(after))
  yield
  const rrsetCount = zone.rrsetCount + after.size - before.size
  const isFull = !byService && rrsetCount > mostRrsets(zone)
  if (isFull) faults.add({ path: pathOf(0), ...zoneFull(zone, String(rrsetCount)) })
  const moves: RrsetMove[] = []
  let { bytes } = zone
  for (const move of movesBetween(before, after, touched)) {
    moves.push(move)
    bytes += bytesOf(move.name, move.after) - bytesOf(move.name, move.before)
    yield
  }
  if (!byService && bytes > mostBytes(zone)) faults.add({ path: pathOf(0), ...tooManyBytes(bytes) })
  if (!byService && zone.rrsetLimit !== null)
    yield* addEach(faults, crowdedNames(existing, after.values(), changes, pathOf, mayReveal))
  faults.refuseAny()
  return { moves, rrsetCount, bytes, results }
}

/** The errors of changes that would change rrsets that must stay as they are. */
export function lockedFaults(
  changes: readonly RrsetChange[],
  before: ReadonlyMap<string, StoredRrset>,
  after: ReadonlyMap<string, StoredRrset>,
  pathOf: (change: RrsetChange) => string,
): FaultDetail[] {
  return changes.flatMap((change) => {
    const [old, now] = [before.get(keyOf(change)), after.get(keyOf(change))]
    const isSame = old === undefined ? now === undefined : now !== undefined && sameRrset(old, now)
    const message = `${change.name} is locked in this request, so its ${change.type} records cannot change. Remove it from the request or from \`lock\`.`
    return isSame ? [] : [{ path: pathOf(change), code: 'locked', message }]
  })
}

/** Removes the TXT of Domain Connect if it cannot exist next to a customer's records: a CNAME or NS at its name, or a DNAME above it. */
function removeDisplaced(
  before: ReadonlyMap<string, StoredRrset>,
  after: Map<string, StoredRrset>,
  touched: Map<string, number>,
): void {
  for (const [key, rrset] of before) {
    if (!isDiscovery(rrset) || after.get(key) !== rrset) continue
    const { name } = rrset
    const zone = name.slice(name.indexOf('.') + 1)
    const inTheWay = [`${name} CNAME`, `${name} NS`, `${zone} DNAME`].find((other) => after.has(other))
    if (inTheWay === undefined) continue
    after.delete(key)
    touched.set(key, touched.get(inTheWay) ?? 0)
  }
}

/** Adds errors as they are found; an undefined between them is a pause. */
function* addEach(faults: Faults, found: Iterable<FaultDetail | undefined>): Generator<undefined, void> {
  for (const fault of found)
    if (fault === undefined) yield
    else faults.add(fault)
}

/** Record sets by their owner names. */
export function byName(rrsets: readonly StoredRrset[]): ReadonlyMap<string, readonly StoredRrset[]> {
  return Map.groupBy(rrsets, ({ name }) => name)
}

/** The errors of a change's name and values that the zone does not have yet. `existing`: at least the rrsets at the name. */
export function newFaults(
  { name, type, ifNew = [] }: RrsetChange,
  existing: ReadonlyMap<string, readonly StoredRrset[]>,
): FaultDetail[] {
  if (ifNew.length === 0) return []
  const there = existing.get(name) ?? []
  const values = new Set(there.find((rrset) => rrset.type === type)?.records)
  return ifNew.flatMap(({ fault, value }) => {
    const isThere = value === undefined ? there.length > 0 : values.has(value)
    return isThere ? [] : [fault]
  })
}

/** Bytes of one side of a move, as `maxZoneBytes` counts them. */
export function bytesOf(name: string, side: Side): number {
  return side === null ? 0 : name.length + rrsetBytes(side.records)
}

function mostBytes({ bytes, rrsetLimit }: ZoneSize): number {
  return rrsetLimit === null ? Infinity : Math.max(maxZoneBytes, bytes)
}

function tooManyBytes(bytes: number): FaultDetail {
  return {
    code: 'zone_full',
    message: `A zone can hold at most ${maxZoneBytes} bytes of names and records. This change would make it ${bytes}.`,
  }
}

/** Names that exceed their limit after the change. A name that already exceeds it can keep its size. */
function* crowdedNames(
  before: Iterable<StoredRrset>,
  after: Iterable<StoredRrset>,
  changes: readonly RrsetChange[],
  pathOf: (index: number) => string,
  mayReveal: NonNullable<Judgement['mayReveal']>,
): Generator<FaultDetail | undefined> {
  const had = namesIn(before)
  yield
  const has = namesIn(after)
  const looked = new Set<string>()
  for (const [i, change] of changes.entries()) {
    yield
    if (looked.has(change.name)) continue
    looked.add(change.name)
    const [was, is] = [had.get(change.name) ?? nothing, has.get(change.name) ?? nothing]
    for (const what of ['rrsets', 'bytes'] as const) {
      if (is[what] <= Math.max(mostAtName[what], was[what])) continue
      yield {
        path: pathOf(i),
        code: 'name_full',
        message: `${shownName(change, mayReveal)} can have at most ${mostAtName[what]} ${wordOf[what]}. This change would make it ${is[what]}.`,
      }
    }
  }
}

const wordOf = { rrsets: 'rrsets', bytes: 'bytes of records' }

const nothing = { rrsets: 0, bytes: 0 }

/** The size of each name. */
function namesIn(rrsets: Iterable<StoredRrset>): Map<string, typeof nothing> {
  const names = new Map<string, typeof nothing>()
  for (const { name, records } of rrsets) {
    const { rrsets, bytes } = names.get(name) ?? nothing
    names.set(name, { rrsets: rrsets + 1, bytes: bytes + rrsetBytes(records) })
  }
  return names
}

/** How many rrsets a zone can have through its customer. A zone that exceeds its limit can keep its rrsets. */
export function mostRrsets({ rrsetCount, rrsetLimit }: ZoneSize): number {
  return rrsetLimit === null ? Infinity : Math.max(rrsetLimit, rrsetCount)
}

/** The error that a zone cannot have this many rrsets. */
export function zoneFull({ rrsetLimit }: ZoneSize, wanted: string): FaultDetail {
  return {
    code: 'zone_full',
    message: `A zone can have at most ${rrsetLimit} rrsets. This change would make it ${wanted}.`,
  }
}

function serviceOwned(name: string | undefined): FaultDetail {
  const message =
    name === undefined
      ? 'The service manages these NS records while a zone with their name is hosted here. Remove them from the request.'
      : `The service manages the NS records of ${name} while the zone ${name} is hosted here.`
  return { code: 'service_owned', message }
}

function rrsetExists(change: RrsetChange): Refusal {
  return new Refusal(
    'rrset_exists',
    `${change.name} already has ${change.type} records. Use PUT to replace them, or PATCH to add to them.`,
  )
}

/** The rrset after the change; null if no record is left. */
function applyTo(old: StoredRrset | undefined, change: RrsetChange): StoredRrset | null {
  const { name, type, ask } = change
  const ttl = change.ttl ?? old?.ttl ?? ttlBounds.usual
  if (ask.kind !== 'edit') return ask.records.length === 0 ? null : { name, type, ttl, records: sorted(ask.records) }
  const removed = new Set(ask.remove)
  const kept = (old?.records ?? []).map((record) => inWords(type, record)).filter((record) => !removed.has(record))
  const records = sorted([...new Set([...kept, ...ask.add])])
  return records.length === 0 ? null : { name, type, ttl, records }
}

/** A record that was stored before its type had a codec, in its current form. */
function inWords(type: string, record: string): string {
  return record.startsWith('\\#') ? canonicalRdata(parseType(type), record) : record
}

/** The order of records in an rrset has no meaning (RFC 2181 §5). A fixed order makes equal rrsets equal. */
function sorted(records: readonly string[]): readonly string[] {
  return [...records].sort()
}

/** The known rrsets of a zone before and after a request, by `keyOf`, and the keys that its changes touch, each with the index of its change. */
interface Step {
  readonly before: ReadonlyMap<string, StoredRrset>
  readonly after: ReadonlyMap<string, StoredRrset>
  readonly touched: ReadonlyMap<string, number>
  readonly changes: readonly RrsetChange[]
  readonly pathOf: (index: number) => string
  readonly mayReveal: NonNullable<Judgement['mayReveal']>
}

/** Rrsets that would share a name with one that excludes them (`clashesAt`). If the request adds both, only the one that excludes is refused. */
function* exclusivityFaults({ after, touched, changes, pathOf, mayReveal }: Step): Generator<FaultDetail | undefined> {
  const at = Map.groupBy(after.values(), ({ name }) => name)
  for (const [key, i] of touched) {
    yield
    const change = changes[i]
    if (change === undefined || !after.has(key)) continue
    const here = excludingTypes.includes(change.type)
      ? (at.get(change.name) ?? [])
      : excludingTypes.flatMap((type) => after.get(keyOf({ name: change.name, type })) ?? [])
    for (const clash of clashesAt(change.type, here)) {
      const [first] = clash.others
      if (first === undefined || (change.type !== clash.by && touched.has(keyOf(first)))) continue
      yield { path: pathOf(i), code: clash.code, message: messageOf(change, clash, mayReveal) }
    }
  }
}

function messageOf(
  change: RrsetChange,
  clash: Clash<StoredRrset>,
  mayReveal: NonNullable<Judgement['mayReveal']>,
): string {
  const name = shownName(change, mayReveal)
  const shown = clash.others.filter(mayReveal)
  const listsTypes = change.type === clash.by && clash.by !== 'DNAME'
  if (shown.length === 0 && !listsTypes) return besideHidden(name, change)
  return clashText({ name, type: change.type }, clash, shown, shown[0]?.records[0])
}

/** The message about a record set that cannot be next to another one, which the caller cannot read. */
function besideHidden(name: string, { type }: RrsetChange): string {
  return `${name} cannot have ${type} records because of another record set at this name, which the key cannot read.`
}

/** The names above an owner name at which a DNAME would redirect it, nearest first. */
export function namesAboveOwner(name: string): string[] {
  return namesAbove(name).slice(0, -1)
}

/** Whether planning the change may require all names below its name. */
export function mayAddDname({ type, ask }: RrsetChange): boolean {
  return type === 'DNAME' && !isRemoval(ask)
}

/**
 * Nothing can be below a DNAME (RFC 6672 §2.4): it would never be answered, and Knot does not load such a zone. Rrsets that were there before
 * this check existed can be changed and deleted.
 */
function* belowDnameFaults({
  before,
  after,
  touched,
  changes,
  pathOf,
  mayReveal,
}: Step): Generator<FaultDetail | undefined> {
  const coming = [...touched].flatMap(([key, i]) => {
    const change = changes[i]
    return change !== undefined && after.has(key) && !before.has(key) ? [{ change, path: pathOf(i) }] : []
  })
  const below = coming.some(({ change }) => change.type === 'DNAME') ? standingBelow({ before, after }) : undefined
  for (const { change, path } of coming) {
    yield
    const name = shownName(change, mayReveal)
    const dname = namesAboveOwner(change.name).find((above) => after.has(`${above} DNAME`))
    if (dname !== undefined) {
      const message = belowDnameText(name, mayReveal({ name: dname, type: 'DNAME' }) ? dname : undefined)
      yield { path, code: 'below_dname', message }
    }
    const hidden = change.type === 'DNAME' ? below?.get(change.name) : undefined
    if (hidden !== undefined) {
      const message = aboveRecordsText(name, mayReveal(hidden) ? hidden : undefined)
      yield { path, code: 'dname_above_records', message }
    }
  }
}

/** Grouped by the names above: the existing rrsets that stay, one for each name. */
function standingBelow({ before, after }: Pick<Step, 'before' | 'after'>): ReadonlyMap<string, StoredRrset> {
  const below = new Map<string, StoredRrset>()
  for (const [key, rrset] of after) {
    if (!before.has(key)) continue
    for (const above of namesAboveOwner(rrset.name)) {
      if (below.has(above)) break // and at all names above that
      below.set(above, rrset)
    }
  }
  return below
}

function shownName(change: RrsetChange, mayReveal: NonNullable<Judgement['mayReveal']>): string {
  return mayReveal(change) ? change.name : 'A name of the zone'
}

function* movesBetween(
  before: ReadonlyMap<string, StoredRrset>,
  after: ReadonlyMap<string, StoredRrset>,
  touched: ReadonlyMap<string, number>,
): Generator<RrsetMove> {
  for (const key of touched.keys()) {
    const old = before.get(key)
    const now = after.get(key)
    const either = old ?? now
    if (either === undefined || (old && now && sameRrset(old, now) && isManaged(old) === isManaged(now))) continue
    yield { name: either.name, type: either.type, before: sideOf(old), after: sideOf(now) }
  }
}

function sameRrset(a: StoredRrset, b: StoredRrset): boolean {
  return (
    a.ttl === b.ttl && a.records.length === b.records.length && a.records.every((record, i) => record === b.records[i])
  )
}

/** A customer's records that become managed have changed, even with the same data. */
function isManaged({ managed = false }: StoredRrset): boolean {
  return managed
}

function sideOf(rrset: StoredRrset | undefined): Side {
  if (rrset === undefined) return null
  return { ttl: rrset.ttl, records: rrset.records, ...(rrset.managed && { managed: true }) }
}
