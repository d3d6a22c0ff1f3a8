import { type Statement, type Tx, wakeAfterCommit } from '#platform/db.ts'
import type { NewEvent } from './new-event.ts'
import { insertHeld, insertReleased } from './store.ts'

/**
 * The insert of an event as a value, for `runTogether` on the paths where every round trip counts.
 *
 * Run it in the transaction that makes the event happen, with the zone's row locked: the order of these inserts is the order
 * of the zone's events. The caller tells `events_ready` after the commit when the event is not held.
 */
export function eventStatement(event: NewEvent): Statement {
  return event.held === null ? insertReleased(event) : insertHeld(event, event.held)
}

/** Writes an event inside the transaction that makes it happen, and wakes fan-out once that has committed. */
export async function publish(tx: Tx, event: NewEvent): Promise<void> {
  await eventStatement(event).execute(tx)
  if (event.held === null) wakeAfterCommit(tx, 'events_ready')
}
