import {
  canonicalRdata,
  type DomainName,
  type Prerequisite,
  parseType,
  Rcode,
  RrType,
  rdataToText,
  typeToText,
  type UpdateChange,
} from '@zonewright/dns'
import { type NewFault, parseChange, pathBelow, type RrsetChange, type StoredRrset } from '#modules/records/index.ts'
import { apexRrsets, relativeToRoot } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'

/** The owner name and type of a record set, as the module records writes them. */
export interface Target {
  readonly name: string
  readonly type: string
}

/** What a key can do with record sets. Each throws the refusal. */
export interface UpdateAccess {
  refuseRead(target: Target): void
  refuseChange(target: Target): void
  /** The types at a name that the key may use, for operations on a whole name; undefined: any type. */
  readonly types: readonly string[] | undefined
}

/** What must hold, in the terms of the module records. Without a type: any record set of the name. With a value: one of the whole set. */
interface Condition {
  readonly name: string
  readonly type?: string
  readonly value?: string
  readonly exists: boolean
}

/** One change of an update. */
type Step =
  | (Target & {
      readonly kind: 'add'
      readonly ttl: number
      readonly value: string
      readonly ifNew: readonly NewFault[]
    })
  | (Target & { readonly kind: 'remove-value'; readonly value: string })
  | (Target & { readonly kind: 'remove-rrset' })
  | { readonly kind: 'remove-name'; readonly name: string }

/** An update whose names and values are canonical and valid on their own. */
export interface RecordUpdate {
  readonly conditions: readonly Condition[]
  readonly steps: readonly Step[]
  /** The same for the module records, which decides by them how the update is made. */
  readonly changes: readonly RrsetChange[]
}

/** A prerequisite does not hold: nothing is changed (RFC 2136 §3.2). */
export class PrerequisiteFailed extends Error {
  readonly rcode: number

  constructor(rcode: number) {
    super('a prerequisite of an update does not hold')
    this.name = 'PrerequisiteFailed'
    this.rcode = rcode
  }
}

/** TTLs in seconds that an update may set. Others are changed to the nearest of these. */
const ttlRange = { least: 30, most: 604_800 }

/** Reads an update of a zone, with pauses. @throws Refusal that lists everything that the API would also refuse */
export function* readUpdateOf(
  zone: string,
  prerequisites: readonly Prerequisite[],
  changes: readonly UpdateChange[],
): Generator<undefined, RecordUpdate> {
  const faults: FaultDetail[] = []
  const read: { readonly step: Step; readonly change?: RrsetChange }[] = []
  for (const change of changes) {
    read.push(readStep(zone, change, faults))
    yield
  }
  if (faults.length > 0) throw Refusal.of(faults)
  return {
    conditions: prerequisites.map(conditionOf),
    steps: read.map(({ step }) => step),
    changes: read.flatMap(({ change }) => change ?? []),
  }
}

function conditionOf(prerequisite: Prerequisite): Condition {
  const name = relativeToRoot(prerequisite.name)
  switch (prerequisite.kind) {
    case 'name-in-use':
      return { name, exists: true }
    case 'name-not-in-use':
      return { name, exists: false }
    case 'rrset-exists':
      return { name, type: typeToText(prerequisite.type), exists: true }
    case 'rrset-missing':
      return { name, type: typeToText(prerequisite.type), exists: false }
    case 'record-exists':
      return { name, ...typeAndValue(prerequisite.type, prerequisite.data), exists: true }
  }
}

function typeAndValue(type: RrType, data: Parameters<typeof rdataToText>[1]): { type: string; value: string } {
  return { type: typeToText(type), value: rdataToText(type, data) }
}

/** A change of SOA and NS at the apex is compared with those of the service (`planUpdate`). Any other is checked as the API checks it. */
function readStep(
  zone: string,
  change: UpdateChange,
  faults: FaultDetail[],
): { readonly step: Step; readonly change?: RrsetChange } {
  if (change.kind === 'delete-name') return { step: { kind: 'remove-name', name: relativeToRoot(change.name) } }
  const { name, type } = change.kind === 'add-record' ? change.record : change
  const target = { name: relativeToRoot(name), type: typeToText(type) }
  const isOwn = target.name === zone && (type === RrType.SOA || type === RrType.NS)
  if (change.kind === 'delete-rrset') {
    const step = { ...target, kind: 'remove-rrset' } as const
    return isOwn ? { step } : { step, ...parsed(zone, { name, type }, { kind: 'replace', records: [] }, faults) }
  }
  if (change.kind === 'delete-record') {
    const value = rdataToText(type, change.data)
    const step = { ...target, kind: 'remove-value', value } as const
    return isOwn
      ? { step }
      : { step, ...parsed(zone, { name, type }, { kind: 'edit', add: [], remove: [value] }, faults) }
  }
  const value = rdataToText(type, change.record.data)
  const ttl = Math.min(Math.max(change.record.ttl, ttlRange.least), ttlRange.most)
  const step = { ...target, kind: 'add', ttl, value } as const
  if (isOwn) return { step: { ...step, ifNew: [] } }
  const added = parsed(zone, { name, type, ttl }, { kind: 'edit', add: [value], remove: [] }, faults)
  const [canonical = value] = added.change?.ask.kind === 'edit' ? added.change.ask.add : []
  return { step: { ...step, value: canonical, ifNew: added.change?.ifNew ?? [] }, ...added }
}

function parsed(
  zone: string,
  { name, type, ttl }: { name: DomainName; type: RrType; ttl?: number },
  ask: RrsetChange['ask'],
  faults: FaultDetail[],
): { readonly change?: RrsetChange } {
  const read = parseChange(zone, { name, type: typeToText(type), ttl, ask, isCanonical: true }, pathBelow(''))
  if ('change' in read) return { change: read.change }
  // Where an error is says nothing to the sender of a message.
  faults.push(...read.faults.map(({ code, message }) => ({ code, message })))
  return {}
}

/** The owner names whose record sets decide what an update does. */
export function namesIn({ conditions, steps }: RecordUpdate): string[] {
  return [...new Set([...conditions, ...steps].map(({ name }) => name))]
}

/**
 * Decides what an update does to a zone: checks every prerequisite, and carries out the changes in their order (RFC 2136 §3.2, §3.4.2).
 *
 * @param rrsets at least all at the names of the update
 * @throws PrerequisiteFailed, or the Refusal of what the key may not read or change
 */
export function planUpdate(
  update: RecordUpdate,
  zone: Parameters<typeof apexRrsets>[0],
  rrsets: readonly StoredRrset[],
  { access, nameservers }: { readonly access: UpdateAccess; readonly nameservers: readonly string[] },
): RrsetChange[] {
  const own = apexRrsets(zone, nameservers).map(({ type, ttl, data }) => ({
    name: zone.name,
    type: typeToText(type),
    ttl,
    records: data.map((each) => rdataToText(type, each)),
  }))
  const state = new ZoneState(rrsets)
  for (const condition of update.conditions) refuseCondition(condition, state, access)
  checkConditions(update.conditions, new ZoneState([...rrsets, ...own]))
  const edited = new ZoneState(rrsets)
  for (const step of update.steps) {
    if (isOwnStep(step, zone.name)) applyToOwn(step, own)
    else apply(step, edited, access)
  }
  return edited.changesSince(state)
}

/** A record set as an update edits it. */
interface Edited {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  readonly ifNew: readonly NewFault[]
}

/** The known record sets of a zone, by name and type. */
class ZoneState {
  readonly #names = new Map<string, Map<string, Edited>>()

  constructor(rrsets: readonly StoredRrset[]) {
    for (const { name, type, ttl, records } of rrsets)
      this.put({ name, type, ttl, records: records.map((record) => inWords(type, record)), ifNew: [] })
  }

  at(name: string): Edited[] {
    return [...(this.#names.get(name)?.values() ?? [])]
  }

  get({ name, type }: Target): Edited | undefined {
    return this.#names.get(name)?.get(type)
  }

  put(rrset: Edited): void {
    const here = this.#names.get(rrset.name) ?? new Map<string, Edited>()
    this.#names.set(rrset.name, here)
    if (rrset.records.length > 0) here.set(rrset.type, rrset)
    else here.delete(rrset.type)
  }

  remove({ name, type }: Target): void {
    this.#names.get(name)?.delete(type)
  }

  /** The record sets that differ from an earlier state, each as one change. */
  changesSince(before: ZoneState): RrsetChange[] {
    const changes: RrsetChange[] = []
    for (const [name, here] of this.#names) {
      for (const [type, { ttl, records, ifNew }] of here) {
        const old = before.get({ name, type })
        if (old !== undefined && old.ttl === ttl && isSameSet(old.records, records)) continue
        changes.push({ name, type, ttl, ask: { kind: 'replace', records }, ...(ifNew.length > 0 && { ifNew }) })
      }
      for (const { type } of before.at(name))
        if (!here.has(type)) changes.push({ name, type, ttl: undefined, ask: { kind: 'replace', records: [] } })
    }
    return changes
  }
}

/** A value that was stored before its type had a text form, in its current form. */
function inWords(type: string, record: string): string {
  return record.startsWith('\\#') ? canonicalRdata(parseType(type), record) : record
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set(some)
  return all.size === new Set(others).size && others.every((record) => all.has(record))
}

/** A prerequisite needs `records:read`, because it reveals whether records exist. */
function refuseCondition({ name, type }: Condition, state: ZoneState, access: UpdateAccess): void {
  if (type === undefined) refuseName(name, state, access.types, (target) => access.refuseRead(target))
  else access.refuseRead({ name, type })
}

/**
 * An operation on a whole name concerns the record sets at it. If there are none, the key must be allowed to use the name with some type.
 * The refusal must not name what the key cannot read.
 */
function refuseName(
  name: string,
  state: ZoneState,
  types: readonly string[] | undefined,
  refuse: (target: Target) => void,
): void {
  const allows = (type: string): boolean => {
    try {
      refuse({ name, type })
      return true
    } catch {
      return false
    }
  }
  const there = state.at(name).map(({ type }) => type)
  const isAllowed = there.length > 0 ? there.every(allows) : types === undefined ? allows('ANY') : types.some(allows)
  if (!isAllowed) refuse({ name, type: 'ANY' })
}

function checkConditions(conditions: readonly Condition[], state: ZoneState): void {
  for (const { name, type, value, exists } of conditions) {
    if (type === undefined) {
      const isInUse = state.at(name).length > 0
      if (exists && !isInUse) throw new PrerequisiteFailed(Rcode.NXDOMAIN)
      if (!exists && isInUse) throw new PrerequisiteFailed(Rcode.YXDOMAIN)
    } else if (value === undefined) {
      const isThere = state.get({ name, type }) !== undefined
      if (exists && !isThere) throw new PrerequisiteFailed(Rcode.NXRRSET)
      if (!exists && isThere) throw new PrerequisiteFailed(Rcode.YXRRSET)
    }
  }
  // Those with values name whole record sets, several of them one set together (§3.2.3).
  const sets = Map.groupBy(
    conditions.filter(({ value }) => value !== undefined),
    ({ name, type }) => `${name} ${type}`,
  )
  for (const [key, all] of sets) {
    const [name = '', type = ''] = key.split(' ')
    const wanted = all.flatMap(({ value }) => value ?? [])
    if (!isSameSet(state.get({ name, type })?.records ?? [], wanted)) throw new PrerequisiteFailed(Rcode.NXRRSET)
  }
}

type TypedStep = Exclude<Step, { kind: 'remove-name' }>

function isOwnStep(step: Step, zone: string): step is TypedStep {
  return step.kind !== 'remove-name' && step.name === zone && (step.type === 'SOA' || step.type === 'NS')
}

/**
 * SOA and NS at the apex stay. Adding what is there, and removing what is not there, changes nothing. Removing all of them is also ignored, as
 * RFC 2136 §3.4.2.3 requires.
 */
function applyToOwn(step: TypedStep, own: readonly StoredRrset[]): void {
  if (step.kind === 'remove-rrset' || (step.type === 'SOA' && step.kind === 'remove-value')) return
  const records = own.find(({ type }) => type === step.type)?.records ?? []
  const isThere = records.some((record) => withoutSerial(step.type, record) === withoutSerial(step.type, step.value))
  if (isThere === (step.kind === 'add')) return
  throw new Refusal('service_owned', `The service manages the ${step.type} records of ${step.name}.`)
}

/** An SOA without its serial, which the service sets. */
function withoutSerial(type: string, record: string): string {
  return type === 'SOA' ? record.split(' ').toSpliced(2, 1).join(' ') : record
}

function apply(step: Step, state: ZoneState, access: UpdateAccess): void {
  if (step.kind === 'remove-name') {
    refuseName(step.name, state, access.types, (target) => access.refuseChange(target))
    for (const { name, type } of state.at(step.name)) state.remove({ name, type })
    return
  }
  access.refuseChange(step)
  if (step.kind === 'remove-rrset') {
    state.remove(step)
    return
  }
  const old = state.get(step)
  if (step.kind === 'remove-value') {
    if (old) state.put({ ...old, records: old.records.filter((record) => record !== step.value) })
    return
  }
  // Neither is an error: a CNAME next to other records, or the reverse, is left out (§3.4.2.2). A CNAME next to an ALIAS is refused, as
  // addresses are: RFC 2136 has no ALIAS, and the client does not see it.
  const isAlias = step.type === 'CNAME'
  const here = state.at(step.name)
  const isBesideAlias = here.some(({ type }) => type === 'ALIAS')
  if (!isBesideAlias && here.some(({ type }) => (type === 'CNAME') !== isAlias)) return
  const { name, type, ttl, value, ifNew } = step
  const records = isAlias ? [value] : [...new Set([...(old?.records ?? []), value])]
  state.put({ name, type, ttl, records, ifNew: [...(old?.ifNew ?? []), ...ifNew] })
}
