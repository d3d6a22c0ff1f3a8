import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupFault } from '../startup-fault.ts'
import { makeStoreDirectory, obstacleOf, sqliteCodeOf } from './open-store.ts'

const retryMs = 50
/** SQLITE_BUSY */
const busyCode = 5

/**
 * The right to write a store, which one process has at a time. The system releases it when the process ends, for whatever reason.
 *
 * It is SQLite's lock on a separate empty file, because Node has no other file lock. The store itself is locked only during transactions, so that
 * another process can read it.
 */
export class WriterLock {
  readonly #db: DatabaseSync
  #retry: NodeJS.Timeout | undefined

  /** Takes the lock if it is free. @throws StartupFault if its file cannot be written */
  constructor(directory: string) {
    makeStoreDirectory(directory)
    try {
      this.#db = new DatabaseSync(join(directory, 'writer.lock'), { timeout: 0 })
      this.#take()
    } catch (error) {
      const fault = obstacleOf(error)
      if (fault === undefined) throw error
      throw new StartupFault(`--store ${directory} ${fault}`)
    }
  }

  get isHeld(): boolean {
    return this.#db.isTransaction
  }

  /** Resolves once the lock is held. Stays pending if it is released before. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      const attempt = () => {
        if (this.isHeld || this.#take()) return resolve()
        this.#retry = setTimeout(attempt, retryMs).unref()
      }
      attempt()
    })
  }

  release(): void {
    clearTimeout(this.#retry)
    this.#db.close()
  }

  #take(): boolean {
    try {
      this.#db.exec('begin exclusive')
      return true
    } catch (error) {
      if (sqliteCodeOf(error) === busyCode) return false
      throw error
    }
  }
}
