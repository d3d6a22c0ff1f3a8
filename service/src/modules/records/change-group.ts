import { maxChangesPerRequest } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { changeRecords, namesOf, writeDrafts } from './change-records.ts'
import { suspectNames } from './forgotten-dots.ts'
import { freshMs } from './preload.ts'
import { holdStatement, isStale, lockZonesAndRead } from './store.ts'
import { type ChangeRequest, type ChangeResult, type LockedZone, ZoneDraft } from './zone-draft.ts'

/**
 * Requests in one transaction, transactions under way at once, requests that must wait for the second of these, and rrsets in a
 * request that still goes with others.
 */
const limits = { requests: 64, slots: 2, besides: 16, changes: 100 }

/** So long nothing is planned on preloads of several zones after one had moved: the others' work was for nothing. */
const movedForMs = 1_000

/** What became of a request in a group; undefined: its zone is gone or busy elsewhere, so that it has to go alone. */
type Outcome = (() => ChangeResult) | undefined

/**
 * Changes records for many callers at once: whoever asks while a transaction is under way goes with the next one.
 *
 * Each request is still taken whole or refused whole, with a version, a serial, history, audit entry and event of its own;
 * what they share is the round trips, the statements and the commit (docs/decisions/0009). Nobody waits for somebody
 * else's lock: a zone that another transaction holds is left out, and its request goes alone, one at a time of each zone.
 */
export class ChangeGroup {
  readonly #database: Database
  readonly #gather: Gather<ChangeRequest, Outcome>
  /** When a batch with each zone ended, the longest ago first: what was preloaded before that is stale. */
  readonly #endedAtMs = new Map<string, number>()
  /** When a zone of a batch had moved since it was read: another process changes these zones, too. */
  #movedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: Database) {
    this.#database = database
    this.#gather = new Gather(
      { maxItems: limits.requests, slots: limits.slots, besides: limits.besides, keyOf: ({ zoneId }) => zoneId },
      (requests) => this.#change(requests),
    )
  }

  /** As `changeRecords`, in a transaction of its own or shared with others. Resolves once it is committed. */
  async change(request: ChangeRequest): Promise<ChangeResult> {
    const outcome = isSmall(request) ? await this.#together(request) : undefined
    return outcome ? outcome() : this.#database.transactInTurn(request.zoneId, (tx) => changeRecords(tx, request))
  }

  async #change(requests: readonly ChangeRequest[]): Promise<readonly Outcome[]> {
    try {
      return (await this.#changePreloaded(requests)) ?? (await changeTogether(this.#database, requests))
    } finally {
      this.#noteEnd(requests)
    }
  }

  /** Undefined: something was not preloaded, or is no longer so. */
  async #changePreloaded(requests: readonly ChangeRequest[]): Promise<readonly Outcome[] | undefined> {
    const isAlone = requests.length === 1
    const zones =
      isAlone || performance.now() - this.#movedAtMs > movedForMs ? this.#preloadedZones(requests) : undefined
    if (zones === undefined) return undefined
    const outcomes = await changePreloaded(this.#database, requests, zones)
    if (outcomes === undefined && !isAlone) this.#movedAtMs = performance.now()
    return outcomes
  }

  /** A zone for each of them, as it was preloaded. */
  #preloadedZones(requests: readonly ChangeRequest[]): LockedZone[] | undefined {
    const zones = new Map<string, LockedZone>()
    for (const request of requests) {
      const { zoneId, preload } = request
      const zone = preload?.zoneFor(zoneId, namesOf(request), this.#endedAtMs.get(zoneId))
      if (zone === undefined || zones.has(zoneId)) return undefined
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
      // Nothing was written. By itself each request meets its own fate; but a database that is away is away for all.
      if (error instanceof Refusal) throw error
      return undefined
    }
  }
}

/** Needs the whole zone, or changes more of it than a bulk change may. It can take seconds and hundreds of megabytes. */
export function isOfWholeZone(request: ChangeRequest): boolean {
  return namesOf(request) === undefined || request.changes.length > maxChangesPerRequest
}

/** Goes with others. Any other one holds a connection of its own while it is planned. */
export function isSmall(request: ChangeRequest): boolean {
  const isPlannedAtOnce = namesOf(request) !== undefined && suspectNames(request.dotless ?? []).length === 0
  return isPlannedAtOnce && request.changes.length <= limits.changes
}

function changeTogether(database: Database, requests: readonly ChangeRequest[]): Promise<Outcome[]> {
  return database.transact(async (tx) => {
    const byZone = Map.groupBy(requests, ({ zoneId }) => zoneId)
    const wishes = [...byZone].map(([id, all]) => ({ id, names: all.flatMap((request) => namesOf(request) ?? []) }))
    const zones = await lockZonesAndRead(tx, wishes, 'skip')
    const drafts = new Map(zones.map((zone) => [zone.id, new ZoneDraft(zone)]))
    const outcomes = requests.map((request) => outcomeOf(request, drafts.get(request.zoneId)))
    writeDrafts(tx, [...drafts.values()])
    return outcomes
  })
}

/**
 * Plans requests of a zone each on what was preloaded for them, and writes them in one round trip: lock the zones if they
 * have not moved, write, commit (docs/decisions/0017). If one has, nothing is written, and the outcome is undefined.
 *
 * What changes nothing, or is refused, was so at a moment after the request came.
 */
async function changePreloaded(
  database: Database,
  requests: readonly ChangeRequest[],
  zones: readonly LockedZone[],
): Promise<Outcome[] | undefined> {
  const drafts = zones.map((zone) => new ZoneDraft(zone))
  const outcomes = requests.map((request, i) => outcomeOf(request, drafts[i]))
  const moving = drafts.filter(({ steps }) => steps.length > 0)
  if (moving.length === 0) return outcomes
  try {
    await database.transact(async (tx) => {
      tx.requireAtCommit(holdStatement(moving.map(({ zone }) => zone)))
      writeDrafts(tx, moving)
    })
    return outcomes
  } catch (error) {
    if (isStale(error)) return undefined
    throw error
  }
}

function outcomeOf(request: ChangeRequest, draft: ZoneDraft | undefined): Outcome {
  if (draft === undefined) return undefined
  try {
    const result = draft.change(request)
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}
