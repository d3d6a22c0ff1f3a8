import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { reasonOf, StartupFault } from '../startup-fault.ts'
import { Store, type StoredZone, type StoreRole } from './store.ts'

const fileName = 'zones.sqlite'
// SQLite result codes (https://sqlite.org/rescode.html): reasons that have nothing to do with the content of the file.
const busyCodes = new Set([5, 6])
const accessCodes = new Set([3, 8, 13, 14, 23])

/**
 * Reads the store of a directory, which is created if it is missing. `take` gets every zone, one after the other, and its result is returned.
 *
 * A store that is truncated or corrupt is renamed to `zones.sqlite.corrupt-TIME` with a log line. What was read so
 * far is discarded, `take` gets nothing, an empty store replaces it, and the primary sends all zones once more.
 *
 * A reader changes nothing, because another process writes the store.
 *
 * @throws StartupFault if the directory is not writable, if another process has the store, or if a reader finds it corrupt
 */
export function readStore<T>(
  directory: string,
  log: Log,
  take: (zones: Iterable<StoredZone>) => T,
  role: StoreRole = 'writer',
): { readonly file: string; readonly taken: T } {
  const file = join(directory, fileName)
  makeStoreDirectory(directory)
  try {
    return { file, taken: loadAndClose(file, role, take) }
  } catch (error) {
    const inTheWay = obstacleOf(error)
    if (inTheWay !== undefined) throw new StartupFault(`--store ${directory} ${inTheWay}`)
    // The writer still has all zones in memory, so its file is left in place.
    if (role === 'reader') throw new StartupFault(`--store ${directory} of another process: ${reasonOf(error)}`)
    const aside = moveAside(file)
    log.warn('store is corrupt: moved aside, all zones are transferred again', { aside, reason: reasonOf(error) })
    return { file, taken: loadAndClose(file, role, take) }
  }
}

/** @throws StartupFault */
export function makeStoreDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new StartupFault(`--store ${directory} cannot be made: ${reasonOf(error)}`)
  }
}

function loadAndClose<T>(file: string, role: StoreRole, take: (zones: Iterable<StoredZone>) => T): T {
  const store = new Store(file, role)
  try {
    return take(store.load())
  } finally {
    store.close()
  }
}

/** Why the file cannot be used, if the reason is not its content. */
export function obstacleOf(error: unknown): string | undefined {
  const code = sqliteCodeOf(error)
  if (code === undefined) return undefined
  if (busyCodes.has(code)) return 'is in use by another process'
  return accessCodes.has(code) ? `cannot be written: ${reasonOf(error)}` : undefined
}

/** SQLite's result code without its extension. Undefined if the error is not SQLite's. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

function moveAside(file: string): string {
  const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '')}`
  renameSync(file, aside)
  // The log belongs to the broken file. If it stayed, it would be replayed into the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  return aside
}
