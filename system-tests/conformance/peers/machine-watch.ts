import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseMachine } from './database-machine.ts'

/** The observed state of all machines at one time. */
interface Round {
  readonly atMs: number
  /** Machines that accept writes. */
  readonly writable: readonly string[]
  /** The subset on whose timeline serials are assigned. */
  readonly adopted: readonly string[]
}

const state = `select not pg_is_in_recovery() as "isWritable", case when not pg_is_in_recovery() then
  (select timeline from serial_fence) = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as "isAdopted"`

/** Asks all machines ten times a second whether they accept writes. */
export class MachineWatch {
  readonly rounds: Round[] = []
  #isOver = false
  readonly #watching: Promise<void>

  constructor(machines: readonly DatabaseMachine[]) {
    this.#watching = this.#watch(machines)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
  }

  /** When a machine was first seen to accept writes after a moment, and when changes could have serials there. */
  firstOf(name: string, sinceMs: number): { writableMs: number; adoptedMs: number } {
    const first = (which: 'writable' | 'adopted') =>
      this.rounds.find((round) => round.atMs > sinceMs && round[which].includes(name))?.atMs ?? Number.NaN
    return { writableMs: first('writable'), adoptedMs: first('adopted') }
  }

  async #watch(machines: readonly DatabaseMachine[]): Promise<void> {
    while (!this.#isOver) {
      const atMs = performance.now()
      const answers = await Promise.all(
        machines.map(async (machine) => {
          const rows = await machine.query<{ isWritable: boolean; isAdopted: boolean | null }>(state).catch(() => [])
          return { name: machine.name, ...rows[0] }
        }),
      )
      const writable = answers.filter(({ isWritable }) => isWritable).map(({ name }) => name)
      const adopted = answers.filter(({ isAdopted }) => isAdopted).map(({ name }) => name)
      this.rounds.push({ atMs, writable, adopted })
      await delay(100)
    }
  }
}
