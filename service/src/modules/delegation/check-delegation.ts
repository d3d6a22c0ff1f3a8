import { type MailContext, tellAccount } from '#modules/accounts/index.ts'
import { type NewEvent, publishOfMany } from '#modules/events/index.ts'
import { zoneLive } from '#modules/mail/index.ts'
import { lockZones, type ZoneRow } from '#modules/zones/index.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { ParentAnswer, ParentDns } from '#ports/parent-dns.ts'
import type { RegistryEntry, RegistryLookup } from '#ports/registry-lookup.ts'
import { delegationChanged } from './events.ts'
import { type Judgement, judge } from './rules.ts'
import { type CheckRecord, type ClaimedZone, claimOne, lockDelegations, recordChecks } from './store.ts'

/** What a check needs from other modules. */
export interface CheckContext extends MailContext {
  readonly database: Database
  readonly parentDns: ParentDns
  readonly registry: RegistryLookup
  /** Our nameservers, which zones must be delegated to: host names, lower-case, no trailing dot. */
  readonly nameservers: readonly string[]
}

/** On demand a zone is checked at most this often (design: zones, "Health"). */
const onDemandPauseS = 10

/** The answers of a parent and a registry about a claimed zone. */
interface Finding {
  readonly zone: ClaimedZone
  readonly answer: ParentAnswer
  /** Undefined: it was not queried. Its entry is undefined if there was no answer. */
  readonly registry: { readonly entry: RegistryEntry | undefined } | undefined
}

/** The result of a check: a record that changes nothing else, or a zone whose state may change. */
export type CheckOutcome = { readonly record: CheckRecord } | { readonly move: Finding }

/** Checks a zone now, unless it was checked within the last ten seconds. */
export async function checkNow(context: CheckContext, zoneId: string): Promise<void> {
  const zone = await claimOne(context.database.db, zoneId, onDemandPauseS)
  if (zone === undefined) return
  const [answer, entry] = await Promise.all([
    context.parentDns.delegationOf(zone.name),
    context.registry.entryOf(zone.name),
  ])
  const outcome = outcomeOf(context, { zone, answer, registry: { entry } })
  if ('move' in outcome) await recordMoves(context, [outcome.move])
  else await recordChecks(context.database.db, [outcome.record])
}

/** Queries about one claimed zone. Records nothing yet, so that many checks can be recorded together. */
export async function checkClaimed(context: CheckContext, zone: ClaimedZone): Promise<CheckOutcome> {
  const answer = await context.parentDns.delegationOf(zone.name)
  const isMove = judge(zone, answer, expectedOf(context, zone)).move !== null
  // Registries limit queries, so they are queried only if there is a reason.
  const isAsked = isMove || zone.isExpiryStale
  const registry = isAsked ? { entry: await context.registry.entryOf(zone.name) } : undefined
  return outcomeOf(context, { zone, answer, registry })
}

/** The nameservers that a zone must be delegated to: ours, and the customer's own secondaries. */
function expectedOf({ nameservers }: CheckContext, { secondaryNames }: ClaimedZone): readonly string[] {
  return [...nameservers, ...secondaryNames]
}

function outcomeOf(context: CheckContext, finding: Finding): CheckOutcome {
  const judgement = judge(finding.zone, finding.answer, expectedOf(context, finding.zone))
  return judgement.move === null ? { record: recordOf(finding, judgement) } : { move: finding }
}

/** Changes the states of zones, each with its event, in one transaction. */
export async function recordMoves(context: CheckContext, findings: readonly Finding[]): Promise<void> {
  await context.database.transact((tx) => move(tx, context, findings))
}

/**
 * The owner of a zone gets an email when its domain points here for the first time.
 *
 * Each zone is decided again under the locks. A zone is left out if another check has recorded a result in the meantime.
 */
async function move(tx: Tx, context: CheckContext, findings: readonly Finding[]): Promise<void> {
  const ids = findings.map(({ zone }) => zone.zoneId)
  const zones = await lockZones(tx, ids)
  const known = await lockDelegations(tx, ids)
  const records: CheckRecord[] = []
  const events: NewEvent[] = []
  const begun: ZoneRow[] = []
  // If there are two findings for one zone, the later one counts.
  const latest = new Map(findings.map((finding) => [finding.zone.zoneId, finding]))
  for (const finding of latest.values()) {
    const { zone, answer, registry } = finding
    const row = zones.get(zone.zoneId)
    const now = known.get(zone.zoneId)
    if (row === undefined || now === undefined || now.revision !== zone.revision) continue
    const judgement = judge(now, answer, expectedOf(context, now))
    records.push(recordOf({ ...finding, zone: now }, judgement))
    if (judgement.move === 'live' && isAwaited(row, now)) begun.push(row)
    if (judgement.move === null || !judgement.isEvent) continue
    events.push(
      delegationChanged(row, {
        state: judgement.move,
        previousState: now.state,
        parentNameservers: nameserversIn(answer) ?? [],
        registryNameservers: registry?.entry?.nameservers ?? [],
      }),
    )
  }
  await Promise.all([recordChecks(tx, records), publishOfMany(tx, events)])
  for (const { accountId, name } of begun)
    await tellAccount(tx, context, accountId, zoneLive({ site: context.site, zone: name }))
}

/**
 * Whether someone waits for the domain to point here: it never did, and its owner had to set the nameservers. A free subdomain and a domain
 * that was registered here point here from their start.
 */
function isAwaited({ origin }: ZoneRow, { wasLive, hadNameservers }: ClaimedZone): boolean {
  return !wasLive && origin !== 'claimed' && (origin !== 'bought' || hadNameservers)
}

function recordOf({ zone, answer, registry }: Finding, judgement: Judgement): CheckRecord {
  return {
    zoneId: zone.zoneId,
    revision: zone.revision,
    state: judgement.move ?? zone.state,
    candidate: judgement.candidate,
    failure: answer.kind === 'no_answer' ? answer.failure : judgement.isDoubted ? 'one_server' : null,
    parentNameservers: nameserversIn(answer),
    isRegistryAsked: registry !== undefined,
    registry: registry?.entry ?? null,
    nextCheckS: judgement.nextCheckS,
  }
}

function nameserversIn(answer: ParentAnswer): readonly string[] | null {
  if (answer.kind === 'no_answer') return null
  return answer.kind === 'missing' ? [] : answer.nameservers
}
