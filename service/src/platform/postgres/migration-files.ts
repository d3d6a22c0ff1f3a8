import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The folder of the migrations, with a slash at its end. */
export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** The names of the migrations, in the order in which they run. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
}

/**
 * The checksum of a migration: SHA-256 of its text, in hex.
 *
 * A database keeps it for each migration that has run (`schema_migrations`), and the repository for each that was written
 * (`service/migrations/checksums.json`).
 */
export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
