import type { RegistrarView } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { Registrar } from '#ports/registry-lookup.ts'

/** How long an answer is used, and when a query without an answer may be repeated. */
const kept = { answerS: 86_400, silenceS: 600 } as const

/** Queries that one account may cause in an hour, and roughly the maximum of all accounts in a minute: registries limit queries. */
const most = { ofAccount: 100, ofAll: 120 } as const

const isDue = sql`registrars.asked_at <= app_now() - make_interval(
  secs => case when registrars.answered_at >= registrars.asked_at then ${kept.answerS}::float8 else ${kept.silenceS}::float8 end)`

/** What is known about a domain's registrar; `isDue`: the registry may be queried again. */
export async function readRegistrar(
  db: Db,
  domain: string,
): Promise<(RegistrarView & { readonly isDue: boolean }) | undefined> {
  const { rows } = await sql<RegistrarView & { isDue: boolean }>`
    select domain, name, url, is_ours as "isOurs", answered_at as "answeredAt", ${isDue} as "isDue"
    from registrars where domain = ${domain}`.execute(db)
  return rows[0]
}

/** Claims the query about a domain, for one caller. False: it was made recently, or there were too many. The account is locked. */
export async function claimQuery(tx: Tx, accountId: string, domain: string): Promise<boolean> {
  const { rows } = await sql`
    insert into registrars (domain, account_id, asked_at)
    select ${domain}, ${accountId}::uuid, app_now()
    where (select count(*) from registrars where account_id = ${accountId} and asked_at > app_now() - interval '1 hour') < ${most.ofAccount}
      and (select count(*) from registrars where asked_at > app_now() - interval '1 minute') < ${most.ofAll}
    on conflict (domain) do update set account_id = excluded.account_id, asked_at = excluded.asked_at
    where ${isDue}
    returning domain`.execute(tx)
  return rows.length > 0
}

/** Records what the registry answered. Null: it has no such domain, or does not name its registrar. */
export async function recordRegistrar(db: Db, domain: string, registrar: Registrar | 'ours' | null): Promise<void> {
  const named = registrar === 'ours' ? null : registrar
  await sql`
    update registrars set answered_at = app_now(), name = ${named?.name ?? null}, url = ${named?.url ?? null},
      is_ours = ${registrar === 'ours'}
    where domain = ${domain}`.execute(db)
}

/** Deletes what is too old to be used. */
export async function forgetRegistrars(db: Db): Promise<void> {
  await sql`delete from registrars where asked_at < app_now() - make_interval(secs => ${2 * kept.answerS})`.execute(db)
}
