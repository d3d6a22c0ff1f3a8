import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux has files in memory. */
const memory = '/dev/shm'
/** A whole run makes some 200 databases of at least 12 MB each, and keeps them; other programs also need memory. */
const neededBytes = 10 * 2 ** 30

/**
 * Creates a folder in memory for the test databases; undefined if there is too little memory.
 *
 * The caller removes it. Folders of killed processes are removed here.
 */
export function memoryFolder(place = memory, needed = neededBytes): string | undefined {
  if (!existsSync(place)) return undefined
  for (const name of readdirSync(place)) {
    const [, pid] = /^zonewright-test-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(place, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(place)
  if (Math.min(bavail * bsize, process.availableMemory()) < needed) return undefined
  return mkdtempSync(join(place, `zonewright-test-${process.pid}-`))
}
