import { publishAtOnce } from '#modules/events/index.ts'
import type { Db, Tx } from '#platform/db.ts'
import { dayOf } from '#platform/ids.ts'
import { outcomeOf } from './delivery-store.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'

/** What came of a ping, in the words of a delivery. `delivery` is null while fan-out has not got to it. */
export interface PingOutcome {
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped'
  readonly last_status: number | null
  readonly delivery: string | null
}

/** How long a test call waits: longer than one request before it and its own can take, ten seconds each. */
const waitMs = 25_000
const firstPauseMs = 5
const longestPauseMs = 250

/** Sends a ping through the endpoint's lane, and returns the event's id. Throws `not_found`. */
export async function publishPing(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<string> {
  await lockOwnEndpoint(tx, accountId, id)
  return await publishAtOnce(tx, { type: 'ping', recipients: [accountId], endpointId: id, data: {} })
}

/** Waits for what comes of a ping, 25 s at most, or until the process stops. */
export async function outcomeOfPing(
  db: Db,
  endpointId: string,
  eventId: string,
  stopping: AbortSignal,
): Promise<PingOutcome> {
  const ping = { day: dayOf('evt', eventId) ?? '', eventId }
  const until = performance.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const delivery = await outcomeOf(db, endpointId, ping)
    if ((delivery && delivery.status !== 'pending') || performance.now() > until || stopping.aborted)
      return {
        status: delivery?.status ?? 'pending',
        last_status: delivery?.lastStatus ?? null,
        delivery: delivery?.id ?? null,
      }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
