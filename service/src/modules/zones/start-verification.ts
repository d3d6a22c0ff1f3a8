import { actorNamed } from '#platform/caller.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { endDueContest } from './end-contest.ts'
import { type Contest, claimDue, isAnyVerificationDue, type Verification } from './verification-store.ts'
import { type VerificationParts, verifyDueZone } from './verify-zone.ts'

/** Maximum number of zones that are checked at once. A parent that does not answer uses one slot for some seconds, and must not block the others. */
const maxLooking = 400
/** Minimum number of zones to claim at once: claiming one by one would cost two statements each. */
const leastClaim = 50

const actor = actorNamed('system', 'verification')

/** Checks the proofs of pending zones and ends contests when they are due. Any number of workers share the work. */
export function startZoneVerification(
  options: VerificationParts & { readonly database: Database; readonly log: Logger },
): { stop(): Promise<void> } {
  const { database, log } = options
  const claimed = new ClaimedWork<Contest | Verification>({
    name: 'zone verification',
    log,
    max: maxLooking,
    least: leastClaim,
    look: database.pollFor(isAnyVerificationDue),
    claim: (max) => claimDue(database.db, max),
    work: (due) =>
      'liveZoneId' in due ? endDueContest(database, options, due) : verifyDueZone(database, options, actor, due),
    about: ({ zoneId }) => ({ zone: zoneId }),
  })
  claimed.start()
  return claimed
}
