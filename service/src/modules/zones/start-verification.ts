import { actorNamed } from '#platform/caller.ts'
import type { Database } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { Rounds } from '#platform/rounds.ts'
import { endDueContest } from './end-contest.ts'
import { isAnyVerificationDue, takeDueContests, takeDueVerifications } from './verification-store.ts'
import { type VerificationParts, verifyDueZone } from './verify-zone.ts'

/** Zones whose DNS is asked at once. */
const atOnce = 50

const actor = actorNamed('system', 'verification')

/** Looks for the proofs of pending zones and ends contests, as their times come. Any number of workers share the work. */
export function startZoneVerification(
  options: VerificationParts & { readonly database: Database; readonly log: Logger },
): { stop(): Promise<void> } {
  const rounds = new Rounds({
    name: 'zone verification',
    log: options.log,
    look: options.database.lookFor(isAnyVerificationDue),
    round: () => verifyDue(options),
  })
  rounds.start()
  return { stop: () => rounds.stop() }
}

/** One round. True: there may be more that is due. */
export async function verifyDue(
  options: VerificationParts & { readonly database: Database; readonly log: Logger },
): Promise<boolean> {
  const { database, log } = options
  const contests = await takeDueContests(database.db, atOnce)
  const due = await takeDueVerifications(database.db, atOnce)
  const outcomes = await Promise.allSettled([
    ...contests.map((contest) => endDueContest(database, options, contest)),
    ...due.map((verification) => verifyDueZone(database, options, actor, verification)),
  ])
  // One that fails is looked at again once its lease is over; the others go on.
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'a zone could not be verified')
  return contests.length === atOnce || due.length === atOnce
}
