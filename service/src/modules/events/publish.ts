import { runTogether, type Statement, type Tx, wakeAfterCommit, writeRowAtCommit } from '#platform/postgres/index.ts'
import { requestId } from '#platform/request-id.ts'
import type { NewEvent } from './new-event.ts'
import { insertHeld, insertReleased } from './store.ts'

/**
 * The inserts of events as values, for `runTogether` on the paths where every round trip counts.
 *
 * Run them in the transaction that makes the events happen, with the zones' rows locked: the order of these inserts is the
 * order of a zone's events, so no zone may have both held ones and others here. The caller tells `events_ready` after
 * the commit when any of them is not held.
 */
export function eventStatements(events: readonly NewEvent[], isLone?: boolean): Statement[] {
  const { held = [], released = [] } = Object.groupBy(events, (event) => (event.held === null ? 'released' : 'held'))
  return [
    ...(held.length > 0 ? [insertHeld(held, isLone)] : []),
    ...(released.length > 0 ? [insertReleased(released, isLone)] : []),
  ]
}

/**
 * Writes an event inside the transaction that makes it happen, and wakes fan-out once that has committed. One of no zone has no
 * others to keep its place among: it is written with the commit.
 */
export async function publish(tx: Tx, event: NewEvent): Promise<void> {
  const caused = { requestId: requestId(), ...event }
  if (event.held === null && event.zoneId === undefined) writeRowAtCommit(tx, insertReleased, caused)
  else await runTogether(tx, eventStatements([caused]))
  if (event.held === null) wakeAfterCommit(tx, 'events_ready')
}

/** Writes events of as many zones at once, none of which waits. */
export async function publishOfMany(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const caused = { requestId: requestId() }
  await runTogether(tx, eventStatements(events.map((event) => ({ ...caused, ...event }))))
  if (events.length > 0) wakeAfterCommit(tx, 'events_ready')
}

/** Writes an event of no zone, which waits for nothing, and returns its id: whoever asked for it wants to see what comes of it. */
export async function publishAtOnce(tx: Tx, event: Omit<NewEvent, 'held' | 'zoneId' | 'serial'>): Promise<string> {
  const { rows } = await insertReleased([{ requestId: requestId(), ...event, held: null }]).execute(tx)
  wakeAfterCommit(tx, 'events_ready')
  return (rows as { id: string }[])[0]?.id as string
}
