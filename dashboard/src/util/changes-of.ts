import { parseName, parseType, printedOwner, printedValue } from '@zonewright/dns'
import type { Edits } from './edits.ts'

interface SentChange {
  name: string
  type: string
  ttl?: number
  records: string[]
  comment?: string | null
  labels?: string[] | null
}

/** The body of the bulk change: names and values in the form that new ones require. */
export function changesOf(edits: Edits): SentChange[] {
  return [...edits.values()].map(({ name, type, after, notes }) => ({
    name: printedOwner(parseName(`${name}.`)),
    type,
    records: (after?.records ?? []).map((record) => printedValue(parseType(type), record)),
    ...(after && { ttl: after.ttl }),
    ...(notes && { comment: notes.comment, labels: notes.labels && [...notes.labels] }),
  }))
}
