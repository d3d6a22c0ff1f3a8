import { parseName, parseType, printedOwner, printedValue } from '@zonewright/dns'
import type { Edits } from './edits.ts'

/** The body of the bulk change: names and values in the form that new ones require. */
export function changesOf(edits: Edits): { name: string; type: string; ttl?: number; records: string[] }[] {
  return [...edits.values()].map(({ name, type, after }) => ({
    name: printedOwner(parseName(`${name}.`)),
    type,
    records: (after?.records ?? []).map((record) => printedValue(parseType(type), record)),
    ...(after && { ttl: after.ttl }),
  }))
}
