import type { Actor } from '#platform/caller.ts'
import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'

/** One change, with the name of its author. A change made with a key has the key's name (specification, "API key"). */
export interface AuditEntry {
  readonly accountId: string
  readonly actor: Actor
  /** Noun and past verb: `zone.created`, `records.changed`, `key.revoked`. */
  readonly action: string
  readonly zone?: { readonly id: string; readonly name: string }
  readonly domain?: string
  /** What happened, in one line for a person. */
  readonly summary: string
  /** References to the state before and after: ids and versions, never secrets. */
  readonly reference?: Readonly<Record<string, string | number | null>>
}

/** The entries' insert as a value, to run together with the changes that they describe. */
export function auditStatement(entries: readonly AuditEntry[], isLone?: boolean): Statement {
  return sql`
    insert into audit_log (account_id, actor_kind, actor_name, actor_id, source, action, zone_id, zone_name, domain, summary, reference, request_id, address)
    select * from ${entryRows(entries.map(rowOf), isLone)}
    returning id`
}

const entryRows = sql.recordset(
  'entry',
  `account_id uuid, actor_kind text, actor_name text, actor_id text, source text, action text, zone_id uuid,
   zone_name text, domain text, summary text, reference json, request_id text, address inet`,
)

function rowOf({ actor, ...entry }: AuditEntry) {
  return {
    account_id: entry.accountId,
    actor_kind: actor.kind,
    actor_name: actor.name,
    actor_id: actor.id,
    source: actor.source,
    action: entry.action,
    zone_id: entry.zone?.id,
    zone_name: entry.zone?.name,
    domain: entry.domain,
    summary: entry.summary,
    reference: entry.reference,
    request_id: actor.requestId,
    address: actor.address,
  }
}

/** Writes the entry in the transaction of the change, with its commit: all entries of a transaction are one statement. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  tx.writeRowAtCommit(auditStatement, entry)
}
