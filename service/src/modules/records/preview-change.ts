import { noSuchZone } from '#http/authorise.ts'
import type { Db } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { changeWarnings } from './change-warnings.ts'
import { readWholeZone } from './store.ts'
import { namesHosts, type Warning } from './warnings.ts'
import { type ChangeRequest, type ChangeResult, ZoneDraft } from './zone-draft.ts'

/** What a change would do, and what would be odd about the zone afterwards that is not now. */
export interface Preview extends ChangeResult {
  readonly warnings: readonly Warning[]
}

/** A dry run: the same checks as the change itself, on the zone as it is at this moment. Nothing is locked, nothing written. */
export async function previewChange(db: Db, request: ChangeRequest): Promise<Preview> {
  const whole = await readWholeZone(db, request.zoneId)
  if (whole === undefined) throw noSuchZone()
  const draft = new ZoneDraft({ ...whole.zone, now: whole.now, rrsets: whole.rrsets, hasWildcards: true })
  const result = await inSlices(draft.changing(request))
  const hosts = whole.rrsets.filter((rrset) => namesHosts(rrset))
  const surroundings = { hosts, standing: whole.rrsets }
  const warnings = await inSlices(changeWarnings(whole.zone.name, result.moves, surroundings, request.dotless))
  return { ...result, warnings }
}
