import { publish } from '#modules/events/index.ts'
import { lockZone } from '#modules/zones/index.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { ParentAnswer, ParentDns } from '#ports/parent-dns.ts'
import type { RegistryEntry, RegistryLookup } from '#ports/registry-lookup.ts'
import { delegationChanged } from './events.ts'
import { type Judgement, judge } from './rules.ts'
import { type CheckRecord, type ClaimedZone, claimOne, lockDelegation, recordChecks } from './store.ts'

/** What a check needs from outside. */
export interface CheckContext {
  readonly database: Database
  readonly parentDns: ParentDns
  readonly registry: RegistryLookup
  /** What a zone must be delegated to: host names, lower-case, no trailing dot. */
  readonly nameservers: readonly string[]
}

/** On demand a zone is checked at most this often (design: zones, "Health"). */
const onDemandPauseS = 10

/** Checks a zone now, unless it was checked within the last ten seconds. */
export async function checkNow(context: CheckContext, zoneId: string): Promise<void> {
  const zone = await claimOne(context.database.db, zoneId, onDemandPauseS)
  if (zone === undefined) return
  const [answer, registry] = await Promise.all([
    context.parentDns.delegationOf(zone.name),
    context.registry.entryOf(zone.name),
  ])
  const quiet = await settleCheck(context, zone, answer, registry)
  if (quiet !== undefined) await recordChecks(context.database.db, [quiet])
}

/**
 * Asks about one claimed zone. What moves it is recorded here, with its event; what does not is returned, so that many such
 * checks can be recorded together.
 */
export async function checkClaimed(context: CheckContext, zone: ClaimedZone): Promise<CheckRecord | undefined> {
  const answer = await context.parentDns.delegationOf(zone.name)
  const isMove = judge(zone, answer, context.nameservers).move !== null
  // Registries count their queries: they are asked only when there is something to tell.
  const registry = isMove ? await context.registry.entryOf(zone.name) : undefined
  return await settleCheck(context, zone, answer, registry)
}

async function settleCheck(
  context: CheckContext,
  zone: ClaimedZone,
  answer: ParentAnswer,
  registry: RegistryEntry | undefined,
): Promise<CheckRecord | undefined> {
  const judgement = judge(zone, answer, context.nameservers)
  if (judgement.move === null) return recordOf(zone, answer, judgement, registry)
  await context.database.transact((tx) => move(tx, context, zone, answer, registry))
  return undefined
}

/** Moves a zone, unless another check has meanwhile come to something: decided again under the locks. */
async function move(
  tx: Tx,
  { nameservers }: CheckContext,
  { zoneId, revision }: ClaimedZone,
  answer: ParentAnswer,
  registry: RegistryEntry | undefined,
): Promise<void> {
  const zone = await lockZone(tx, zoneId)
  const now = await lockDelegation(tx, zoneId)
  if (zone === undefined || now === undefined || now.revision !== revision) return
  const judgement = judge(now, answer, nameservers)
  await recordChecks(tx, [recordOf(now, answer, judgement, registry)])
  if (judgement.move === null || !judgement.isEvent) return
  await publish(
    tx,
    delegationChanged(zone, {
      state: judgement.move,
      previousState: now.state,
      parentNameservers: nameserversIn(answer) ?? [],
      registryNameservers: registry?.nameservers ?? [],
    }),
  )
}

function recordOf(
  zone: ClaimedZone,
  answer: ParentAnswer,
  judgement: Judgement,
  registry: RegistryEntry | undefined,
): CheckRecord {
  return {
    zoneId: zone.zoneId,
    revision: zone.revision,
    state: judgement.move ?? zone.state,
    candidate: judgement.candidate,
    failure: answer.kind === 'no_answer' ? answer.failure : judgement.isDoubted ? 'one_server' : null,
    parentNameservers: nameserversIn(answer),
    registry: registry ?? null,
    nextCheckS: judgement.nextCheckS,
  }
}

function nameserversIn(answer: ParentAnswer): readonly string[] | null {
  if (answer.kind === 'no_answer') return null
  return answer.kind === 'missing' ? [] : answer.nameservers
}
