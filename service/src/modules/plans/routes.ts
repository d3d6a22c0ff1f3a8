import { planRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { PresetCatalogue } from '#modules/presets/index.ts'
import type { RecordWriter } from '#modules/records/index.ts'
import { applyPlan, type Outcomes, refuseForbidden } from './apply-plan.ts'
import { planChanges } from './plan-changes.ts'
import { ChangePreparer, type PlannedBy } from './prepare-change.ts'
import { findPlanZones, readPlanZones } from './read-zones.ts'
import { refuseMixed, replacementOf, type SentPlan } from './rules.ts'

/** What the plan routes need from outside their module. */
export interface PlanRoutesContext {
  readonly writer: RecordWriter
}

export function mountPlanRoutes(server: HttpServer, { presets }: PresetCatalogue, { writer }: PlanRoutesContext): void {
  const { database } = server

  server.mount(planRoutes.planChanges, async ({ body, caller, actor }) => {
    const preparer = preparerOf(body, { caller, actor })
    const found =
      body.zones === 'all' && body.replace
        ? await findPlanZones(database.db, caller, replacementOf(body.replace), body.cursor)
        : { zones: await readPlanZones(database.db, caller, zonesOf(body)), nextCursor: undefined }
    const plan = await planChanges({ database, writer, caller }, preparer.prepare(found.zones), found.nextCursor)
    // A zone without the value is not part of a replacement.
    const zones = body.replace ? plan.zones.filter(isConcerned) : plan.zones
    return { status: 200, body: { ...plan, zones } }
  })

  server.mount(planRoutes.applyPlan, async ({ body, caller, actor, inSteps }) => {
    const preparer = preparerOf(body, { caller, actor })
    const zones = await readPlanZones(database.db, caller, body.zones)
    if (caller.kind === 'key' && caller.isLimited) await refuseForbidden(preparer, zones)
    return inSteps<Outcomes>((steps) => applyPlan({ writer, caller, preparer }, zones, steps))
  })

  function preparerOf(body: SentPlan, by: PlannedBy): ChangePreparer {
    refuseMixed(body)
    const replacement = body.replace && replacementOf(body.replace)
    return new ChangePreparer(writer, presets, by, { replacement, preset: body.preset })
  }
}

function zonesOf({ zones }: SentPlan) {
  return zones === 'all' ? [] : zones
}

function isConcerned({
  diff,
  errors,
}: {
  readonly diff: { readonly changes: readonly unknown[] }
  readonly errors: readonly unknown[]
}): boolean {
  return diff.changes.length > 0 || errors.length > 0
}
