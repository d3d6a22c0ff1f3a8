import { type DomainName, isWithin, labelsOf, type RelativeName } from '@zonewright/dns'
import { isHostTld } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Warning } from './warnings.ts'
import { childAbove, type ZoneNames } from './zone-names.ts'

/** A relative name of two or more labels in the data of a record set: it may be an absolute name whose final dot was forgotten. */
export interface DotlessName extends RelativeName {
  /** Owner name and type of the record set. */
  readonly name: string
  readonly type: string
  /** The place of the name: a JSON pointer, or the line of a zone file. */
  readonly at: { readonly path: string } | { readonly line: number }
}

/** Maximum number of warnings about names in JSON, and about lines of a zone file. */
export const maxWarnings = 100

/** Maximum number of names of a zone file that are examined. */
export const maxNamesOfFile = 10_000

/** The name as it is read, with the origin appended. */
export function readingOf({ absolute, origin }: RelativeName): DomainName {
  return `${absolute}${origin}` as DomainName
}

/** The names in JSON, which are refused unless they lead somewhere in the zone. */
export function suspectNames(names: readonly DotlessName[]): DotlessName[] {
  return names.filter(({ at }) => 'path' in at)
}

function endsInTld({ absolute }: RelativeName): boolean {
  return isHostTld(labelsOf(absolute).at(-1) ?? '')
}

/** The ancestor of a name directly below the origin. With a record at or below it, the name is most likely meant as relative. */
export function branchOf(name: RelativeName): DomainName {
  return childAbove(readingOf(name), name.origin)
}

/** The faults of suspect names that match nothing in the zone after the change. */
export function* missingDotFaults(suspects: readonly DotlessName[], after: ZoneNames): Generator<FaultDetail> {
  for (const name of suspects) {
    if (leadsSomewhere(name, after) || !('path' in name.at)) continue
    yield { path: name.at.path, code: 'missing_dot', message: messageOf(name) }
  }
}

function leadsSomewhere(name: RelativeName, zone: ZoneNames): boolean {
  return zone.exists(branchOf(name)) || zone.leadsSomewhere(readingOf(name))
}

/** The names of zone files. */
export function lineNames(names: readonly DotlessName[]): DotlessName[] {
  return names.filter(({ at }) => 'line' in at)
}

/** The names in a JSON request, of which there may be a million: only as many as its faults and warnings can list. */
export class JsonNames {
  readonly #warnings = new Map<string, Warning>()
  /** By `branchOf`: all suspects of one branch are refused or none, since only what is at it or covers it decides. */
  readonly #suspects = new Map<DomainName, DotlessName[]>()

  add(names: readonly DotlessName[]): void {
    for (const name of names) {
      if (this.#warnings.size < maxWarnings)
        this.#warnings.set(`${name.name} ${name.type} ${readingOf(name)}`, warningOf(name))
      if (!endsInTld(name)) continue
      const branch = branchOf(name)
      const known = this.#suspects.get(branch)
      if (known === undefined) this.#suspects.set(branch, [name])
      else if (known.length <= Refusal.maxFaults) known.push(name)
    }
  }

  get warnings(): Warning[] {
    return [...this.#warnings.values()]
  }

  get suspects(): DotlessName[] {
    return [...this.#suspects.values()].flat()
  }
}

/**
 * The warnings about names in a zone file, one per line. Relative names are common there. A name that leads somewhere in the zone after the
 * change gets a warning only if its last label is a TLD, or if it already ends in the zone's own name.
 */
export function lineWarnings(names: readonly DotlessName[], after: () => ZoneNames): Warning[] {
  const byLine = new Map<number, Warning>()
  const inFile = lineNames(names)
  const zone = inFile.length > 0 ? after() : undefined
  for (const name of inFile) {
    if (zone === undefined || byLine.size === maxWarnings) break
    if (!('line' in name.at) || byLine.has(name.at.line)) continue
    const isDoubtful = endsInTld(name) || isWithin(name.absolute, name.origin)
    if (!isDoubtful && leadsSomewhere(name, zone)) continue
    byLine.set(name.at.line, warningOf(name))
  }
  return [...byLine.values()]
}

function warningOf(name: DotlessName): Warning {
  const line = 'line' in name.at ? { line: name.at.line } : {}
  return { name: name.name, type: name.type, code: 'forgotten_dot', message: messageOf(name), ...line }
}

function messageOf(name: RelativeName): string {
  const { absolute } = name
  const reading = readingOf(name)
  return `${absolute.slice(0, -1)} has no final dot, so it means ${reading} Write ${absolute} for the absolute name, or ${reading} if that is what you mean.`
}
