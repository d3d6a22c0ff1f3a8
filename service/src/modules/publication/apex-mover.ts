import { setTimeout as wait } from 'node:timers/promises'
import type { Delegate } from '#modules/zones/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { countFormer } from './apex-store.ts'
import type { FormerCut } from './cut-store.ts'
import type { Figures } from './figures.ts'
import type { IsLeading } from './leader-lease.ts'
import type { LeaderPolls } from './leader-polls.ts'
import { moveApexes } from './move-apexes.ts'
import { moveCuts } from './move-cuts.ts'

/** Zones that are moved at once, and the time from one batch to the next: 200 a second leave room for customers' changes. */
const batch = { zones: 100, ms: 500 }
/** How often the log says how many zones are left. */
const tellMs = 30_000

interface ApexMoverParts {
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
 * leader has one. All it knows is in the database: whoever leads next goes on.
 */
export function apexMover(
  { database, log, figures, delegate, polls, isLeading }: ApexMoverParts,
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
