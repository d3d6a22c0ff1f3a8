import { auditStatement } from '#modules/audit/index.ts'
import { eventStatement } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Tx, wakeAfterCommit, writeAtCommit } from '#platform/db.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import { preconditionFailed } from '#platform/http/etag.ts'
import { recordsChanged } from './events.ts'
import type { RrsetChange } from './rrset-change.ts'
import { nextZoneSerial, type Plan, planChange, type RrsetMove } from './rules.ts'
import { changeStatements, type LockedZone, lockZoneAndRead } from './store.ts'

/** A wish to change a zone's records. */
export interface ChangeRequest {
  readonly zoneId: string
  readonly actor: Actor
  readonly changes: readonly RrsetChange[]
  /** Also delete every rrset that `changes` does not name. */
  readonly replaceAll?: boolean
  /** Refuse unless the zone has this version. */
  readonly ifMatch: number | undefined
  /** Check and tell, but write nothing. */
  readonly dryRun: boolean
  /** Where the n-th change stands in the request, for its faults. */
  readonly pathOf: (index: number) => string
}

/** Where the zone is afterwards, and what moved. No moves: nothing was changed, and version and serial are the old ones. */
export interface ChangeResult {
  readonly version: number
  readonly serial: number
  readonly moves: readonly RrsetMove[]
  readonly results: Plan['results']
  readonly at: Date
}

/**
 * Changes records: the one way in for API, import, preset, restore and ACME alike. All of it or none.
 *
 * Records, version, serial, both histories, the audit entry and the event are written together. The nameservers are
 * told after the commit.
 */
export async function changeRrsets(tx: Tx, request: ChangeRequest): Promise<ChangeResult> {
  const names = request.replaceAll ? undefined : [...new Set(request.changes.map(({ name }) => name))]
  const zone = await lockZoneAndRead(tx, request.zoneId, names)
  if (zone === undefined) throw noSuchZone()
  if (request.ifMatch !== undefined && request.ifMatch !== zone.version) throw preconditionFailed()
  const changes = request.replaceAll ? withDeletions(zone, request.changes) : request.changes
  const plan = planChange(zone, zone.rrsets, changes, request.pathOf)
  if (plan.moves.length === 0) return resultOf(zone, zone, plan)
  const to = {
    version: zone.version + 1,
    serial: nextZoneSerial(zone.serial, Math.floor(zone.now.getTime() / 1000)),
    rrsetCount: plan.rrsetCount,
  }
  if (!request.dryRun) carryOut(tx, zone, request.actor, to, plan.moves)
  return resultOf(zone, to, plan)
}

function carryOut(
  tx: Tx,
  zone: LockedZone,
  actor: Actor,
  to: { version: number; serial: number; rrsetCount: number },
  moves: readonly RrsetMove[],
): void {
  writeAtCommit(tx, [
    ...changeStatements(zone, actor, to, moves),
    auditStatement({
      accountId: zone.accountId,
      actor,
      action: 'records.changed',
      zone,
      summary: summaryOf(moves),
      reference: { version: to.version, serial: to.serial },
    }),
    eventStatement(recordsChanged(zone, to.serial, moves)),
  ])
  wakeAfterCommit(tx, zone.state === 'live' ? 'zones_changed' : 'events_ready', zone.id)
}

function withDeletions(zone: LockedZone, changes: readonly RrsetChange[]): RrsetChange[] {
  const named = new Set(changes.map(({ name, type }) => `${name} ${type}`))
  const gone = zone.rrsets.filter(({ name, type }) => !named.has(`${name} ${type}`))
  return [
    ...changes,
    ...gone.map(
      ({ name, type }): RrsetChange => ({ name, type, ttl: undefined, ask: { kind: 'replace', records: [] } }),
    ),
  ]
}

function resultOf(zone: LockedZone, at: { version: number; serial: number }, plan: Plan): ChangeResult {
  return { version: at.version, serial: at.serial, moves: plan.moves, results: plan.results, at: zone.now }
}

function summaryOf(moves: readonly RrsetMove[]): string {
  const [first] = moves
  if (moves.length !== 1 || first === undefined) return `${moves.length} record sets were changed`
  const verb = first.before === null ? 'created' : first.after === null ? 'deleted' : 'changed'
  return `${first.name} ${first.type} was ${verb}`
}
