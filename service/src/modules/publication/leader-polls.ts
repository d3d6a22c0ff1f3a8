import { isAnyHeld } from '#modules/events/index.ts'
import { hasAnyZoneMoved } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import { isAnyFormerLeft } from './apex-store.ts'
import { isCatalogLaterThan } from './catalog-store.ts'

type Poll = () => Promise<boolean>

/** The checks of the leader, each second, whether work is due. */
export interface LeaderPolls {
  readonly isAnyHeld: Poll
  readonly hasAnyZoneMoved: Poll
  readonly isAnyFormerLeft: Poll
  /** Whether the catalog has a later serial than the announced one. */
  isCatalogLaterThan(announced: number): Promise<boolean>
}

/** Created once per process, however often it leads, because a condition is checked as long as its process runs (`DuePolls`). */
export function leaderPolls(database: Pick<Database, 'pollFor'>): LeaderPolls {
  let announcedSerial = 0
  const isCatalogAhead = database.pollFor(() => isCatalogLaterThan(announcedSerial))
  return {
    isAnyHeld: database.pollFor(isAnyHeld),
    hasAnyZoneMoved: database.pollFor(hasAnyZoneMoved),
    isAnyFormerLeft: database.pollFor(isAnyFormerLeft),
    isCatalogLaterThan: (announced) => {
      announcedSerial = announced
      return isCatalogAhead()
    },
  }
}
