import { presetRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import {
  aliasTargets,
  bulkBody,
  freeBytes,
  headersOf,
  markOf,
  RecordAccess,
  type RecordWriter,
  type RrsetChange,
  readAliasWarnings,
  requestBy,
} from '#modules/records/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { applyPreset, type PresetResult } from './apply-preset.ts'
import { type PresetCatalogue, presetNamed } from './catalogue.ts'
import { fillTemplate, givenBy } from './fill-template.ts'
import { notePreset } from './note-preset.ts'
import { presetToWire } from './preset.ts'
import { countedWarnings, warningsOf } from './warnings.ts'

/** What the preset routes need from outside their module. */
export interface PresetRoutesContext {
  readonly writer: RecordWriter
}

export function mountPresetRoutes(
  server: HttpServer,
  { presets }: PresetCatalogue,
  { writer }: PresetRoutesContext,
): void {
  server.mount(presetRoutes.listPresets, async ({ list }) => {
    const page = list.pageOfAll([...presets.values()], ({ id }) => id)
    return { status: 200, body: { data: page.rows.map(presetToWire), next_cursor: page.nextCursor } }
  })

  server.mount(presetRoutes.getPreset, async ({ params }) => ({
    status: 200,
    body: presetToWire(presetNamed(presets, params.id)),
  }))

  server.mount(
    presetRoutes.applyPreset,
    async ({ params, body, query, ...call }) => {
      const { caller, zone } = call
      const { id, template } = presetNamed(presets, params.id)
      const wanted = fillTemplate(template, zone.name, body.parameters)
      const request = { ...requestBy(call, wanted), zoneName: zone.name, dryRun: query.dry_run, wanted }
      const given = givenBy(wanted)
      const apply = async (tx: Tx) => {
        const made = await applyPreset(tx, request)
        if (!query.dry_run) await notePreset(tx, [zone.id], id)
        const applied = { ...made, oddities: [...made.oddities, ...(await readAliasWarnings(tx, given))] }
        return {
          status: 200,
          body: bodyFor(new RecordAccess(caller, zone), zone.name, applied, given),
          headers: headersOf(applied.result),
          ...(query.dry_run ? {} : markOf(applied.result, freeBytes)),
        }
      }
      return writer.withTargets(aliasTargets(given), () => call.transact(apply))
    },
    { finish: writer.finish },
  )
}

/** A caller without permission to read records must not learn them by writing: it sees only the template's own values, and counts. */
function bodyFor(
  access: RecordAccess,
  zone: string,
  { result, oddities }: PresetResult,
  given: readonly RrsetChange[],
) {
  const warnings = access.readsAll ? [...warningsOf(result.moves), ...oddities] : countedWarnings(zone, result.moves)
  return bulkBody(access, result, given, warnings)
}
