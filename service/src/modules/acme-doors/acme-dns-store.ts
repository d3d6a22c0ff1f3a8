import { sql, type Tx } from '#platform/postgres/index.ts'

/** The values of a name that were written through acme-dns, newest first. */
export async function valuesAt(tx: Tx, zoneId: string, name: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from acme_dns_values where zone_id = ${zoneId} and name = ${name} order by position desc`.execute(tx)
  return rows.map(({ value }) => value)
}

/** Deletes stored values of a name, and stores one as its newest. */
export async function keepNewest(
  tx: Tx,
  { zoneId, name, newest, gone }: { zoneId: string; name: string; newest: string | undefined; gone: readonly string[] },
): Promise<void> {
  await sql`delete from acme_dns_values where zone_id = ${zoneId} and name = ${name}
    and value = any(${[...gone, ...(newest === undefined ? [] : [newest])]}::text[])`.execute(tx)
  if (newest !== undefined)
    await sql`insert into acme_dns_values (zone_id, name, value) values (${zoneId}, ${name}, ${newest})`.execute(tx)
}
