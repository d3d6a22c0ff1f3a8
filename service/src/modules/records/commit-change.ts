import { noSuchZone } from '#http/authorise.ts'
import { AliasChanges, type AliasMove } from '#modules/alias/index.ts'
import { auditStatement } from '#modules/audit/index.ts'
import { eventStatements } from '#modules/events/index.ts'
import type { Database, Statement, Tx } from '#platform/postgres/index.ts'
import { inSlices, withoutPauses } from '#platform/work/slices.ts'
import { rowsOf } from './change-rows.ts'
import { recordsChanged } from './events.ts'
import { branchOf, suspectNames } from './forgotten-dots.ts'
import type { RrsetMove } from './rrset.ts'
import { mayAddDname } from './rules.ts'
import { changeStatements, holdStatement, isStale, lockZonesAndRead, type Patience, readOutline } from './store.ts'
import { type ChangeRequest, type ChangeResult, type LockedZone, ZoneDraft, type ZoneStep } from './zone-draft.ts'

/** The outcome of a request: returns its result, or throws its refusal. Undefined: its zone is gone, or was locked and not waited for. */
export type Outcome = (() => ChangeResult) | undefined

/**
 * Locked: locks the zones, reads what the requests need, plans each on the outcome of those before it, and writes with the commit. With
 * `skip`, zones that another transaction has locked are left out. Several zones may be locked only with `skip`.
 */
export async function commitLocked(
  tx: Tx,
  requests: readonly ChangeRequest[],
  patience: 'wait' | 'skip',
): Promise<Outcome[]> {
  const drafts = await draftsFor(tx, requests, patience)
  const outcomes: Outcome[] = []
  for (const request of requests) {
    const draft = drafts.get(request.zoneId)
    outcomes.push(draft && (await outcomeOf(() => inSlices(draft.changing(request)))))
  }
  const moving = [...drafts.values()].filter(({ steps }) => steps.length > 0)
  await inSlices(writing(tx, moving, await AliasChanges.read(tx, moving.flatMap(aliasMoves))))
  return outcomes
}

/** The zones of requests, each with what planning its requests needs. Several zones may be locked only with `skip`. */
export async function draftsFor(
  tx: Tx,
  requests: readonly ChangeRequest[],
  patience: Patience,
): Promise<ReadonlyMap<string, ZoneDraft>> {
  const byZone = Map.groupBy(requests, ({ zoneId }) => zoneId)
  const wishes = [...byZone].map(([id, all]) => ({ id, names: namesOfAll(all) }))
  const drafts = new Map<string, ZoneDraft>()
  for (const zone of await lockZonesAndRead(tx, wishes, patience))
    drafts.set(zone.id, new ZoneDraft(zone, await outlineFor(tx, zone, byZone.get(zone.id) ?? [])))
  return drafts
}

function aliasMoves({ zone, steps }: ZoneDraft): AliasMove[] {
  const moves = steps.flatMap((step) => step.moves.filter(({ type }) => type === 'ALIAS'))
  return moves.map(({ name, before, after }) => ({ zoneId: zone.id, name, before, after }))
}

/** The same for one request, which waits for its zone. Throws `not_found` if the zone is gone, or what the plan refuses. */
export async function changeLocked(tx: Tx, request: ChangeRequest): Promise<ChangeResult> {
  const [outcome] = await commitLocked(tx, [request], 'wait')
  if (outcome === undefined) throw noSuchZone()
  return outcome()
}

/**
 * Preloaded with a condition: plans requests, each for a different zone, on what was preloaded for them, and writes them in one round trip:
 * lock the zones if they have not moved, write, commit (docs/decisions/0017). If one has moved, nothing is written, and the result is undefined.
 *
 * If a request is refused or changes nothing, that was the right answer at some time after it arrived.
 */
export async function commitPreloaded(
  database: Database,
  requests: readonly ChangeRequest[],
  zones: readonly LockedZone[],
): Promise<Outcome[] | undefined> {
  const drafts = zones.map((zone) => new ZoneDraft(zone))
  const outcomes = requests.map((request, i) => plannedOutcome(request, drafts[i]))
  const moving = drafts.filter(({ steps }) => steps.length > 0)
  if (moving.length === 0) return outcomes
  try {
    await database.transact(async (tx) => {
      tx.requireAtCommit(holdStatement(moving.map(({ zone }) => zone)))
      withoutPauses(writing(tx, moving, AliasChanges.none()))
    })
    return outcomes
  } catch (error) {
    if (isStale(error)) return undefined
    throw error
  }
}

async function outcomeOf(plan: () => Promise<ChangeResult>): Promise<Outcome> {
  try {
    const result = await plan()
    return () => result
  } catch (error) {
    return throwing(error)
  }
}

function plannedOutcome(request: ChangeRequest, draft: ZoneDraft | undefined): Outcome {
  try {
    const result = draft?.change(request)
    return result && (() => result)
  } catch (error) {
    return throwing(error)
  }
}

function throwing(error: unknown): () => never {
  return () => {
    throw error
  }
}

/** The names around the suspect names of changes, unless all of the zone is known anyway. */
async function outlineFor(tx: Tx, zone: LockedZone, requests: readonly ChangeRequest[]) {
  const suspects = requests.flatMap(({ dotless }) => suspectNames(dotless ?? []))
  return suspects.length === 0 || namesOfAll(requests) === undefined
    ? []
    : readOutline(tx, zone, suspects.map(branchOf))
}

/** The owner names whose rrsets must be known to plan a change; undefined: every one of the zone's. */
export function namesOf({ changes, decide, replaceAll }: ChangeRequest): string[] | undefined {
  return replaceAll || changes.some(mayAddDname) || decide?.at === 'all'
    ? undefined
    : [...new Set([...changes.map(({ name }) => name), ...(decide?.at ?? [])])]
}

function namesOfAll(requests: readonly ChangeRequest[]): string[] | undefined {
  const names = requests.map(namesOf)
  return names.includes(undefined) ? undefined : names.flatMap((each) => each ?? [])
}

/**
 * Writes everything in the drafts' changes with the commit: records, version, serial, both histories, the audit entry and the event. Pauses
 * between making the statements, which takes 50 ms for ten thousand rrsets.
 */
function* writing(tx: Tx, drafts: readonly ZoneDraft[], aliases: AliasChanges): Generator<undefined, void> {
  if (drafts.length === 0) return
  const published = drafts.flatMap(({ zone, steps }) => steps.map((step) => ({ zone, ...step })))
  const steps = published.filter(({ moves }) => moves.length > 0)
  const isLone = published.length === 1 && published[0]?.published.length === 1
  const statements: Statement[] = []
  for (const statement of changeStatements(rowsOf(drafts, aliases), isLone)) {
    statements.push(statement)
    yield
  }
  const more = [...aliases.statements(), ...(steps.length === 0 ? [] : reporting(steps, isLone))]
  tx.writeAtCommit([...statements, ...more, ...statementsBeside(published)])
  for (const { zone } of drafts) tx.wakeAfterCommit(zone.state === 'live' ? 'zones_changed' : 'events_ready', zone.id)
}

/** The audit entries and the events. */
function reporting(steps: readonly (ZoneStep & { readonly zone: LockedZone })[], isLone: boolean): Statement[] {
  return [
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
  ]
}

function statementsBeside(steps: readonly Pick<ZoneStep, 'beside'>[]): Statement[] {
  const rows = steps.flatMap(({ beside }) => beside ?? [])
  return [...Map.groupBy(rows, ({ write }) => write)].map(([write, those]) => write(those.map(({ row }) => row)))
}

function summaryOf(moves: readonly RrsetMove[]): string {
  const [first] = moves
  if (moves.length !== 1 || first === undefined) return `${moves.length} record sets were changed`
  const verb = first.before === null ? 'created' : first.after === null ? 'deleted' : 'changed'
  return `${first.name} ${first.type} was ${verb}`
}
