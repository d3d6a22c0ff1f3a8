import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupFault } from '../startup-fault.ts'
import { makeStoreDirectory, obstacleOf } from './open-store.ts'

const retryMs = 50

/**
 * The right to write a store, which one process has at a time. The system takes it back when the process ends, however it does.
 *
 * It is SQLite's lock of an empty file of its own: Node has no other one. The store itself is locked for the moments of a transaction
 * only, so that another process can read it.
 */
export class WriterLock {
  readonly #db: DatabaseSync
  #isHeld = false
  #retry: NodeJS.Timeout | undefined
  #isReleased = false

  /** Takes the lock if it is free. @throws StartupFault if its file cannot be written */
  constructor(directory: string) {
    makeStoreDirectory(directory)
    try {
      this.#db = new DatabaseSync(join(directory, 'writer.lock'), { timeout: 0 })
      this.#isHeld = this.#take()
    } catch (error) {
      const fault = obstacleOf(error)
      if (fault === undefined) throw error
      throw new StartupFault(`--store ${directory} ${fault}`)
    }
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Resolves to true once the lock is held, or to false when it was released before. */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const attempt = () => {
        if (this.#isReleased) return resolve(false)
        this.#isHeld ||= this.#take()
        if (this.#isHeld) return resolve(true)
        this.#retry = setTimeout(attempt, retryMs).unref()
      }
      attempt()
    })
  }

  release(): void {
    this.#isReleased = true
    clearTimeout(this.#retry)
    this.#db.close()
  }

  #take(): boolean {
    try {
      this.#db.exec('begin exclusive')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  )
}
