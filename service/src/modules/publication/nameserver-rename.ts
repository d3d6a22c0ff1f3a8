import { setTimeout as wait } from 'node:timers/promises'
import { apexStep, readConfiguredNames } from '#modules/primary/index.ts'
import type { Delegate } from '#modules/zones/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { countFormer, lockMoving, type MovingZone, pageOfFormer, writeMoves } from './apex-store.ts'
import type { FormerCut } from './cut-store.ts'
import type { Figures } from './figures.ts'
import type { IsLeading } from './leader-lease.ts'
import type { LeaderPolls } from './leader-polls.ts'
import { moveCuts } from './move-cuts.ts'

/** Maximum number of zones that are updated at once, and the time between batches: 200 a second leave room for customers' changes. */
const batch = { zones: 100, ms: 500 }
/** How often the log says how many zones are left. */
const tellMs = 30_000

interface NameserverRenameParts {
  readonly database: Database
  readonly log: Logger
  readonly figures: Figures
  readonly delegate: Delegate
  readonly polls: Pick<LeaderPolls, 'isAnyFormerLeft'>
  readonly isLeading: IsLeading
}

/**
 * Moves zones to the configured nameservers, and after them the delegations to them from zones here, at a limited rate, for as
 * long as there are any that name others. Only the
 * leader has one. Its whole state is in the database, so the next leader continues.
 */
export function nameserverRename(
  { database, log, figures, delegate, polls, isLeading }: NameserverRenameParts,
  onMoved: (zoneIds: readonly string[]) => void,
): Rounds {
  let after: string | undefined
  let afterCut: FormerCut | undefined
  let startedAtMs = Number.NEGATIVE_INFINITY
  let toldAtMs = Number.NEGATIVE_INFINITY
  let isMoving = false

  const tell = async (unseen: readonly string[]): Promise<void> => {
    toldAtMs = performance.now()
    const zones = await countFormer(database.db)
    figures.zonesToMove.set(zones)
    if (zones > 0)
      log.info({ zones, ...(unseen.length > 0 && { unseen }) }, 'zones are being moved to the new nameservers')
    else if (isMoving) log.info('every zone names the new nameservers')
    isMoving = zones > 0
  }

  return new Rounds({
    name: 'move to the new nameservers',
    log,
    look: async () => isMoving || (await polls.isAnyFormerLeft()),
    round: async () => {
      const waitMs = startedAtMs + batch.ms - performance.now()
      if (waitMs > 0) await wait(waitMs)
      if (!isLeading()) return false
      startedAtMs = performance.now()
      const { moved, waiting, unseen, after: next } = await moveApexes(database, after, batch.zones)
      after = next
      if (moved.length > 0) onMoved(moved)
      const cuts = await moveCuts({ database, delegate }, afterCut, batch.zones)
      afterCut = cuts.after
      if (cuts.moved > 0) log.info({ delegations: cuts.moved }, 'delegations between zones here were moved')
      const isNews = isMoving !== moved.length + waiting > 0
      if (isNews || (isMoving && performance.now() - toldAtMs > tellMs)) await tell(unseen)
      return moved.length > 0 || cuts.moved > 0
    },
  })
}

/** The result of one batch. */
export interface ApexBatch {
  /** Zones that were given a serial with the new nameservers, by id. */
  readonly moved: readonly string[]
  /** Zones that wait for new nameservers, which do not serve them yet, and these nameservers. */
  readonly waiting: number
  readonly unseen: readonly string[]
  /** Where the next batch starts; undefined: from the beginning. */
  readonly after: string | undefined
}

/**
 * Makes up to `max` zones that still name former nameservers name the configured ones: a serial and a journal step each.
 *
 * A zone waits until every new nameserver has been seen to serve it, so that it never names one that does not answer. A zone that a
 * customer is just changing is left for the next round.
 */
export async function moveApexes(database: Database, after: string | undefined, max: number): Promise<ApexBatch> {
  const page = await pageOfFormer(database.db, after, max)
  const next = page.length < max ? undefined : page.at(-1)?.id
  if (page.length === 0) return { moved: [], waiting: 0, unseen: [], after: next }
  return database.transact(async (tx) => {
    const locked = await lockMoving(
      tx,
      page.map(({ id }) => id),
    )
    const configured = await readConfiguredNames(tx)
    const ready = locked.filter(({ unseen }) => unseen.length === 0)
    const moves = ready.map((zone) => ({ zone, step: stepTo(zone, configured) }))
    if (moves.length > 0) await writeMoves(tx, moves)
    const unseen = [...new Set(locked.flatMap((zone) => zone.unseen))].sort()
    return { moved: ready.map(({ id }) => id), waiting: locked.length - ready.length, unseen, after: next }
  })
}

/** The names of the customer's own secondaries stay. */
function stepTo(zone: MovingZone, configured: readonly string[]) {
  return apexStep(zone, [...zone.former, ...zone.secondaryNames], [...configured, ...zone.secondaryNames])
}
