import type { Edit, Edits, ShownRrset } from './edits.ts'
import { keyOf } from './edits.ts'

/** Record sets as edits of another zone: under the same names below it, with the same values. Deleted ones are left out. */
export function copiedEdits(rrsets: readonly ShownRrset[], from: string, to: string): Edits {
  const edits = rrsets
    .filter(({ managed, edit }) => !managed && edit?.after !== null)
    .map(({ name, type, ttl, records }): Edit => {
      const copy = name === from ? to : `${name.slice(0, -from.length)}${to}`
      return { name: copy, type, before: null, after: { ttl, records } }
    })
  return new Map(edits.map((edit) => [keyOf(edit), edit]))
}
