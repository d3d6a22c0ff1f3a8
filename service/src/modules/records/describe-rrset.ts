import type { Notes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { areSameNotes, notesAfter, readZone } from '#modules/zones/index.ts'
import { type Actor, type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** The comment and labels that a request sends for an rrset; undefined: it sends neither, and both stay. */
export function notesOf(caller: Caller, { comment, labels }: Notes): Notes | undefined {
  if (comment === undefined && labels === undefined) return undefined
  if (!holds(caller, 'records:write'))
    throw new Refusal('forbidden', 'Comments and labels need the permission records:write.')
  return { comment, labels }
}

/** The comment and labels that a request sends for an rrset. */
export interface SentNotes extends Notes {
  readonly name: string
  readonly type: string
}

/**
 * Writes the comments and labels of rrsets with the commit, after a change that may create them. They belong to no version and no event: only
 * the audit log says that they changed, with one entry.
 */
export async function describeRrsets(tx: Tx, actor: Actor, zoneId: string, sent: readonly SentNotes[]): Promise<void> {
  const zone = await readZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  const keyOf = ({ name, type }: SentNotes): string => `${name} ${type}`
  const before = new Map((await readNotes(tx, zoneId, sent)).map((rrset) => [keyOf(rrset), rrset]))
  const changed = sent.flatMap(({ name, type, ...notes }) => {
    const known = before.get(keyOf({ name, type }))
    const after = notesAfter(known, notes)
    return areSameNotes(known, after) ? [] : [{ name, type, ...after }]
  })
  const [first] = changed
  if (first === undefined) return
  tx.writeAtCommit([
    sql`
      update zone_rrsets r set comment = new.comment, labels = new.labels
      from ${rowsOf(changed)}
      where r.zone_id = ${zoneId} and r.name = new.name and r.type = new.type returning r.type`,
  ])
  const which = changed.length === 1 ? `${first.name} ${first.type}` : `${changed.length} record sets`
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'records.described',
    zone,
    summary: `The comment or the labels of ${which} were changed`,
  })
}

const rowsOf = sql.recordset('new', 'name text, type text, comment text, labels text[]')

/** The comments and labels of the rrsets with these names, as they are before the request. */
async function readNotes(db: Db, zoneId: string, rrsets: readonly SentNotes[]): Promise<SentNotes[]> {
  const names = [...new Set(rrsets.map(({ name }) => name))]
  const { rows } = await sql<SentNotes>`
    select name, type, comment, labels from zone_rrsets where zone_id = ${zoneId} and name = any(${names}::text[])`.execute(
    db,
  )
  return rows
}
