import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** An unfinished change of a domain, as an operator sees it. */
export interface StuckChange {
  readonly domain: string
  readonly change: string
  readonly since: Date
  readonly next_step_at: Date
  /** Why the change has failed, if it has. Then only the lock is left to be restored. */
  readonly refused: string | null
  /** The state of the last command, and the registry's response. */
  readonly command: string | null
  readonly state: string | null
  readonly cl_trid: string | null
  readonly reply: string | null
}

export async function stuckChanges(db: Db, minutes: number): Promise<StuckChange[]> {
  const { rows } = await sql<StuckChange>`
    select d.name as domain, a.kind as change, a.created_at as since, a.due_at as next_step_at, a.failure->>'message' as refused,
      o.command, o.state, o.cl_trid, nullif(concat_ws(' ', o.reply_code, o.reply), '') as reply
    from domain_acts a join domains d on d.id = a.domain_id
    left join lateral (select * from registry_commands where change_id = a.id order by id desc limit 1) o on true
    where a.state = 'open' and a.created_at <= app_now() - make_interval(mins => ${minutes})
    order by a.created_at limit 1000`.execute(db)
  return rows
}

/** Makes the next step of a domain's open change due now. False: there is no open change. */
export async function stepNow(tx: Tx, domainId: number): Promise<boolean> {
  const { rows } = await sql`
    update domain_acts set due_at = app_now() where domain_id = ${domainId} and state = 'open' returning 1`.execute(tx)
  return rows.length > 0
}
