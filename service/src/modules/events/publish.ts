import type { Statement, Tx } from '#platform/postgres/index.ts'
import { requestId } from '#platform/request-id.ts'
import type { NewEvent } from './new-event.ts'
import { insertHeld, insertReleased } from './store.ts'

/**
 * The inserts of events as values, for `runTogether` where every round trip counts.
 *
 * Run them in the transaction that causes the events, with the zones' rows locked. The order of these inserts is the
 * order of a zone's events, so the events of one zone must either all be held or all not be held. If any event is not held, the caller
 * notifies `events_ready` after the commit.
 */
export function eventStatements(events: readonly NewEvent[], isLone?: boolean): Statement[] {
  const { held = [], released = [] } = Object.groupBy(events, (event) => (event.held === null ? 'released' : 'held'))
  return [
    ...(held.length > 0 ? [insertHeld(held, isLone)] : []),
    ...(released.length > 0 ? [insertReleased(released, isLone)] : []),
  ]
}

/**
 * Writes an event in the transaction that causes it, and wakes fan-out after the commit. An event without a zone has no order to keep, so it
 * is written with the commit.
 */
export async function publish(tx: Tx, event: NewEvent): Promise<void> {
  const caused = { requestId: requestId(), ...event }
  if (event.held === null && event.zoneId === undefined) tx.writeRowAtCommit(insertReleased, caused)
  else await tx.runTogether(eventStatements([caused]))
  if (event.held === null) tx.wakeAfterCommit('events_ready')
}

/** Writes one event for each of many zones. None of the events is held. */
export async function publishOfMany(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const caused = { requestId: requestId() }
  await tx.runTogether(eventStatements(events.map((event) => ({ ...caused, ...event }))))
  if (events.length > 0) tx.wakeAfterCommit('events_ready')
}

/** Writes an event without a zone, which is not held, and returns its id, so that the caller can follow it. */
export async function publishAtOnce(tx: Tx, event: Omit<NewEvent, 'held' | 'zoneId' | 'serial'>): Promise<string> {
  const { rows } = await insertReleased([{ requestId: requestId(), ...event, held: null }]).execute(tx)
  tx.wakeAfterCommit('events_ready')
  return (rows as { id: string }[])[0]?.id as string
}
