import type { Notes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { areSameNotes, notesAfter } from './notes.ts'
import { lockZone } from './store.ts'

/** Changes the comment and labels of a zone. What is absent stays. They belong to no version and no event. */
export async function describeZone(tx: Tx, actor: Actor, zoneId: string, sent: Notes): Promise<void> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  const before = (await notesOfZones(tx, [zoneId])).get(zoneId)
  const after = notesAfter(before, sent)
  if (areSameNotes(before, after)) return
  await sql`
    update zones set comment = ${after.comment}, labels = ${after.labels}::text[]
    where id = ${zoneId}`.execute(tx)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.described',
    zone,
    summary: `The comment or the labels of ${zone.name} were changed`,
  })
}

/** The notes of those of the zones that have some. */
export async function notesOfZones(db: Db, zoneIds: readonly string[]): Promise<ReadonlyMap<string, Notes>> {
  const { rows } = await sql<Notes & { id: string }>`
    select id, comment, labels from zones
    where id = any(${[...zoneIds]}::uuid[]) and (comment is not null or labels is not null)`.execute(db)
  return new Map(rows.map(({ id, ...notes }) => [id, notes]))
}
