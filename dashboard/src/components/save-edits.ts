import { type Answer, call } from '../api/client.ts'
import type { Listing } from '../api/pages.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'
import { changesOf } from '../util/changes-of.ts'
import { type Edits, keyOf, type Rrset } from '../util/edits.ts'
import { shownNotes } from '../util/notes.ts'
import { keepLastChange } from './last-change.tsx'
import { keepWarnings } from './warning-list.tsx'

/** Sends edits as one change. `version`: the zone must still be at this version. */
export function sendEdits(zone: string, edits: Edits, version: number | undefined, dryRun: boolean) {
  return call('changeRrsets', {
    params: { zone },
    ...(dryRun && { query: { dry_run: 'true' } }),
    body: { changes: changesOf(edits) },
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
}

/**
 * Shows the outcome of the save: the records, the warnings, and a way to undo it. No version contains comments and labels, so they cannot be
 * restored.
 */
export async function showSaved(zone: string, result: Answer<'changeRrsets'>, saved: Edits): Promise<void> {
  // A read that started before would finish later and restore the old data.
  await queryClient.cancelQueries({ queryKey: queries.rrsets(zone).queryKey })
  if (result.diff.changes.length > 0) keepLastChange(zone, result)
  else toast('Saved.')
  keepWarnings(zone, result.warnings)
  takeOver(zone, result, saved)
  for (const queryKey of [keys.zone(zone), keys.zones])
    await queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

/** Puts the saved changes into the cached data, so that the table, which sorts it, shows them immediately. */
function takeOver(zone: string, { diff, version }: Answer<'changeRrsets'>, saved: Edits): void {
  queryClient.setQueryData<Listing<Rrset>>(queries.rrsets(zone).queryKey as readonly unknown[], (old) => {
    if (old === undefined) return undefined
    const moved = new Map(diff.changes.map((change) => [keyOf(change), change]))
    const items = old.items.flatMap((rrset) => {
      const change = moved.get(keyOf(rrset))
      moved.delete(keyOf(rrset))
      if (change === undefined) return [rrset]
      return change.after === null ? [] : [{ ...rrset, ...change.after, ttl: change.after.ttl ?? rrset.ttl }]
    })
    for (const { name, type, after } of moved.values()) {
      const ttl = after?.ttl ?? null
      if (after === null || ttl === null) continue
      items.push({ name, type, ...after, ttl, managed: false, updated_at: new Date().toISOString() })
    }
    const noted = items.map((rrset) => {
      const notes = saved.get(keyOf(rrset))?.notes
      return notes === undefined ? rrset : { ...rrset, ...shownNotes(notes) }
    })
    return { ...old, items: noted, version }
  })
}
