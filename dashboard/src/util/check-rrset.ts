import {
  aboveRecordsText,
  aLabels,
  belowDnameText,
  clashesAt,
  clashText,
  DnsFault,
  type DomainName,
  faultsTogether,
  namesIn,
  parseName,
  parseRdata,
  parseType,
  placementFault,
  type RrType,
  readOwner,
  readValue,
  ttlFault,
  typeToText,
} from '@zonewright/dns'
import { shownName } from './shown-name.ts'
import { hostOfUrl, toAscii } from './typed-host.ts'

/** An rrset as a person has typed it. */
export interface TypedRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** Record data as text, one entry per value. */
  readonly values: readonly string[]
}

/** The errors, by the part that they are about; or the canonical form. */
export interface CheckedRrset {
  readonly name?: string
  readonly type?: string
  readonly ttl?: string
  /** By the position of the value. */
  readonly values: Readonly<Record<number, string>>
  /** Errors of the values as a whole, and conflicts with the other rrsets of the zone. */
  readonly together?: string
  /** By the position of the value: the result, if the value has a name without a final dot. */
  readonly readings: Readonly<Record<number, string>>
  /** The full owner name, without a final dot, if the typed name is one. */
  readonly owner?: string
  /** The rrset of the zone that the values are added to. */
  readonly joins?: KnownRrset
  readonly canonical?: {
    readonly name: string
    readonly type: string
    readonly ttl: number
    readonly records: readonly string[]
  }
}

/** Existing names and values of a zone. They are accepted as they are printed, whatever the rules for new ones. */
export interface KnownRrset {
  readonly name: string
  readonly type: string
  readonly ttl?: number
  readonly records: readonly string[]
}

/** What the input is compared with. */
export interface ZoneAround {
  /** The rrsets that the zone has, or at least the edited ones. */
  readonly known?: readonly KnownRrset[]
  /** The other rrsets of the zone after the unsaved edits. */
  readonly others?: readonly KnownRrset[]
}

/**
 * Checks the input with the rules of the server, those of packages/dns. Empty values are not checked yet. A name in a value that has a dot is
 * absolute, with or without a final dot.
 */
export function checkRrset(
  zone: string,
  typed: TypedRrset,
  { known = [], others = [] }: ZoneAround = {},
): CheckedRrset {
  const origin = parseName(`${zone}.`)
  const faults: { name?: string; type?: string; ttl?: string; together?: string } = {}
  const values: Record<number, string> = {}
  const readings: Record<number, string> = {}
  const attempt = <T>(work: () => T, tell: (message: string) => void): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
      tell(error.message)
      return undefined
    }
  }
  const owner = attempt(
    () => readOwner(typedOwner(zone, typed.name), origin, toAscii),
    (message) => {
      faults.name = message
    },
  )
  const name = owner?.name
  if (owner?.fault && !known.some((rrset) => rrset.name === withoutDot(owner.name))) faults.name = owner.fault.message
  const type = attempt(
    () => parseType(typed.type.trim()),
    (message) => {
      faults.type = message
    },
  )
  const ttl = ttlFault(typed.ttl)
  if (ttl) faults.ttl = ttl.message
  if (name === undefined || type === undefined) return { ...faults, values, readings }
  const key = { name: withoutDot(name), type: typeToText(type) }
  const isSame = (rrset: KnownRrset): boolean => rrset.name === key.name && rrset.type === key.type
  const misplaced = placementFault(name, type, origin)
  if (misplaced) faults[misplaced.at] = misplaced.message
  const isThere = (value: string): boolean => known.some((rrset) => isSame(rrset) && rrset.records.includes(value))
  const filled = typed.values.map((value) => value.trim()).filter((value) => value !== '')
  const records = typed.values.flatMap((value, i) =>
    value.trim() === ''
      ? []
      : (attempt(
          () => {
            const { value: canonical, fault } = readValue(type, value.trim(), origin, 'absolute')
            if (fault && !isThere(canonical)) throw new DnsFault('bad_rdata', fault.message)
            if (isCompleted(type, value.trim(), canonical)) readings[i] = canonical
            return canonical
          },
          (message) => {
            values[i] = message
          },
        ) ?? []),
  )
  const unique = [...new Set(records)]
  const joins = others.find(isSame)
  const together =
    besideFault(key, others, known.some(isSame)) ??
    faultsTogether(type, [...new Set([...(joins?.records ?? []), ...unique])])[0]?.message
  if (together) faults.together = together
  else if (
    joins &&
    unique.length > 0 &&
    unique.every((value) => joins.records.includes(value)) &&
    joins.ttl === typed.ttl
  )
    faults.together = unique.length === 1 ? 'The zone already has this record.' : 'The zone already has these records.'
  const isGood = Object.keys(faults).length === 0 && filled.length > 0 && records.length === filled.length
  return {
    ...faults,
    values,
    readings,
    ...(faults.name === undefined && { owner: key.name }),
    ...(joins && { joins }),
    ...(isGood && { canonical: { ...key, ttl: typed.ttl, records: unique } }),
  }
}

/** Why an rrset conflicts with the others of the zone. `isOld`: the zone already has it, so nothing new comes below a DNAME. */
function besideFault(
  { name, type }: { readonly name: string; readonly type: string },
  others: readonly KnownRrset[],
  isOld: boolean,
): string | undefined {
  const here = others.filter((other) => other.name === name)
  const [clash] = clashesAt(type, here)
  if (clash) return clashText({ name, type }, clash, clash.others, clash.others[0]?.records[0])
  if (isOld) return undefined
  const dname = others.find((other) => other.type === 'DNAME' && name.endsWith(`.${other.name}`))
  if (dname) return belowDnameText(name, dname.name)
  const below = type === 'DNAME' ? others.find((other) => other.name.endsWith(`.${name}`)) : undefined
  return below && aboveRecordsText(name, below)
}

/** The owner name that a person means. For a pasted URL, with or without its scheme, this is its host. */
function typedOwner(zone: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return '@'
  const { host } = hostOfUrl(trimmed)
  if (host !== trimmed) return host.includes('.') ? `${host.replace(/\.$/, '')}.` : host
  const slash = trimmed.indexOf('/')
  const before = trimmed.slice(0, slash).toLowerCase()
  return slash > 0 && `.${before}`.endsWith(`.${zone}`) ? `${before}.` : trimmed
}

/** A host in record data as a person writes it: the host of a pasted URL, with Unicode labels as A-labels. */
export function typedTarget(text: string): string {
  const { host } = hostOfUrl(text)
  return /^[\x00-\x7f]*$/.test(host) ? host : aLabels(host, toAscii) || host
}

/** Whether a value has a name that was not written in full. */
function isCompleted(type: RrType, typed: string, record: string): boolean {
  return namesIn(type, parseRdata(type, record)).some((name) => !typed.toLowerCase().includes(name))
}

function withoutDot(name: DomainName): string {
  return name.replace(/\.$/, '')
}

/**
 * An owner name as people write it in its zone: `@`, or without the zone's name. If that would be parsed as another name, because it ends in the
 * zone's name again, it is written in full, with its final dot. `ownerName` returns the original.
 */
export function relativeName(name: string, zone: string): string {
  if (name === zone) return '@'
  const below = `.${zone}`
  if (!name.endsWith(below)) return name
  const relative = name.slice(0, -below.length)
  return `.${relative}`.endsWith(below) ? `${name}.` : relative
}

/** `relativeName` with Unicode labels, to be shown. */
export function shownOwner(name: string, zone: string): string {
  return shownName(relativeName(name, zone))
}

/** A value as people read it: host names in it are shown in Unicode. Text is shown as it is. */
export function shownRecord(type: string, record: string): string {
  return textTypes.has(type) ? record : shownName(record)
}

const textTypes: ReadonlySet<string> = new Set(['TXT', 'SPF', 'CAA', 'URI', 'RESINFO', 'WALLET', 'NAPTR'])
