import type { PlanStatus, WireAppliedPlan, WireAppliedZone } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import { notePreset } from '#modules/presets/index.ts'
import {
  aliasTargets,
  bytesOfMoves,
  type ChangeResult,
  changeRecords,
  commitLocked,
  freeBytes,
  type Outcome,
  type RecordWriter,
} from '#modules/records/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { errorsOf, zoneShown } from './plan-answers.ts'
import { type ChangePreparer, inBatches, isOfAll, type PreparedChange } from './prepare-change.ts'
import type { PlanZone } from './read-zones.ts'
import { versionsOf } from './store.ts'

/** The outcome of one zone. */
export interface ZoneOutcome extends Pick<WireAppliedZone, 'status' | 'version' | 'errors'> {
  readonly status: PlanStatus
  /** Bytes of both sides of the difference. */
  readonly bytes: number
}

/** The outcomes of the zones so far, by their positions in the request. */
export type Outcomes = Readonly<Record<number, ZoneOutcome>>

/** The transactions in which a plan is applied. Each keeps the outcomes of all zones so far (`Call.inSteps`). */
interface OutcomeSteps {
  /** The outcomes of an earlier call with the same Idempotency-Key. */
  readonly done: Outcomes | undefined
  step(work: (tx: Tx) => Promise<Outcomes>, turn?: string): Promise<void>
}

/** What applying a plan needs besides its zones. */
interface Applier {
  readonly writer: RecordWriter
  readonly caller: Caller
  readonly preparer: ChangePreparer
}

/**
 * Changes the zones of a plan, each completely or not at all. Zones with small changes share transactions. A zone that another writer has locked
 * is changed separately afterwards, so that it does not delay the others.
 *
 * Every transaction stores the outcomes of all zones so far (`OutcomeSteps`), so a repeat continues with the other zones.
 */
export async function applyPlan(
  { writer, caller, preparer }: Applier,
  zones: readonly PlanZone[],
  steps: OutcomeSteps,
): Promise<Answer> {
  let outcomes: Outcomes = steps.done ?? {}
  const step = async (work: (tx: Tx) => Promise<Outcomes>, turn?: string): Promise<void> => {
    let next = outcomes
    await steps.step(async (tx) => {
      next = { ...outcomes, ...(await work(tx)) }
      return next
    }, turn)
    outcomes = next
  }
  const recorded = async (tx: Tx, ones: readonly PreparedChange[], made: readonly Outcome[]): Promise<Outcomes> => {
    const those = await outcomesOf(tx, ones, made)
    const done = ones.filter(({ place }) => isDone(those[place]))
    if (preparer.presetId !== undefined && done.length > 0)
      await notePreset(
        tx,
        done.map(({ zone }) => zone.id),
        preparer.presetId,
      )
    return those
  }
  const alone = (one: PreparedChange): Promise<void> =>
    writer.inTurn({ caller }, one.request, () =>
      step(async (tx) => recorded(tx, [one], [await outcomeOf(() => changeRecords(tx, one.request))]), one.zone.id),
    )
  const open = zones.filter(({ place }) => outcomes[place] === undefined)
  for await (const batch of inBatches(preparer.prepare(open))) {
    if ('refusal' in batch) {
      const { place, refusal } = batch
      await step(async (tx) => ({ [place]: await refusedOutcome(tx, batch.zone?.id, refusal) }))
      continue
    }
    const { ones, isLarge } = batch
    await writer.withTargets(aliasTargets(ones.flatMap(({ wish }) => wish.changes)), async () => {
      if (!isLarge)
        await step(async (tx) => {
          const made = await commitLocked(
            tx,
            ones.map(({ request }) => request),
            'skip',
          )
          return recorded(tx, ones, made)
        })
      for (const one of ones) if (outcomes[one.place] === undefined) await alone(one)
    })
  }
  return answerOf(zones, outcomes)
}

function isDone(outcome: ZoneOutcome | undefined): boolean {
  return outcome?.status === 'applied' || outcome?.status === 'unchanged'
}

async function outcomeOf(change: () => Promise<ChangeResult>): Promise<Outcome> {
  try {
    const result = await change()
    return () => result
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return () => {
      throw error
    }
  }
}

/** The outcomes of some zones. Omits zones that were skipped. */
async function outcomesOf(tx: Tx, ones: readonly PreparedChange[], made: readonly Outcome[]): Promise<Outcomes> {
  const outcomes: Record<number, ZoneOutcome> = {}
  for (const [i, { place, zone, wish }] of ones.entries()) {
    const outcome = made[i]
    if (outcome === undefined) continue
    try {
      const { version, moves } = outcome()
      outcomes[place] = { status: moves.length > 0 ? 'applied' : 'unchanged', version, bytes: bytesOfMoves(moves) }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
      outcomes[place] = await refusedOutcome(tx, zone.id, error, wish.lines)
    }
  }
  return outcomes
}

async function refusedOutcome(
  tx: Tx,
  zoneId: string | undefined,
  refusal: Refusal,
  lines?: readonly number[],
): Promise<ZoneOutcome> {
  if (refusal.code !== 'precondition_failed' || zoneId === undefined)
    return { status: 'refused', version: null, errors: errorsOf(refusal, lines).slice(0, maxErrors), bytes: 0 }
  const version = (await versionsOf(tx, [zoneId])).get(zoneId) ?? null
  return { status: 'stale', version, bytes: 0 }
}

/** Maximum number of errors per zone in the response. The plan lists all of them. */
const maxErrors = 10

function answerOf(zones: readonly PlanZone[], outcomes: Outcomes): Answer {
  const bytes = Object.values(outcomes).reduce((sum, one) => sum + one.bytes, 0)
  const body: WireAppliedPlan = {
    zones: zones.map((one) => {
      const { bytes: _, ...outcome } = outcomes[one.place] as ZoneOutcome
      return { ...zoneShown(one), ...outcome }
    }),
  }
  const isChanged = Object.values(outcomes).some(({ status }) => status === 'applied')
  // A small body can rewrite many records: they count as in other changes (`markOf`).
  return { status: 200, body, ...(isChanged ? bytes > freeBytes && { writtenBytes: bytes } : { writtenBytes: 0 }) }
}

/** Refuses a plan, before any of it is applied, if the caller is not allowed to make one of its changes. */
export async function refuseForbidden(preparer: ChangePreparer, zones: readonly PlanZone[]): Promise<void> {
  for await (const one of preparer.prepare(zones)) if ('refusal' in one && isOfAll(one.refusal)) throw one.refusal
}
