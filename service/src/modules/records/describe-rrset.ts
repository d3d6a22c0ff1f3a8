import type { Notes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { areSameNotes, notesAfter, readZone } from '#modules/zones/index.ts'
import { type Actor, type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { readRrset } from './store.ts'

/** The comment and labels that a request sends for an rrset; undefined: it sends neither, and both stay. */
export function notesOf(caller: Caller, { comment, labels }: Notes): Notes | undefined {
  if (comment === undefined && labels === undefined) return undefined
  if (!holds(caller, 'records:write'))
    throw new Refusal('forbidden', 'Comments and labels need the permission records:write.')
  return { comment, labels }
}

/**
 * Writes the comment and labels of an rrset with the commit, after a change that may create it. They belong to no version and no event: only
 * the audit log says that they changed.
 */
export async function describeRrset(
  tx: Tx,
  actor: Actor,
  zoneId: string,
  { name, type }: { readonly name: string; readonly type: string },
  sent: Notes,
): Promise<void> {
  const zone = await readZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  const before = await readRrset(tx, zoneId, name, type)
  const after = notesAfter(before, sent)
  if (areSameNotes(before, after)) return
  tx.writeAtCommit([
    sql`
      update zone_rrsets set comment = ${after.comment}, labels = ${after.labels}::text[]
      where zone_id = ${zoneId} and name = ${name} and type = ${type} returning type`,
  ])
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'records.described',
    zone,
    summary: `The comment or the labels of ${name} ${type} were changed`,
  })
}
