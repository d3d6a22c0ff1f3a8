import { parseName, parseType, printedOwner, printedValue } from '@zonewright/dns'
import type { Edits } from './edits.ts'

/** What the bulk change sends: names and values as new ones are written. */
export function changesOf(edits: Edits): { name: string; type: string; ttl?: number; records: string[] }[] {
  return [...edits.values()].map(({ name, type, after }) => ({
    name: printedOwner(parseName(`${name}.`)),
    type,
    records: (after?.records ?? []).map((record) => printedValue(parseType(type), record)),
    ...(after && { ttl: after.ttl }),
  }))
}
