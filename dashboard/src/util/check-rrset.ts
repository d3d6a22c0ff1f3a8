import {
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
  /** Errors of the values together. */
  readonly together?: string
  /** By the position of the value: the result, if the value has a name without a final dot. */
  readonly readings: Readonly<Record<number, string>>
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
  readonly records: readonly string[]
}

/**
 * Checks the input with the rules of the server, those of packages/dns. Empty values are not checked yet. A name in a value that has a dot is
 * absolute, with or without a final dot. `known`: the rrsets of the zone, or at least the edited ones.
 */
export function checkRrset(zone: string, typed: TypedRrset, known: readonly KnownRrset[] = []): CheckedRrset {
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
    () => readOwner(typed.name.trim() === '' ? '@' : typed.name.trim(), origin, toAscii),
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
  const misplaced = placementFault(name, type, origin)
  if (misplaced) faults[misplaced.at] = misplaced.message
  const isThere = (value: string): boolean =>
    known.some(
      (rrset) => rrset.name === withoutDot(name) && rrset.type === typeToText(type) && rrset.records.includes(value),
    )
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
  const [together] = faultsTogether(type, unique)
  if (together) faults.together = together.message
  const isGood = Object.keys(faults).length === 0 && filled.length > 0 && records.length === filled.length
  return {
    ...faults,
    values,
    readings,
    ...(isGood && { canonical: { name: withoutDot(name), type: typeToText(type), ttl: typed.ttl, records: unique } }),
  }
}

/** Whether a value has a name that was not written in full. */
function isCompleted(type: RrType, typed: string, record: string): boolean {
  return namesIn(type, parseRdata(type, record)).some((name) => !typed.toLowerCase().includes(name))
}

function withoutDot(name: DomainName): string {
  return name.replace(/\.$/, '')
}

/** A host as the browser's URL parser returns it; '' if the parser refuses it. */
export function toAscii(name: string): string {
  try {
    const { hostname } = new URL(`http://${name.replaceAll('*', 'x--star--x')}`)
    return hostname.replaceAll('x--star--x', '*')
  } catch {
    return ''
  }
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
