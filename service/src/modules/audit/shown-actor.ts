import { type ChangeSource, displayText, type WireActor } from '@zonewright/contract'
import { type Statement, sql } from '#platform/postgres/index.ts'

/** Who made a change, with the current data of the account behind it, and the source of the change. */
export interface ShownActor {
  readonly actorKind: WireActor['kind']
  readonly actorName: string
  readonly actorId: string | null
  readonly actorAccountId: string | null
  readonly actorEmail: string | null
  readonly source: ChangeSource
}

/** The columns of a `ShownActor`. `table`: the name of a table of changes in the statement, which also needs `joinActor`. */
export function actorColumns(table: string): Statement {
  const row = sql.ref(table)
  // Older rows have no source. It follows from the kind of the actor.
  return sql`${row}.actor_kind as "actorKind", ${row}.actor_name as "actorName", ${row}.actor_id as "actorId",
    actor.id as "actorAccountId", actor.email as "actorEmail",
    coalesce(${row}.source, case ${row}.actor_kind when 'session' then 'dashboard' when 'key' then 'api' else 'system' end) as source`
}

/** Joins each change with the account of its actor, by two primary keys. A deleted account keeps its address until it is erased. */
export function joinActor(table: string): Statement {
  const row = sql.ref(table)
  return sql`
    left join lateral (
      select id, coalesce(deleted_email, case when deleted_at is null then email end) as email from accounts
      where id = case
        when ${row}.actor_kind = 'key' then (select account_id from api_keys where id = ${row}.actor_id)
        when ${row}.actor_kind = 'session' and ${row}.actor_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${row}.actor_id::uuid
      end
      offset 0
    ) actor on true`
}

export function actorToWire(shown: ShownActor): WireActor {
  return {
    kind: shown.actorKind,
    name: displayText(shown.actorName),
    id: shown.actorId,
    account_id: shown.actorAccountId,
    account_email: shown.actorEmail === null ? null : displayText(shown.actorEmail),
  }
}
