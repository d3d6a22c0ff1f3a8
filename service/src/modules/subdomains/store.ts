import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { type ClaimStanding, holdDays } from './rules.ts'

/** The state of each claim, in order, each name and account separately. Records below the names are not checked (`KeptBelow`). */
export async function readStandings(
  db: Db,
  claims: readonly { readonly name: string; readonly parent: string; readonly accountId: string }[],
): Promise<ClaimStanding[]> {
  const asked = claims.map(({ name, parent, accountId }, n) => ({ n, name, parent, account: accountId }))
  const { rows } = await sql<ClaimStanding>`
    select
      exists (select from zones where name = asked.name and state = 'live')
        or exists (select from free_subdomains held where held.name = asked.name and held.account_id <> asked.account
          and (held.released_at is null or held.released_at > app_now() - make_interval(days => ${holdDays})))
        or exists (select from zone_rrsets r where r.name = asked.name and not r.managed
          and r.zone_id = (select id from zones where name = asked.parent and state = 'live')) as taken,
      (select count(*) from free_subdomains where account_id = asked.account and released_at is null)::int as claimed
    from ${askedNames(asked)} order by n`.execute(db)
  return rows
}

const askedNames = sql.recordset('asked', 'n int, name text, parent text, account uuid')

/** The names one label under these parents below which the operator has records. Scans the whole parents, because no index finds them. */
export async function namesKeptBelow(db: Db, parents: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct split_part(below, '.', -1) || '.' || parent.name as name
    from zones parent join zone_rrsets r on r.zone_id = parent.id and not r.managed
    cross join left(r.name, -length(parent.name) - 1) as below
    where parent.name = any(${parents}) and parent.state = 'live' and below like '%.%'`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

export async function insertClaims(
  tx: Tx,
  claims: readonly { readonly name: string; readonly accountId: string; readonly zoneId: string }[],
): Promise<void> {
  await sql`
    insert into free_subdomains (name, account_id, zone_id)
    select name, "accountId", "zoneId" from ${claimRows(claims)}
    on conflict (name) do update
      set account_id = excluded.account_id, zone_id = excluded.zone_id, claimed_at = app_now(), released_at = null`.execute(
    tx,
  )
}

const claimRows = sql.recordset('c', 'name text, "accountId" uuid, "zoneId" uuid')
