import { noSuchZone } from '#http/authorise.ts'
import type { Db } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { changeWarnings } from './change-warnings.ts'
import { readWholeZone } from './store.ts'
import { namesHosts, type Warning } from './warnings.ts'
import { type ChangeRequest, type ChangeResult, ZoneDraft } from './zone-draft.ts'

/** The effect of a change, and the warnings that it adds. */
export interface Preview extends ChangeResult {
  readonly warnings: readonly Warning[]
}

/** A dry run: makes the same checks as the change, on the current zone. It locks and writes nothing. */
export async function previewChange(db: Db, request: ChangeRequest): Promise<Preview> {
  const whole = await readWholeZone(db, request.zoneId)
  if (whole === undefined) throw noSuchZone()
  const { zone, now, serialClock, rrsets } = whole
  const draft = new ZoneDraft({ ...zone, now, serialClock, rrsets, hasWildcards: true })
  const result = await inSlices(draft.changing(request))
  const hosts = rrsets.filter((rrset) => namesHosts(rrset))
  const surroundings = { hosts, standing: rrsets }
  const warnings = await inSlices(changeWarnings(zone.name, result.moves, surroundings, request.dotless))
  return { ...result, warnings }
}
