import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const migrateProgram = fileURLToPath(new URL('../../service/bin/migrate.ts', import.meta.url))

/** Makes a role with the rights of the service's processes, as docs/runbooks/deploy.md says, and returns its URL. */
export async function urlOfRole(role: string, ownerUrl: string, dataDir: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`create role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`)
  await owner.end()
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: ownerUrl, DATABASE_ROLE: role }
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', migrateProgram], { env })
  const url = new URL(ownerUrl)
  url.username = role
  url.password = password
  return url.href
}
