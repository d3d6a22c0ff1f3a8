import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const migrateProgram = fileURLToPath(new URL('../../service/bin/migrate.ts', import.meta.url))

/** Makes a role with the rights of the service's processes, and the doctor's, as docs/runbooks/deploy.md says, and returns their URLs. */
export async function urlsOfRoles(
  role: string,
  ownerUrl: string,
  dataDir: string,
): Promise<{ databaseUrl: string; doctorUrl: string }> {
  const password = randomBytes(24).toString('base64url')
  const doctor = `${role}_doctor`
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  for (const each of [role, doctor])
    await owner.query(`create role ${pg.escapeIdentifier(each)} login password ${pg.escapeLiteral(password)}`)
  await owner.end()
  const roles = { DATABASE_ROLE: role, DATABASE_DOCTOR_ROLE: doctor }
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: ownerUrl, ...roles }
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', migrateProgram], { env })
  const urlOf = (username: string): string => Object.assign(new URL(ownerUrl), { username, password }).href
  return { databaseUrl: urlOf(role), doctorUrl: urlOf(doctor) }
}
