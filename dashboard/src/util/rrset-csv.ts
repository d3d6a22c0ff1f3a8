import { csvOf } from './csv.ts'
import type { Rrset } from './edits.ts'

/** Record sets as a table, with one line for each record. */
export function rrsetsAsCsv(rrsets: readonly Rrset[]): string {
  const records = rrsets.flatMap((rrset) => rrset.records.map((value) => ({ ...rrset, value })))
  return csvOf(records, {
    name: ({ name }) => name,
    type: ({ type }) => type,
    ttl: ({ ttl }) => ttl,
    value: ({ value }) => value,
    managed: ({ managed }) => managed,
    labels: ({ labels = [] }) => labels.join(' '),
    comment: ({ comment = '' }) => comment,
  })
}
