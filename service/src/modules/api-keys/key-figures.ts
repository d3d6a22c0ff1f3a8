import { type Db, sql } from '#platform/postgres/index.ts'

const keys = {
  zonewright_api_keys_expiring:
    'API keys that expire within seven days. The service has notified their owners by email.',
}

/** The `/metrics` about the API keys of all accounts. */
export const keyFigures = { helps: keys, read: readKeys }

async function readKeys(db: Db) {
  const { rows } = await sql<Record<keyof typeof keys, number>>`
    select count(*)::int as zonewright_api_keys_expiring
    from api_keys where revoked_at is null and expires_at > app_now() and expires_at < app_now() + interval '7 days'`.execute(
    db,
  )
  return rows[0]
}
