// Creates the database of a release: `node tools/run.cjs system-tests/releases/create/create-database.ts`. See ../README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { withDebianCluster } from '../../../tools/local/debian-postgres.ts'
import { startWorld } from '../../world/index.ts'
import { useInstallation } from './use-installation.ts'

/** The key of only this database, which has nothing worth hiding. */
const secretKey = Buffer.from('zonewright released databases :)').toString('base64')
const root = fileURLToPath(new URL('../../../', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

await withDebianCluster(join(root, 'node_modules/.cache/debian'), {}, async ({ url, run }) => {
  await query(url, 'create database release')
  const databaseUrl = url.replace(/postgres$/, 'release')
  const env = { SECRET_KEY: secretKey, FREE_PARENTS: 'free.example.net' }
  const world = await startWorld({ databaseUrl, env })
  try {
    await useInstallation(world)
  } finally {
    await world.stop()
  }
  await query(databaseUrl, readFileSync(new URL('rare-states.sql', import.meta.url), 'utf8'))

  const options = ['--no-owner', '--no-privileges', '--rows-per-insert=1000']
  const dump = run('pg_dump', ...options, 'release')
    .replaceAll(/^\\(un)?restrict .*\n/gm, '')
    // In PostgreSQL 17 and later, a partition has the identity column of its parent.
    .replaceAll(/^(INSERT INTO public\.audit_log_\d+) VALUES$/gm, '$1 OVERRIDING SYSTEM VALUE VALUES')
    .replaceAll(/^--\n-- (Name|Data for Name): .*\n--\n\n/gm, '')
  const { api_key, nameservers } = world.facts
  const known = {
    secret_key: secretKey,
    api_key,
    nameservers: nameservers.map(({ name, address }) => `${name}=${address}`).join(),
  }
  writeFileSync(new URL(`../${version}.sql`, import.meta.url), dump)
  writeFileSync(new URL(`../${version}.json`, import.meta.url), `${JSON.stringify(known, null, 2)}\n`)
  process.stdout.write(`system-tests/releases/${version}.sql has ${Buffer.byteLength(dump)} bytes.\n`)
})

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
