import { type Db, sql } from '#platform/postgres/index.ts'

const keys = {
  zonewright_api_keys_expiring:
    'API keys that expire within seven days. The service has notified their owners by email.',
  zonewright_api_keys_with_tsig: 'API keys with a TSIG secret. Their owners need a DNS door.',
}

/** The metrics about the API keys of all accounts. */
export const keyFigures = { helps: keys, read: readKeys }

async function readKeys(db: Db) {
  const { rows } = await sql<Record<keyof typeof keys, number>>`
    select (
      select count(*)::int from api_keys
      where revoked_at is null and expires_at > app_now() and expires_at < app_now() + interval '7 days'
    ) as zonewright_api_keys_expiring, (
      select count(*)::int from api_key_tsig t join api_keys k on k.id = t.key_id
      where k.revoked_at is null and coalesce(k.expires_at > app_now(), true)
    ) as zonewright_api_keys_with_tsig`.execute(db)
  return rows[0]
}
