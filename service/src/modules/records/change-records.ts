import type { Database, Tx } from '#platform/postgres/index.ts'
import { ChangeGroup } from './change-group.ts'
import { changeLocked } from './commit-change.ts'
import type { ChangeRequest, ChangeResult } from './zone-draft.ts'

/**
 * Changes records: the one entry point of the API, imports, presets, restores and ACME. A request is applied as a whole, or not at all.
 *
 * Records, version, serial, both histories, the audit entry and the event are written together. The nameservers are notified after the commit.
 *
 * With the database, resolves once the change is committed: preloaded with a condition if possible, or locked, alone or with others
 * (`ChangeGroup`). With a transaction, the change is part of it, and locked.
 *
 * @throws Refusal `not_found` if the zone is gone, `precondition_failed`, or what the plan refuses
 */
export async function changeRecords(database: Database | Tx, request: ChangeRequest): Promise<ChangeResult> {
  return 'transact' in database ? groupOf(database).change(request) : changeLocked(database, request)
}

/** The requests of all callers of a process share transactions. */
const groups = new WeakMap<Database, ChangeGroup>()

function groupOf(database: Database): ChangeGroup {
  const group = groups.get(database) ?? new ChangeGroup(database)
  groups.set(database, group)
  return group
}
