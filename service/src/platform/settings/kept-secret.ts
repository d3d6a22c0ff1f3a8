import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'

/**
 * A secret that is created once and kept in a file that only we can read.
 *
 * Two processes that start at the same time end up with the same secret: the complete file is put in place with a link, and the second link fails.
 */
export function keptSecret(path: string, make: () => string): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
  }
  return readFileSync(path, 'utf8').trim()
}
