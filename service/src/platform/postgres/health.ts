import type pg from 'pg'
import { Refusal } from '../errors.ts'
import { noLeader, readOnlyState } from './ask-host.ts'
import { isFullState, stateOf } from './outage.ts'
import { announcedProcess, breakConnection, hearServer } from './pg-internals.ts'
import { isWritableHere } from './writable.ts'

/**
 * The state of writes.
 *
 * `hang`: PostgreSQL does not confirm commits, such as while a synchronous standby is down. `disk_full`: its disk is full or fails, or it has no
 * memory (SQLSTATE 53100, 53200, 58030). `read_only`: it is set to read-only, or only standbys can be reached.
 */
export type Writes = 'ok' | 'hang' | 'disk_full' | 'read_only'

/** The state of the database, as `/readyz` shows it. `since`: when writes entered this state. */
export interface Readiness {
  readonly reads: 'ok'
  readonly writes: Writes
  readonly since: Date
}

/** How to connect, and what to call on a change. */
interface Watched {
  readonly pool: pg.Pool
  /** Opens a connection that only the probe uses. */
  readonly connect: () => Promise<pg.Client>
  /** Called when writes begin to fail, to fail differently, or to work again. */
  readonly onChange: (writes: Writes) => void
}

/** All times here are counted in ticks of the process's own timer. */
const tickMs = 100
/** A busy process is late with its ticks and counts those that it missed. After a pause of the process or its machine, it counts at most this many. */
const maxTicksAtOnce = 5
/** Pause between two probes. With `hangTicks`, a hang is known within 2 s. */
const restTicks = 5
/** A commit that takes longer hangs. */
const hangTicks = 15
/** If the probe gets no response for this long, the pool is queried. It has the rest of `deafTicks` to respond. */
const silentTicks = 6
const deafTicks = 30
/** A full disk is reported for at least this long after the last statement that failed. */
const fullTicks = 50
/** A probe that hangs for this long is canceled before its connection is closed. Otherwise, its server process would keep hanging. */
const cancelTicks = 300

/**
 * A commit of a few bytes. An empty transaction would not reach the disk or a standby, and a table would have to be cleaned up.
 * Null, and nothing is written, if the database is read-only.
 */
const smallCommit = `select case when ${isWritableHere} then pg_logical_emit_message(true, 'zonewright', '')::text end as written`

/** The same after 3 MB were written to a temporary file. A small commit fits into a file that PostgreSQL has on its disk already. */
export const largeCommit = `select set_config('work_mem', '64kB', true);
  select count(*) from generate_series(1, 100000);
  ${smallCommit}`

/**
 * Watches in the background whether PostgreSQL answers and commits, and keeps the result in memory, so that callers do not wait.
 *
 * It makes a small commit every half second, one at a time, on its own connection. It also sees every error that PostgreSQL sends to this process,
 * because tests showed that a probe alone does not notice a full disk.
 */
export class DatabaseHealth {
  #writes: Writes = 'ok'
  #since = new Date()
  #onChange: Watched['onChange'] = () => undefined
  #timer: NodeJS.Timeout | undefined

  /** Since the last tick. */
  #isAnswered = false
  #silent = 0
  /** The pool was queried, and did not respond. */
  #isAway = false
  #isAsking = false

  #probe: pg.Client | undefined
  /** Ticks since the probe's commit was sent, or since the last one ended. */
  #waited = 0
  #isCancelled = false
  #step: 'resting' | 'connecting' | 'committing' = 'resting'
  /** Ticks since a statement failed because the disk is full. */
  #sinceFull = 0

  #tick = 0
  /** Connections that wait for the end of a transaction, with the tick in which it was sent. */
  readonly #committing = new Map<pg.ClientBase, number>()

  /** Observes the errors and responses on this connection from now on. */
  hear(client: pg.ClientBase): void {
    hearServer(client, {
      onReady: () => {
        this.#isAnswered = true
      },
      onError: (state) => {
        if (isFullState(state)) this.#noteFull()
      },
    })
  }

  /** Undefined while PostgreSQL does not answer. */
  get readiness(): Readiness | undefined {
    if (this.#isUnreachable) return undefined
    return { reads: 'ok', writes: this.#writes, since: this.#since }
  }

  get #isUnreachable(): boolean {
    return this.#isAway || this.#silent > deafTicks
  }

  /**
   * Called before each statement and transaction, so that they do not wait for a PostgreSQL that is known not to answer. The watch itself keeps
   * probing, and notices when it is back.
   *
   * @throws an error that `isOutage` recognizes
   */
  refuseWhileUnreachable(): void {
    if (this.#isUnreachable) throw noLeader('PostgreSQL does not answer', false)
  }

  /**
   * Called at the start of each transaction.
   *
   * @throws Refusal `unavailable` while commits hang or the database is read-only. The transaction would hold a connection that others need
   *   for reading, or break those of others (`LeaderHost`).
   */
  refuseWhileUnwritable(): void {
    if (this.#writes === 'ok' || this.#writes === 'disk_full') return
    const why = this.#writes === 'hang' ? 'does not confirm changes' : 'is read-only'
    const message = `The database currently ${why}. Nothing was changed. Try again in a few seconds.`
    // An earlier transaction of the same request may have been kept (`withOutagesInDoubt`).
    const cause = noLeader(`the database ${why}`)
    throw new Refusal('unavailable', message, { headers: { 'retry-after': '5' }, cause })
  }

  /** A connection has sent its commit. If commits turn out to hang, the connection is ended, so that its caller gets an answer. */
  committing(client: pg.ClientBase): void {
    this.#committing.set(client, this.#tick)
  }

  committed(client: pg.ClientBase): void {
    this.#committing.delete(client)
  }

  /** Watches until `stop`. */
  watch({ pool, connect, onChange }: Watched): void {
    this.#onChange = onChange
    let lastMs = performance.now()
    this.#timer = setInterval(() => {
      const nowMs = performance.now()
      const ticks = Math.min(Math.max(1, Math.round((nowMs - lastMs) / tickMs)), maxTicksAtOnce)
      lastMs = nowMs
      this.#tick += ticks
      this.#watchReads(ticks, pool)
      this.#watchWrites(ticks, pool, connect)
      if (this.#writes === 'hang') this.#endHanging()
    }, tickMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const probe = this.#probe
    if (this.#step === 'committing') this.#dropProbe()
    else await probe?.end().catch(() => undefined)
  }

  #watchReads(ticks: number, pool: pg.Pool): void {
    if (this.#isAnswered) {
      this.#silent = 0
      this.#isAway = false
    } else this.#silent += ticks
    this.#isAnswered = false
    if (this.#silent < silentTicks || this.#isAsking) return
    this.#isAsking = true
    pool
      .query('select 1')
      .catch(() => {
        // Other statements may have got responses while this one waited for its turn.
        this.#isAway = this.#silent >= silentTicks
      })
      .finally(() => {
        this.#isAsking = false
      })
  }

  #watchWrites(ticks: number, pool: pg.Pool, connect: Watched['connect']): void {
    this.#waited += ticks
    this.#sinceFull += ticks
    if (this.#step === 'resting' && this.#waited >= restTicks) this.#commit(connect)
    if (this.#step !== 'committing') return
    if (this.#waited >= hangTicks) this.#become('hang')
    if (this.#waited >= cancelTicks && !this.#isCancelled) this.#cancel(pool)
  }

  async #commit(connect: Watched['connect']): Promise<void> {
    try {
      this.#step = 'connecting'
      const probe = this.#probe ?? (await connect())
      if (this.#probe === undefined) {
        this.#probe = probe
        this.hear(probe)
        probe.once('end', () => this.#dropProbe())
      }
      this.#step = 'committing'
      this.#waited = 0
      this.#isCancelled = false
      const answer = await probe.query<{ written: string | null }>(
        this.#writes === 'disk_full' ? largeCommit : smallCommit,
      )
      const last = [answer].flat().at(-1)
      this.#judge(last?.rows[0]?.written === null)
      // After a slow probe, the next one follows immediately, because the problem may be over.
      this.#waited = this.#writes === 'hang' ? restTicks : 0
    } catch (error) {
      const state = stateOf(error)
      if (state === readOnlyState) this.#judge(true)
      // `temp_file_limit` may keep temporary files small. Then a large commit cannot show more.
      if (state === '53400') this.#judge(false)
      // Its connection may be half-way through something.
      this.#dropProbe()
      this.#waited = 0
    } finally {
      this.#step = 'resting'
    }
  }

  /** A commit has succeeded. */
  #judge(isReadOnly: boolean): void {
    if (isReadOnly) {
      this.#become('read_only')
      // The next connection may lead to another server.
      this.#dropProbe()
    } else if (this.#waited < hangTicks && !(this.#writes === 'disk_full' && this.#sinceFull < fullTicks))
      this.#become('ok')
  }

  #noteFull(): void {
    this.#sinceFull = 0
    this.#become('disk_full')
  }

  #become(writes: Writes): void {
    if (this.#writes === writes) return
    this.#writes = writes
    this.#since = new Date()
    this.#onChange(writes)
  }

  /** The commit of the probe contains no data that could be lost. */
  #cancel(pool: pg.Pool): void {
    this.#isCancelled = true
    if (this.#probe === undefined) return
    pool
      .query(
        `select pg_cancel_backend(pid) from pg_stat_activity
        where pid = $1 and usename = current_user and query like '%pg_logical_emit_message%'`,
        [announcedProcess(this.#probe)],
      )
      .catch(() => undefined)
  }

  /** It is unknown whether these commit: their callers get that answer, and others can have new connections for reading. */
  #endHanging(): void {
    for (const [client, since] of this.#committing) if (this.#tick - since >= hangTicks) breakConnection(client)
  }

  #dropProbe(): void {
    const probe = this.#probe
    this.#probe = undefined
    if (probe !== undefined) breakConnection(probe)
  }
}
