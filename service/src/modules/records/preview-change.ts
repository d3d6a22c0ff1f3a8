import { noSuchZone } from '#http/authorise.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { changeWarnings, readChangeWarnings } from './change-warnings.ts'
import { draftsFor } from './commit-change.ts'
import { readWholeZone } from './store.ts'
import { namesHosts, type Warning } from './warnings.ts'
import { type ChangeRequest, type ChangeResult, ZoneDraft } from './zone-draft.ts'

/** The effect of a change, and the warnings that it adds. */
export interface Preview extends ChangeResult {
  readonly warnings: readonly Warning[]
}

/** A dry run: makes the same checks as the change, on the current zone. It locks and writes nothing. Throws what the change would. */
export async function previewChange(db: Db, request: ChangeRequest): Promise<Preview> {
  const previewed = await previewAlone(db, request)
  if (previewed === undefined) throw noSuchZone()
  if ('refusal' in previewed) throw previewed.refusal
  return previewed.preview
}

/** The effect of a change, and the version of the zone before it; or the refusal. Undefined: the zone is gone. */
export type Previewed =
  | { readonly version: number; readonly refusal: Refusal }
  | { readonly version: number; readonly preview: Preview }
  | undefined

/** The same for a change of any size: reads the whole zone. */
export async function previewAlone(db: Db, request: ChangeRequest): Promise<Previewed> {
  const whole = await readWholeZone(db, request.zoneId)
  if (whole === undefined) return undefined
  const { zone, now, serialClock, rrsets } = whole
  const draft = new ZoneDraft({ ...zone, now, serialClock, rrsets, hasWildcards: true })
  const hosts = rrsets.filter((rrset) => namesHosts(rrset))
  return previewOf(draft, request, ({ moves }) =>
    inSlices(changeWarnings(zone.name, moves, { hosts, standing: rrsets }, request.dotless)),
  )
}

/** Dry runs of small changes of different zones, which share the statement that reads the zones. */
export async function previewTogether(tx: Tx, requests: readonly ChangeRequest[]): Promise<Previewed[]> {
  const drafts = await draftsFor(tx, requests, 'unlocked')
  const previewed: Previewed[] = []
  for (const request of requests) {
    const draft = drafts.get(request.zoneId)
    previewed.push(
      draft &&
        (await previewOf(draft, request, (result) => readChangeWarnings(tx, draft.zone, result, request.dotless))),
    )
  }
  return previewed
}

async function previewOf(
  draft: ZoneDraft,
  request: ChangeRequest,
  warningsOf: (result: ChangeResult) => Promise<Warning[]>,
): Promise<Previewed> {
  const { version } = draft.zone
  try {
    const result = await inSlices(draft.changing(request))
    return { version, preview: { ...result, warnings: await warningsOf(result) } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { version, refusal: error }
  }
}
