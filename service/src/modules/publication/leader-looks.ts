import { isAnyHeld } from '#modules/events/index.ts'
import { hasAnyZoneMoved } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import { isAnyFormerLeft } from './apex-store.ts'
import { isCatalogLaterThan } from './catalog-store.ts'

type Look = () => Promise<boolean>

/** What whoever leads asks each second: is there anything to do? */
export interface LeaderLooks {
  readonly isAnyHeld: Look
  readonly hasAnyZoneMoved: Look
  readonly isAnyFormerLeft: Look
  /** Has the catalog a later serial than the one that was announced? */
  isCatalogLaterThan(announced: number): Promise<boolean>
}

/** Made once a process, however often it leads: a question is asked for as long as its process runs (`Looks`). */
export function leaderLooks(database: Pick<Database, 'lookFor'>): LeaderLooks {
  let announcedSerial = 0
  const isCatalogAhead = database.lookFor(() => isCatalogLaterThan(announcedSerial))
  return {
    isAnyHeld: database.lookFor(isAnyHeld),
    hasAnyZoneMoved: database.lookFor(hasAnyZoneMoved),
    isAnyFormerLeft: database.lookFor(isAnyFormerLeft),
    isCatalogLaterThan: (announced) => {
      announcedSerial = announced
      return isCatalogAhead()
    },
  }
}
