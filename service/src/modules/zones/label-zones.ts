import type { WireLabelledZone } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { notesOfZones } from './describe-zone.ts'
import { areSameNotes, labelsAfter } from './notes.ts'
import { lockZones } from './store.ts'

/** Labels to add to zones, and to remove from them. */
export interface LabelWish {
  readonly zones: readonly string[]
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Changes the labels of those of the zones that an account owns or manages. Returns the outcome for each, in the order of the request. */
export async function labelZones(
  tx: Tx,
  actor: Actor,
  accountId: string,
  wish: LabelWish,
): Promise<readonly WireLabelledZone[]> {
  const ids = [...new Set(wish.zones)]
  const locked = await lockZones(tx, ids)
  const notes = await notesOfZones(tx, ids)
  const changed: { id: string; labels: readonly string[] }[] = []
  const found = new Map<string, WireLabelledZone>()
  for (const id of ids) {
    const zone = locked.get(id)
    const before = [...(notes.get(id)?.labels ?? [])]
    if (!zone?.recipients.includes(accountId)) {
      found.set(id, { zone: id, outcome: 'not_found', labels: [] })
      continue
    }
    const after = labelsAfter(before, wish)
    if (after === 'too_many') found.set(id, { zone: id, outcome: 'too_many', labels: before })
    else if (areSameNotes({ labels: before }, { labels: after }))
      found.set(id, { zone: id, outcome: 'unchanged', labels: before })
    else {
      found.set(id, { zone: id, outcome: 'changed', labels: [...after] })
      changed.push({ id, labels: after })
      await recordAudit(tx, {
        accountId: zone.accountId,
        actor,
        action: 'zone.described',
        zone,
        summary: `The labels of ${zone.name} were changed`,
      })
    }
  }
  await sql`
    update zones z set labels = nullif(now.labels, '{}') from ${newLabels(changed)} where z.id = now.id`.execute(tx)
  return wish.zones.flatMap((id) => found.get(id) ?? [])
}

const newLabels = sql.recordset('now', 'id uuid, labels text[]')
