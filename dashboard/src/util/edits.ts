/** An rrset's content; null where there is none. */
export interface RrsetContent {
  readonly ttl: number
  readonly records: readonly string[]
}
export type Side = RrsetContent | null

/** A change of one rrset that is not saved yet: from what the person saw, to what is wanted. */
export interface Edit {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
}

/** Edits by rrset: several in one place would be one. */
export type Edits = ReadonlyMap<string, Edit>

/** The edits of whoever has made none, or is gone from here. Who has taken back or saved all has an empty map of their own. */
export const noEdits: Edits = new Map()

export function keyOf({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name} ${type}`
}

/** How many edits, in words. */
export function changesText(count: number): string {
  return count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`
}

export function sameSide(a: Side, b: Side): boolean {
  if (a === null || b === null) return a === b
  const sorted = [...b.records].sort()
  return (
    a.ttl === b.ttl && a.records.length === sorted.length && [...a.records].sort().every((one, i) => one === sorted[i])
  )
}

/** The edits with one more; it goes away when it leads back to where it came from. */
export function withEdit(edits: Edits, edit: Edit): Edits {
  const next = new Map(edits)
  const known = edits.get(keyOf(edit))
  const before = known ? known.before : edit.before
  if (sameSide(before, edit.after)) next.delete(keyOf(edit))
  else next.set(keyOf(edit), { ...edit, before })
  return next
}

/** The edits with what a form makes of the rrset that it was opened with; what was added to that one meanwhile stays. */
export function withKept(edits: Edits, opened: Rrset, wanted: RrsetContent): Edits {
  const { name, type, ttl, records } = opened
  const edit: Edit = { name, type, before: { ttl, records }, after: { ttl: wanted.ttl, records: wanted.records } }
  const meanwhile = edits.get(keyOf(opened))
  return withEdit(edits, { ...edit, after: (meanwhile && bothOf(edit, meanwhile.after)) ?? edit.after })
}

export function withoutEdit(edits: Edits, key: string): Edits {
  const next = new Map(edits)
  next.delete(key)
  return next
}

/**
 * The edits once some of them are saved: those are gone. What was edited again meanwhile starts from what was saved, and what was taken
 * back meanwhile becomes the way back. After a sign-out there is nothing to go back for.
 */
export function withoutSaved(edits: Edits, saved: Edits): Edits {
  if (edits === noEdits) return edits
  const left = new Map<string, Edit>()
  for (const [key, edit] of edits) {
    const done = saved.get(key)
    if (done === undefined) left.set(key, edit)
    else if (!sameSide(done.after, edit.after)) left.set(key, { ...edit, before: done.after })
  }
  for (const [key, done] of saved)
    if (!edits.has(key)) left.set(key, { ...done, before: done.after, after: done.before })
  return left
}

/** An rrset as the API has it. */
export interface Rrset extends RrsetContent {
  readonly name: string
  readonly type: string
  readonly managed: boolean
}

/** An rrset as the table shows it: as it would be, with the edit that makes it so. */
export interface ShownRrset extends Rrset {
  readonly edit: Edit | undefined
}

/** The zone as it would be; what is to be deleted stays in sight. New rrsets stand beside others of their name. */
export function applyEdits(rrsets: readonly Rrset[], edits: Edits): readonly ShownRrset[] {
  if (edits.size === 0) return rrsets.map((rrset) => ({ ...rrset, edit: undefined }))
  const left = new Map(edits)
  const shown = rrsets.map((rrset): ShownRrset => {
    const edit = left.get(keyOf(rrset))
    left.delete(keyOf(rrset))
    return { ...rrset, ...edit?.after, edit }
  })
  for (const edit of left.values()) {
    const content = edit.after ?? edit.before
    if (content !== null) putBeside(shown, { ...content, name: edit.name, type: edit.type, managed: false, edit })
  }
  return shown
}

/** The rows with one that shall be in sight even if it is not there any more. */
export function withRow(rows: readonly ShownRrset[], row: ShownRrset): readonly ShownRrset[] {
  if (rows.some(({ name, type }) => name === row.name && type === row.type)) return rows
  const shown = [...rows]
  putBeside(shown, row)
  return shown
}

/** Beside others of its name; where there are none, first. */
function putBeside(rows: ShownRrset[], row: ShownRrset): void {
  rows.splice(rows.findLastIndex(({ name }) => name === row.name) + 1, 0, row)
}

/** An rrset that was changed here and, meanwhile, by somebody else. */
export interface Conflict {
  readonly edit: Edit
  readonly theirs: Side
  /** Both changes together, value by value; undefined where they cannot be. */
  readonly both: Side | undefined
}

/** What becomes of edits when the zone has moved on. */
export interface Merge {
  /** Those that touch nothing that moved. */
  readonly kept: Edits
  readonly conflicts: readonly Conflict[]
  /** Those that somebody else has made as well. */
  readonly done: number
}

/** Three-way: an edit stands if its rrset is still what the person saw. Nothing is lost silently. */
export function mergeEdits(edits: Edits, fresh: readonly Rrset[]): Merge {
  const now = new Map(fresh.map((rrset) => [keyOf(rrset), rrset]))
  const kept = new Map<string, Edit>()
  const conflicts: Conflict[] = []
  let done = 0
  for (const [key, edit] of edits) {
    const rrset = now.get(key)
    const theirs: Side = rrset ? { ttl: rrset.ttl, records: rrset.records } : null
    if (sameSide(theirs, edit.before)) kept.set(key, edit)
    else if (sameSide(theirs, edit.after)) done++
    else conflicts.push({ edit, theirs, both: bothOf(edit, theirs) })
  }
  return { kept, conflicts, done }
}

function bothOf({ type, before, after }: Edit, theirs: Side): Side | undefined {
  if (after === null || theirs === null || type === 'CNAME' || type === 'DNAME') return undefined
  const had = new Set(before?.records)
  const wanted = new Set(after.records)
  const removed = [...had].filter((record) => !wanted.has(record))
  const records = [
    ...new Set([
      ...theirs.records.filter((record) => !removed.includes(record)),
      ...[...wanted].filter((record) => !had.has(record)),
    ]),
  ]
  if (records.length === 0) return undefined
  return { ttl: before !== null && before.ttl === after.ttl ? theirs.ttl : after.ttl, records }
}

/** A conflict settled: what the person wants now, seen from what is there now. */
export function settle({ edit, theirs }: Conflict, wanted: Side): Edit {
  return { ...edit, before: theirs, after: wanted }
}
