import type { WireRrset } from '@zonewright/contract'
import { type ShownNotes, shownNotes, type WantedNotes } from './notes.ts'

/** An rrset's content; null if there is none. */
export interface RrsetContent {
  readonly ttl: number
  readonly records: readonly string[]
}
export type Side = RrsetContent | null

/** An unsaved change of one rrset: from what the person saw to the wanted content. */
export interface Edit {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
  /** The wanted comment and labels; undefined: they stay. */
  readonly notes?: WantedNotes | undefined
}

/** Edits by rrset. Several edits of one rrset are one edit. */
export type Edits = ReadonlyMap<string, Edit>

/** The edits of a person who has made none, or who has signed out. A person who has undone or saved all edits has an empty map. */
export const noEdits: Edits = new Map()

export function keyOf({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name} ${type}`
}

/** The number of edits, in words. */
export function changesText(count: number): string {
  return count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`
}

/** The number of edits that are not saved, in words. */
export function unsavedText(count: number): string {
  return count === 1 ? '1 unsaved change' : `${count.toLocaleString('en')} unsaved changes`
}

/** The number of rrsets, in words. */
export function recordSetsText(count: number): string {
  return count === 1 ? '1 record set' : `${count.toLocaleString('en')} record sets`
}

export function sameSide(a: Side, b: Side): boolean {
  if (a === null || b === null) return a === b
  const sorted = [...b.records].sort()
  return (
    a.ttl === b.ttl && a.records.length === sorted.length && [...a.records].sort().every((one, i) => one === sorted[i])
  )
}

/** The edits with one more. An edit that restores the original is removed. */
export function withEdit(edits: Edits, edit: Edit): Edits {
  return withEdits(edits, [edit])
}

function withEdits(edits: Edits, more: readonly Edit[]): Edits {
  const next = new Map(edits)
  for (const edit of more) {
    const known = edits.get(keyOf(edit))
    const before = known ? known.before : edit.before
    // A deleted rrset has no comment.
    const notes = edit.after === null ? undefined : (edit.notes ?? known?.notes)
    if (sameSide(before, edit.after) && notes === undefined) next.delete(keyOf(edit))
    else next.set(keyOf(edit), withNotes({ ...edit, before }, notes))
  }
  return next
}

function withNotes({ notes: _, ...edit }: Edit, notes: Edit['notes']): Edit {
  return notes === undefined ? edit : { ...edit, notes }
}

/** The edits that change many rrsets in one way. `change` returns the new content; null deletes the rrset. */
export function withAllChanged(
  edits: Edits,
  rows: readonly ShownRrset[],
  change: (content: RrsetContent) => Side,
): Edits {
  const changes = rows
    .filter(({ managed, edit }) => !managed && edit?.after !== null)
    .map(({ name, type, ttl, records }): Edit => {
      const before = { ttl, records }
      return { name, type, before, after: change(before) }
    })
  return withEdits(edits, changes)
}

/** The content with one value in place of another. */
export function withReplaced({ ttl, records }: RrsetContent, from: string, to: string): RrsetContent {
  return { ttl, records: [...new Set(records.map((record) => (record === from ? to : record)))] }
}

/** The edits with the result of a form for the rrset that it was opened with. Values that were added to that rrset in the meantime stay. */
export function withKept(
  edits: Edits,
  opened: Rrset,
  wanted: RrsetContent & { readonly notes?: WantedNotes | undefined },
): Edits {
  const { name, type, ttl, records } = opened
  const after = { ttl: wanted.ttl, records: wanted.records }
  const edit = withNotes({ name, type, before: { ttl, records }, after }, wanted.notes)
  const meanwhile = edits.get(keyOf(opened))
  return withEdit(edits, { ...edit, after: (meanwhile && bothOf(edit, meanwhile.after)) ?? edit.after })
}

export function withoutEdit(edits: Edits, key: string): Edits {
  const next = new Map(edits)
  next.delete(key)
  return next
}

/**
 * The edits after some of them are saved, which are removed. An rrset that was edited again in the meantime starts from the saved values. An
 * edit that was undone in the meantime becomes an edit back to the original, unless the person has signed out.
 */
export function withoutSaved(edits: Edits, saved: Edits): Edits {
  if (edits === noEdits) return edits
  const left = new Map<string, Edit>()
  for (const [key, edit] of edits) {
    const done = saved.get(key)
    const notes = edit.notes === done?.notes ? undefined : edit.notes
    if (done === undefined) left.set(key, edit)
    else if (!sameSide(done.after, edit.after) || notes !== undefined)
      left.set(key, withNotes({ ...edit, before: done.after }, notes))
  }
  for (const [key, done] of saved)
    if (!edits.has(key) && !sameSide(done.before, done.after))
      left.set(key, withNotes({ ...done, before: done.after, after: done.before }, undefined))
  return left
}

/** An rrset in the form of the API. */
export interface Rrset extends RrsetContent, ShownNotes {
  readonly name: string
  readonly type: string
  readonly managed: boolean
  /** When it was changed; unknown for one that is not saved. */
  readonly updated_at?: string
  /** Of an ALIAS: what it publishes. */
  readonly resolved?: WireRrset['resolved']
}

/** An rrset as the table shows it: its content after the edit, and the edit. */
export interface ShownRrset extends Rrset {
  readonly edit: Edit | undefined
}

/** The zone after the edits. Rrsets to delete stay visible. New rrsets are next to others of their name. */
export function applyEdits(rrsets: readonly Rrset[], edits: Edits): readonly ShownRrset[] {
  if (edits.size === 0) return rrsets.map((rrset) => ({ ...rrset, edit: undefined }))
  const left = new Map(edits)
  const shown = rrsets.map((rrset): ShownRrset => {
    const edit = left.get(keyOf(rrset))
    left.delete(keyOf(rrset))
    return { ...rrset, ...edit?.after, ...notesOf(edit), edit }
  })
  for (const edit of left.values()) {
    const content = edit.after ?? edit.before
    if (content !== null)
      putBeside(shown, { ...content, ...notesOf(edit), name: edit.name, type: edit.type, managed: false, edit })
  }
  return shown
}

function notesOf(edit: Edit | undefined): ShownNotes | undefined {
  return edit?.notes && shownNotes(edit.notes)
}

/** The rows with one that must be visible even if it no longer exists. */
export function withRow(rows: readonly ShownRrset[], row: ShownRrset): readonly ShownRrset[] {
  if (rows.some(({ name, type }) => name === row.name && type === row.type)) return rows
  const shown = [...rows]
  putBeside(shown, row)
  return shown
}

/** Whether someone else has changed an rrset, or deleted it, since its form was opened. */
export function isChangedSince(opened: ShownRrset, items: readonly Rrset[]): boolean {
  const { edit } = opened
  const now = items.find((each) => keyOf(each) === keyOf(opened)) ?? null
  const before = edit === undefined ? opened : edit.before
  return !sameSide(before, now) && !(edit !== undefined && sameSide(edit.after, now))
}

/** Next to others of its name; if there are none, first. */
function putBeside(rows: ShownRrset[], row: ShownRrset): void {
  rows.splice(rows.findLastIndex(({ name }) => name === row.name) + 1, 0, row)
}

/** An rrset that was changed here and, in the meantime, by someone else. */
export interface Conflict {
  readonly edit: Edit
  readonly theirs: Side
  /** Both changes merged value by value; undefined if they cannot be merged. */
  readonly both: Side | undefined
}

/** What happens to edits when the zone has changed. */
export interface Merge {
  /** The edits of unchanged rrsets. */
  readonly kept: Edits
  readonly conflicts: readonly Conflict[]
  /** The edits that someone else has also made. */
  readonly done: number
}

/** A three-way merge: an edit stays if its rrset is still what the person saw. Nothing is lost silently. */
export function mergeEdits(edits: Edits, fresh: readonly Rrset[]): Merge {
  const now = new Map(fresh.map((rrset) => [keyOf(rrset), rrset]))
  const kept = new Map<string, Edit>()
  const conflicts: Conflict[] = []
  let done = 0
  for (const [key, edit] of edits) {
    const rrset = now.get(key)
    const theirs: Side = rrset ? { ttl: rrset.ttl, records: rrset.records } : null
    if (sameSide(theirs, edit.before)) kept.set(key, edit)
    else if (sameSide(theirs, edit.after) && edit.notes !== undefined) kept.set(key, { ...edit, before: theirs })
    else if (sameSide(theirs, edit.after)) done++
    else conflicts.push({ edit, theirs, both: bothOf(edit, theirs) })
  }
  return { kept, conflicts, done }
}

/** Types of which a name can have at most one record. */
const singles: ReadonlySet<string> = new Set(['CNAME', 'DNAME', 'ALIAS'])

function bothOf({ type, before, after }: Edit, theirs: Side): Side | undefined {
  if (after === null || theirs === null || singles.has(type)) return undefined
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

/** A resolved conflict: the wanted content, starting from the current content. */
export function settle({ edit, theirs }: Conflict, wanted: Side): Edit {
  return { ...edit, before: theirs, after: wanted }
}
