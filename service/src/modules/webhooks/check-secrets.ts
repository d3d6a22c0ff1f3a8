import { type Db, sql } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { secretPurpose } from './sender.ts'

/** Whether the newest endpoint's secret can be opened, that is, whether `SECRET_KEY` sealed it. Undefined: there is none. */
export async function opensSecrets(db: Db, secrets: SecretBox): Promise<boolean | undefined> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select id, secrets[1] as sealed from webhook_endpoints order by id desc limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  try {
    secrets.open(secretPurpose(row.id), row.sealed)
    return true
  } catch {
    return false
  }
}
