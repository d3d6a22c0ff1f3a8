import { sql, type Tx } from '#platform/postgres/index.ts'

/** Records that a preset was applied to zones, so that lists of zones can show and find it. Repeating it changes only the time. */
export async function notePreset(tx: Tx, zoneIds: readonly string[], preset: string): Promise<void> {
  await sql`
    insert into zone_presets (zone_id, preset_id) select unnest(${[...zoneIds]}::uuid[]), ${preset}
    on conflict (zone_id, preset_id) do update set applied_at = excluded.applied_at`.execute(tx)
}
