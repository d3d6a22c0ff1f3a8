import { noSuchZone } from '#http/authorise.ts'
import { auditStatement } from '#modules/audit/index.ts'
import { eventStatements } from '#modules/events/index.ts'
import type { Statement, Tx } from '#platform/postgres/index.ts'
import { inSlices, withoutPauses } from '#platform/work/slices.ts'
import { recordsChanged } from './events.ts'
import { branchOf, suspectNames } from './forgotten-dots.ts'
import type { RrsetMove } from './rrset.ts'
import { mayAddDname } from './rules.ts'
import { changeStatements, lockZonesAndRead, readOutline } from './store.ts'
import { type ChangeRequest, type ChangeResult, type LockedZone, ZoneDraft } from './zone-draft.ts'

/**
 * Changes records: the one way in for API, import, preset, restore and ACME alike. All of it or none.
 *
 * Records, version, serial, both histories, the audit entry and the event are written together. The nameservers are
 * told after the commit.
 */
export async function changeRecords(tx: Tx, request: ChangeRequest): Promise<ChangeResult> {
  const [zone] = await lockZonesAndRead(tx, [{ id: request.zoneId, names: namesOf(request) }], 'wait')
  if (zone === undefined) throw noSuchZone()
  const draft = new ZoneDraft(zone, await outlineFor(tx, zone, request))
  const result = await inSlices(draft.changing(request))
  await inSlices(writingDrafts(tx, [draft]))
  return result
}

/** What stands around the suspect names of a change, where not all of the zone is known anyway. */
async function outlineFor(tx: Tx, zone: LockedZone, request: ChangeRequest) {
  const suspects = namesOf(request) === undefined ? [] : suspectNames(request.dotless ?? [])
  return suspects.length === 0 ? [] : readOutline(tx, zone, suspects.map(branchOf))
}

/** The owner names whose rrsets must be known to plan a change; undefined: every one of the zone's. */
export function namesOf(request: ChangeRequest): string[] | undefined {
  return request.replaceAll || request.changes.some(mayAddDname)
    ? undefined
    : [...new Set(request.changes.map(({ name }) => name))]
}

/** Writes everything that the drafts' changes amount to, with the commit. */
export function writeDrafts(tx: Tx, all: readonly ZoneDraft[]): void {
  withoutPauses(writingDrafts(tx, all))
}

/** The same with pauses: making the statements for ten thousand rrsets takes 50 ms. */
function* writingDrafts(tx: Tx, all: readonly ZoneDraft[]): Generator<undefined, void> {
  const drafts = all.filter(({ steps }) => steps.length > 0)
  if (drafts.length === 0) return
  const steps = drafts.flatMap(({ zone, steps }) => steps.map((step) => ({ zone, ...step })))
  const isLone = steps.length === 1 && steps[0]?.moves.length === 1
  const statements: Statement[] = []
  for (const statement of changeStatements(drafts, isLone)) {
    statements.push(statement)
    yield
  }
  tx.writeAtCommit([
    ...statements,
    auditStatement(
      steps.map(({ zone, actor, moves, version, serial }) => ({
        accountId: zone.accountId,
        actor,
        action: 'records.changed',
        zone,
        summary: summaryOf(moves),
        reference: { version, serial },
      })),
      isLone,
    ),
    ...eventStatements(
      steps.map(({ zone, ...step }) => recordsChanged(zone, step)),
      isLone,
    ),
  ])
  for (const { zone } of drafts) tx.wakeAfterCommit(zone.state === 'live' ? 'zones_changed' : 'events_ready', zone.id)
}

function summaryOf(moves: readonly RrsetMove[]): string {
  const [first] = moves
  if (moves.length !== 1 || first === undefined) return `${moves.length} record sets were changed`
  const verb = first.before === null ? 'created' : first.after === null ? 'deleted' : 'changed'
  return `${first.name} ${first.type} was ${verb}`
}
