import type { WirePlan, WirePlannedZone } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import {
  bytesOfMoves,
  type Previewed,
  previewAlone,
  previewTogether,
  type RecordWriter,
} from '#modules/records/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { errorsOf, zoneShown } from './plan-answers.ts'
import { type Batch, inBatches, isOfAll, type PreparedChange, type RefusedChange } from './prepare-change.ts'
import { cursorAfter } from './read-zones.ts'
import { versionsOf } from './store.ts'

/** A plan ends once its differences have this many bytes. */
const maxPlanBytes = 16 * 1024 * 1024

/** What planning needs besides the changes. */
interface Planner {
  readonly database: Database
  readonly writer: RecordWriter
  readonly caller: Caller
}

/**
 * Plans changes of zones: what each would do, with its warnings and errors. It changes nothing and locks nothing.
 *
 * `nextCursor`: the cursor of a search, whose plan ends early if it is too large. Undefined: the request names its zones, and a plan that is too
 * large is refused.
 */
export async function planChanges(
  planner: Planner,
  prepared: AsyncIterable<PreparedChange | RefusedChange>,
  nextCursor?: string | null,
): Promise<WirePlan> {
  const zones: WirePlannedZone[] = []
  let bytes = 0
  let last: PreparedChange['zone'] | undefined
  for await (const batch of inBatches(prepared)) {
    if ('refusal' in batch) {
      zones.push(await refusedZone(planner, batch))
      continue
    }
    const previews = await previewsOf(planner, batch)
    bytes += previews.reduce((sum, one) => sum + sizeOf(one), 0)
    if (bytes > maxPlanBytes && last !== undefined) {
      if (nextCursor === undefined) throw tooLarge()
      return { zones, next_cursor: cursorAfter(last) }
    }
    for (const [i, one] of batch.ones.entries()) zones.push(await plannedZone(planner, one, previews[i]))
    last = batch.ones.at(-1)?.zone
  }
  return { zones, next_cursor: nextCursor ?? null }
}

async function previewsOf({ database, writer, caller }: Planner, { ones, isLarge }: Batch): Promise<Previewed[]> {
  const requests = ones.map(({ request }) => request)
  const [first] = requests
  return isLarge && first
    ? [await writer.reading({ caller }, () => previewAlone(writer.db, first))]
    : database.transact((tx) => previewTogether(tx, requests))
}

function sizeOf(previewed: Previewed): number {
  return previewed && 'preview' in previewed ? bytesOfMoves(previewed.preview.moves) : 0
}

function tooLarge(): Refusal {
  const message = 'The differences of this plan are larger than 16 MiB. Plan fewer zones at a time.'
  return Refusal.of([{ path: '/zones', code: 'too_large', message }])
}

const nothing = { diff: { changes: [] }, warnings: [] }

async function plannedZone(planner: Planner, one: PreparedChange, previewed: Previewed): Promise<WirePlannedZone> {
  const { zone, wish, losses, more } = one
  if (previewed === undefined) return { ...nothing, ...zoneShown(one), version: null, errors: errorsOf(noSuchZone()) }
  const { version } = previewed
  if ('refusal' in previewed) {
    if (isOfAll(previewed.refusal)) throw previewed.refusal
    return { ...nothing, ...zoneShown(one), version, errors: errorsOf(previewed.refusal, wish.lines) }
  }
  const { preview } = previewed
  const { diff, warnings } = await planner.writer.previewBody({ caller: planner.caller, zone }, preview, wish)
  return {
    ...zoneShown(one),
    version,
    diff,
    warnings: [...(losses?.(preview.moves) ?? []), ...warnings],
    errors: [],
    ...more,
  }
}

async function refusedZone({ writer }: Planner, one: RefusedChange): Promise<WirePlannedZone> {
  const { zone, refusal } = one
  const version = (zone && (await versionsOf(writer.db, [zone.id])).get(zone.id)) ?? null
  return { ...nothing, ...zoneShown(one), version, errors: errorsOf(refusal) }
}
