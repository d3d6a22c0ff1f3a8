import { type FigureSource, showFromDatabase } from '#platform/figures/database-figures.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** What `/metrics` tells of the API keys of all accounts. */
export function showKeys(source: FigureSource): void {
  showFromDatabase(source, keys, readKeys)
}

const keys = {
  zonewright_api_keys_expiring: 'API keys that end within seven days; their owners have been told by mail.',
}

async function readKeys(db: Db) {
  const { rows } = await sql<Record<keyof typeof keys, number>>`
    select count(*)::int as zonewright_api_keys_expiring
    from api_keys where revoked_at is null and expires_at > app_now() and expires_at < app_now() + interval '7 days'`.execute(
    db,
  )
  return rows[0]
}
