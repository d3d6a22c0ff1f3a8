import { type EventType, sampleOf } from '@zonewright/contract'
import { publishAtOnce } from '#modules/events/index.ts'
import { dayOf } from '#platform/ids.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import type { FailureWord } from '#ports/webhook-http.ts'
import { outcomeOf } from './delivery-store.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'

/** The outcome of a test, with the states of a delivery. `delivery` is null until fan-out has processed it. */
export interface TestOutcome {
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped'
  readonly last_status: number | null
  readonly failure: FailureWord | null
  readonly failure_detail: string | null
  readonly delivery: string | null
}

/** How long a test call waits: longer than the previous request and its own can take, which have ten seconds each. */
const waitMs = 25_000
const firstPauseMs = 5
const longestPauseMs = 250

/**
 * Sends a sample of an event through the endpoint's lane, and returns the event's id. Throws `not_found`.
 *
 * It has no recipients, so it is in no account's events, and fan-out gives it only to this endpoint.
 */
export async function publishTest(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  type: EventType,
): Promise<string> {
  await lockOwnEndpoint(tx, accountId, id)
  return await publishAtOnce(tx, { type, recipients: [], endpointId: id, data: sampleOf(type) })
}

/** Waits for the outcome of a test, at most 25 s, or until the process stops. */
export async function outcomeOfTest(
  db: Db,
  endpointId: string,
  eventId: string,
  stopping: AbortSignal,
): Promise<TestOutcome> {
  const sent = { day: dayOf('evt', eventId) ?? '', eventId }
  const until = performance.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const delivery = await outcomeOf(db, endpointId, sent)
    if ((delivery && delivery.status !== 'pending') || performance.now() > until || stopping.aborted)
      return {
        status: delivery?.status ?? 'pending',
        last_status: delivery?.lastStatus ?? null,
        failure: delivery?.lastFailure ?? null,
        failure_detail: delivery?.lastFailureDetail ?? null,
        delivery: delivery?.id ?? null,
      }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
