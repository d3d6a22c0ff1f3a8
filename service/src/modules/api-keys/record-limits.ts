import { domainToASCII } from 'node:url'
import { displayQuoted, maxLimitEntries, type RecordLimit, type WireKeyLimit } from '@zonewright/contract'
import {
  DnsFault,
  type DomainName,
  isMetaType,
  isWildcard,
  isWithin,
  labelsOf,
  ownerName,
  parentOf,
  parseType,
  typeToText,
} from '@zonewright/dns'
import { absolute, relativeToRoot, zoneNameIn } from '#modules/zones/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'

/** The names of one type that a key is limited to, without their final dot. */
export interface NamesOfType {
  readonly type: string
  readonly names: readonly string[]
  /** The names below which every name is covered. */
  readonly above: readonly string[]
}

/**
 * The record sets of one zone that a key is limited to (docs/customers/keys.md, "Limits").
 *
 * A limit on `*.lan` covers every name below `lan`, at any depth, the wildcard record `*.lan` among them, and not `lan` itself.
 */
export class RecordLimits {
  readonly #zone: string
  readonly #limits: readonly RecordLimit[]
  readonly #byType = new Map<string, { names: Set<string>; above: Set<DomainName> }>()

  /** `limits`: of the zone, as `readLimit` reads them. */
  constructor(zone: string, limits: readonly RecordLimit[]) {
    this.#zone = zone
    this.#limits = limits
    // A type that had no mnemonic when the key was created may have one now.
    for (const { names, types } of limits)
      for (const type of types.map((text) => typeToText(parseType(text)))) {
        const of = this.#byType.get(type) ?? { names: new Set(), above: new Set() }
        this.#byType.set(type, of)
        for (const name of names.map((text) => wholeName(zone, text)))
          if (isWildcard(name)) of.above.add(parentOf(name))
          else of.names.add(relativeToRoot(name))
      }
  }

  /** Whether the limits cover an rrset: `name` is canonical and without its final dot, and `type` as `typeToText` writes it. */
  covers({ name, type }: { readonly name: string; readonly type: string }): boolean {
    const of = this.#byType.get(type)
    if (of === undefined) return false
    if (of.names.has(name)) return true
    if (of.above.size === 0) return false
    const whole = absolute(name)
    return [...of.above].some((above) => whole !== above && isWithin(whole, above))
  }

  /** The same for a filter in the database. */
  get byType(): NamesOfType[] {
    return [...this.#byType].map(([type, { names, above }]) => ({
      type,
      names: [...names],
      above: [...above].map(relativeToRoot),
    }))
  }

  /** Whether these limits cover every name and type of another limit of the same zone. */
  coversAll({ names, types }: RecordLimit): boolean {
    return names.every((text) => types.every((type) => this.#coversName(wholeName(this.#zone, text), type)))
  }

  #coversName(name: DomainName, type: string): boolean {
    if (!isWildcard(name)) return this.covers({ name: relativeToRoot(name), type })
    // A limit on all names below a name is covered only by one on all names below the same name or below one of its parents.
    const above = this.#byType.get(type)?.above ?? []
    return [...above].some((each) => isWithin(parentOf(name), each))
  }

  /** For a message: `home, *.lan (A, AAAA); @ (TXT)`. */
  get text(): string {
    const shown = this.#limits.slice(0, mostShown).map(({ names, types }) => `${some(names)} (${some(types)})`)
    return this.#limits.length > mostShown ? `${shown.join('; ')}; …` : shown.join('; ')
  }
}

/** Maximum number of limits, names and types that a message shows. */
const mostShown = 5

function some(texts: readonly string[]): string {
  return texts.length > mostShown ? `${texts.slice(0, mostShown).join(', ')}, …` : texts.join(', ')
}

/** A name of a stored limit, fully qualified. */
function wholeName(zone: string, text: string): DomainName {
  return absolute(text === '@' ? zone : `${text}.${zone}`)
}

/** A zone in the scope of a key. */
interface NamedZone {
  readonly id: string
  readonly name: string
}

/**
 * Reads the limits that someone wants for a key, by the ids of their zones: canonical and without repetitions. They must name each of the
 * key's zones, and no other. Every error is reported, with its place below `/limits`.
 */
export function readLimits(
  zones: readonly NamedZone[],
  asked: readonly WireKeyLimit[],
): { limits: ReadonlyMap<string, readonly RecordLimit[]>; faults: readonly FaultDetail[] } {
  const limits = new Map<string, RecordLimit[]>()
  const faults: FaultDetail[] = []
  const count = { names: 0, types: 0 }
  for (const [i, { zone, ...limit }] of asked.entries()) {
    // A name can refer to two zones: a pending one, and a live one that is shared with the account.
    const meant = zones.filter(({ id, name }) => id === zone.toLowerCase() || name === zoneNameIn(zone))
    if (meant.length === 0)
      faults.push({
        path: `/limits/${i}/zone`,
        code: 'not_found',
        message: `${displayQuoted(firstCharacters(zone))} is not one of the zones of the key.`,
      })
    for (const [place, { id, name }] of meant.entries()) {
      const read = readLimit(name, limit, `/limits/${i}`, faults)
      limits.set(id, [...(limits.get(id) ?? []), read])
      if (place > 0) continue
      count.names += read.names.length
      count.types += read.types.length
    }
  }
  for (const what of ['names', 'types'] as const)
    if (count[what] > maxLimitEntries)
      faults.push({
        path: '/limits',
        code: 'too_many',
        message: `The limits of a key can have at most ${maxLimitEntries} ${what} together. These have ${count[what]}.`,
      })
  for (const { name } of zones.filter(({ id }) => !limits.has(id)))
    faults.push({
      path: '/limits',
      code: 'missing',
      message: `The limits must name each zone of the key. ${name} is missing.`,
    })
  return { limits, faults }
}

function readLimit(zone: string, asked: RecordLimit, path: string, faults: FaultDetail[]): RecordLimit {
  const read = (what: keyof RecordLimit, parse: (text: string) => string) => [
    ...new Set(
      asked[what].flatMap((text, i) => {
        try {
          return parse(text)
        } catch (error) {
          if (!(error instanceof DnsFault)) throw error
          faults.push({ path: `${path}/${what}/${i}`, code: error.code, message: error.message })
          return []
        }
      }),
    ),
  ]
  return { names: read('names', (text) => limitName(text, absolute(zone))), types: read('types', limitType) }
}

/** The name of a limit as it is stored: relative to the zone. */
function limitName(text: string, origin: DomainName): string {
  const name = ownerName(text, origin, domainToASCII)
  if (name === origin) return '@'
  const relative = name.slice(0, -origin.length - 1)
  // A limit such as web* is probably meant as a pattern. Only one kind of pattern exists.
  if (labelsOf(name).some((label, i) => label.includes('*') && (i > 0 || label !== '*')))
    throw new DnsFault('bad_name', `${relative} has a * in the wrong place. A * must be the whole first label.`)
  return relative
}

function limitType(text: string): string {
  const type = parseType(text)
  if (isMetaType(type))
    throw new DnsFault('bad_type', `${typeToText(type)} is not the type of a record. Name each type, such as A.`)
  return typeToText(type)
}
