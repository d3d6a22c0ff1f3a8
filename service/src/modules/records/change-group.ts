import { maxChangesPerRequest } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { changeLocked, commitLocked, commitPreloaded, namesOf, type Outcome } from './commit-change.ts'
import { suspectNames } from './forgotten-dots.ts'
import { freshMs } from './preload.ts'
import type { ChangeRequest, ChangeResult, LockedZone } from './zone-draft.ts'

/**
 * Maximum number of requests in a transaction, maximum number of concurrent transactions, the number of requests that starts the second one, and
 * maximum number of rrsets in a request that shares a transaction.
 */
const limits = { requests: 64, slots: 2, besides: 16, changes: 100 }

/** How long preloads of several zones are not used after one of the zones had changed, because the plans for the others are wasted then. */
const movedForMs = 1_000

/**
 * Changes records for many callers at once: requests that arrive during a transaction share the next one.
 *
 * Each request is still applied or refused as a whole, with its own version, serial, history, audit entry and event. The requests
 * share the round trips, the statements and the commit (docs/decisions/0009). No request waits for the lock of another zone: a zone
 * that another transaction has locked is left out, and its requests run alone, one at a time per zone.
 */
export class ChangeGroup {
  readonly #database: Database
  readonly #gather: Gather<ChangeRequest, Outcome>
  /** The time at which the last batch with each zone ended, oldest first. Preloads from before that time are outdated. */
  readonly #endedAtMs = new Map<string, number>()
  /** The last time that a zone of a batch had changed since it was read, which shows that another process also changes these zones. */
  #movedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: Database) {
    this.#database = database
    this.#gather = new Gather(
      { maxItems: limits.requests, slots: limits.slots, besides: limits.besides, keyOf: ({ zoneId }) => zoneId },
      (requests) => this.#change(requests),
    )
  }

  /** Changes records in a transaction of its own, or in one that is shared with others. Resolves once it is committed. */
  async change(request: ChangeRequest): Promise<ChangeResult> {
    const outcome = isSmall(request) ? await this.#together(request) : undefined
    return outcome ? outcome() : this.#database.transactInTurn(request.zoneId, (tx) => changeLocked(tx, request))
  }

  async #change(requests: readonly ChangeRequest[]): Promise<readonly Outcome[]> {
    try {
      return (
        (await this.#changePreloaded(requests)) ??
        (await this.#database.transact((tx) => commitLocked(tx, requests, 'skip')))
      )
    } finally {
      this.#noteEnd(requests)
    }
  }

  /** Undefined: a zone was not preloaded, or has changed since then. */
  async #changePreloaded(requests: readonly ChangeRequest[]): Promise<readonly Outcome[] | undefined> {
    const isAlone = requests.length === 1
    const zones =
      isAlone || performance.now() - this.#movedAtMs > movedForMs ? this.#preloadedZones(requests) : undefined
    if (zones === undefined) return undefined
    const outcomes = await commitPreloaded(this.#database, requests, zones)
    if (outcomes === undefined && !isAlone) this.#movedAtMs = performance.now()
    return outcomes
  }

  /** The preloaded zone of each request. Undefined unless all zones are different and each preload is still valid. */
  #preloadedZones(requests: readonly ChangeRequest[]): LockedZone[] | undefined {
    const zones = new Map<string, LockedZone>()
    for (const request of requests) {
      const { zoneId, preload } = request
      const zone = preload?.zoneFor(zoneId, namesOf(request), this.#endedAtMs.get(zoneId))
      if (zone === undefined || zones.has(zoneId) || mayMoveAlias(request, zone)) return undefined
      zones.set(zoneId, zone)
    }
    return [...zones.values()]
  }

  #noteEnd(requests: readonly ChangeRequest[]): void {
    const nowMs = performance.now()
    for (const { zoneId } of requests) {
      this.#endedAtMs.delete(zoneId)
      this.#endedAtMs.set(zoneId, nowMs)
    }
    for (const [zoneId, endedAtMs] of this.#endedAtMs) {
      if (nowMs - endedAtMs < freshMs) break
      this.#endedAtMs.delete(zoneId)
    }
  }

  async #together(request: ChangeRequest): Promise<Outcome> {
    try {
      return await this.#gather.ask(request)
    } catch (error) {
      // Nothing was written. Each request is now tried alone, so that it gets its own result. If the database is unavailable, it is unavailable
      // for all.
      if (error instanceof Refusal) throw error
      return undefined
    }
  }
}

/** The request needs the whole zone, or changes more of it than a bulk change may. It can take seconds and hundreds of megabytes. */
export function isOfWholeZone(request: ChangeRequest): boolean {
  return namesOf(request) === undefined || request.changes.length > maxChangesPerRequest
}

/** The request shares a transaction. Other requests hold their own connection while they are planned. */
export function isSmall(request: ChangeRequest): boolean {
  const isPlannedAtOnce = namesOf(request) !== undefined && suspectNames(request.dotless ?? []).length === 0
  return isPlannedAtOnce && request.changes.length <= limits.changes
}

/** Whether a request may change an ALIAS. Its published addresses are not preloaded. */
function mayMoveAlias({ changes, decide }: ChangeRequest, { rrsets }: LockedZone): boolean {
  const isAlias = ({ type }: { readonly type: string }): boolean => type === 'ALIAS'
  return changes.some(isAlias) || (decide !== undefined && rrsets.some(isAlias))
}
