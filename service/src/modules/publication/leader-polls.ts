import { isAnyHeld } from '#modules/events/index.ts'
import { hasAnyZoneMoved } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import { isAnyFormerLeft } from './apex-store.ts'
import { isCatalogLaterThan } from './catalog-store.ts'

type Poll = () => Promise<boolean>

/** What whoever leads asks each second: is there anything to do? */
export interface LeaderPolls {
  readonly isAnyHeld: Poll
  readonly hasAnyZoneMoved: Poll
  readonly isAnyFormerLeft: Poll
  /** Has the catalog a later serial than the one that was announced? */
  isCatalogLaterThan(announced: number): Promise<boolean>
}

/** Made once a process, however often it leads: a question is asked for as long as its process runs (`DuePolls`). */
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
