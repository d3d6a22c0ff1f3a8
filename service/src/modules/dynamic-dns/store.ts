import { namesAbove, visibleZone } from '#modules/zones/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

const askedNames = sql.recordset('asked', 'name text, names text[]')

/** Returns the names whose closest zone that the account can see is a different one, by the same rule as for the first host of a request. */
export async function namesInOtherZones(
  db: Db,
  { accountId, zoneId }: { readonly accountId: string; readonly zoneId: string },
  names: readonly string[],
): Promise<string[]> {
  const asked = names.map((name) => ({ name, names: [name, ...namesAbove(name)] }))
  const { rows } = await sql<{ name: string }>`
    select asked.name from (select ${accountId}::uuid as account_id) k cross join ${askedNames(asked)}
    cross join lateral (${visibleZone({ names: sql`asked.names` }, sql`k.account_id`)}) z
    where z.id <> ${zoneId}::uuid`.execute(db)
  return rows.map(({ name }) => name)
}
