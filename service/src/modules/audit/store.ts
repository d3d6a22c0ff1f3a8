import type { Actor } from '#platform/caller.ts'
import { type Statement, sql, type Tx } from '#platform/db.ts'

/** One change, under the name of who made it. A change made with a key bears the key's name (specification, "API key"). */
export interface AuditEntry {
  readonly accountId: string
  readonly actor: Actor
  /** Noun and past verb: `zone.created`, `records.changed`, `key.revoked`. */
  readonly action: string
  readonly zone?: { readonly id: string; readonly name: string }
  readonly domain?: string
  /** What happened, in one line for a person. */
  readonly summary: string
  /** Where the before and the after are kept: ids and versions, never secrets. */
  readonly reference?: Readonly<Record<string, string | number | null>>
}

/** The entry's insert as a value, to run together with the change that it describes. */
export function auditStatement(entry: AuditEntry): Statement {
  const { actor } = entry
  return sql`
    insert into audit_log (account_id, actor_kind, actor_name, actor_id, action, zone_id, zone_name, domain, summary, reference, request_id, address)
    values (${entry.accountId}, ${actor.kind}, ${actor.name}, ${actor.id}, ${entry.action}, ${entry.zone?.id ?? null},
      ${entry.zone?.name ?? null}, ${entry.domain ?? null}, ${entry.summary}, ${JSON.stringify(entry.reference ?? null)}::jsonb,
      ${actor.requestId}, ${actor.address}::inet)
    returning id`
}

/** Writes the entry now, in the transaction of the change. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await auditStatement(entry).execute(tx)
}
