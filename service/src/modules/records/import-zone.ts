import { parseZoneFile, type ResourceRecord, RrType, rdataToText, ttlBounds, typeToText } from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import type { FaultDetail } from '#platform/errors.ts'
import { cutShort, parseChange, pathBelow, type RrsetChange, refusalOf } from './rrset-change.ts'
import { mostRrsets, type ZoneSize, zoneFull } from './rules.ts'

/** A zone file as changes, what of it is left out and why, and every fault with its line. */
export interface ParsedImport {
  readonly changes: readonly RrsetChange[]
  readonly ignored: readonly { line: number; name: string; type: string; reason: string }[]
  readonly faults: readonly (FaultDetail & { line: number })[]
  /** The line on which the n-th change's rrset begins. */
  readonly lines: readonly number[]
}

/** Rrsets that a file may have beside the zone's: the SOA and the apex NS. */
const ownRrsets = 2

type ReadRecord = ResourceRecord & { readonly line: number }

/**
 * Reads a zone file for a zone. The SOA and the apex NS are the service's own: they are ignored, and listed.
 *
 * Of a file with more rrsets than the zone can have no more is read: throws the refusal.
 */
export function parseImport(zone: ZoneSize & { readonly name: string }, text: string): ParsedImport {
  const apex = absolute(zone.name)
  const most = mostRrsets(zone)
  const file = parseZoneFile(text, { origin: apex, defaultTtl: ttlBounds.usual, maxRrsets: most + ownRrsets })
  if (file.tooManyAt !== undefined)
    throw refusalOf([...file.faults, { line: file.tooManyAt, ...zoneFull(zone, `${most + 1} or more`) }])
  const isOwn = ({ name, type }: ReadRecord): boolean => name === apex && (type === RrType.SOA || type === RrType.NS)
  const ignored = file.records.filter(isOwn).map((record) => ({
    line: record.line,
    name: relativeToRoot(record.name),
    type: typeToText(record.type),
    reason:
      record.type === RrType.SOA
        ? 'The SOA is the service’s own.'
        : 'The NS records at the apex are the service’s own nameservers.',
  }))
  const groups = Map.groupBy(
    file.records.filter((record) => !isOwn(record)),
    ({ name, type }) => `${name} ${type}`,
  )
  const rrsets = [...groups.values()].map((records) => readRrset(zone.name, records))
  const faults = [...file.faults, ...rrsets.flatMap((rrset) => ('faults' in rrset ? rrset.faults : []))]
  const good = rrsets.filter((rrset) => 'change' in rrset)
  return {
    changes: good.map(({ change }) => change),
    ignored,
    faults: cutShort(faults.sort((a, b) => a.line - b.line)),
    lines: good.map(({ line }) => line),
  }
}

function readRrset(
  zone: string,
  records: readonly ReadRecord[],
): { change: RrsetChange; line: number } | { faults: (FaultDetail & { line: number })[] } {
  const [first] = records
  if (first === undefined) throw new Error('an rrset has records')
  const odd = records.find(({ ttl }) => ttl !== first.ttl)
  if (odd)
    return {
      faults: [
        {
          line: odd.line,
          code: 'ttl_differs',
          message: `The records of an rrset share one TTL (RFC 2181 §5.2); line ${first.line} says ${first.ttl}.`,
        },
      ],
    }
  const parsed = parseChange(
    zone,
    {
      name: first.name,
      type: typeToText(first.type),
      ttl: first.ttl,
      ask: { kind: 'replace', records: records.map(({ type, data }) => rdataToText(type, data)) },
    },
    pathBelow(''),
  )
  if ('change' in parsed) return { change: parsed.change, line: first.line }
  return { faults: parsed.faults.map(({ path, ...fault }) => ({ ...fault, line: lineOf(records, path) })) }
}

/** The line of the record that a fault's path speaks of, else the rrset's first. */
function lineOf(records: readonly ReadRecord[], path: string | undefined): number {
  const index = Number(/\/records\/(\d+)$/.exec(path ?? '')?.[1] ?? 0)
  return records[index]?.line ?? records[0]?.line ?? 0
}
