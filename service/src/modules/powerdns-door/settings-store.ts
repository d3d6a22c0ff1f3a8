import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** The members of a zone that clients set and read back. They have no effect. */
export interface ZoneSettings {
  readonly kind: string
  readonly account: string
}

/** The settings of a zone for which no client has sent any. */
export const usualSettings: ZoneSettings = { kind: 'Master', account: '' }

/** The settings of zones, by their ids. A missing zone has the default ones. */
export async function readSettings(db: Db, zoneIds: readonly string[]): Promise<ReadonlyMap<string, ZoneSettings>> {
  const { rows } = await sql<ZoneSettings & { zoneId: string }>`
    select zone_id as "zoneId", kind, account from powerdns_zones where zone_id = any(${[...zoneIds]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(({ zoneId, kind, account }) => [zoneId, { kind, account }]))
}

export async function settingsOf(db: Db, zoneId: string): Promise<ZoneSettings> {
  return (await readSettings(db, [zoneId])).get(zoneId) ?? usualSettings
}

export async function saveSettings(tx: Tx, zoneId: string, { kind, account }: ZoneSettings): Promise<void> {
  await sql`
    insert into powerdns_zones (zone_id, kind, account) values (${zoneId}, ${kind}, ${account})
    on conflict (zone_id) do update set kind = excluded.kind, account = excluded.account`.execute(tx)
}
