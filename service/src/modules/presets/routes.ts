import { presetRoutes } from '@zonewright/contract'
import { bulkBody, headersOf, type IsServed, Replication } from '#modules/records/index.ts'
import { type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { pageWithin } from '#platform/http/cursor.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { applyPreset, type PresetResult } from './apply-preset.ts'
import type { PresetCatalogue } from './catalogue.ts'
import { fillTemplate, type WantedRecord } from './fill-template.ts'
import { type Preset, presetToWire } from './preset.ts'
import { countedWarnings, warningsOf } from './warnings.ts'

export function mountPresetRoutes(server: HttpServer, { presets }: PresetCatalogue, isServed: IsServed): void {
  const replication = new Replication(server.database.db, isServed)

  mount(server, presetRoutes.listPresets, async ({ query }) => {
    const page = pageWithin([...presets.values()], query, ({ id }) => id)
    return { status: 200, body: { data: page.rows.map(presetToWire), next_cursor: page.nextCursor } }
  })

  mount(server, presetRoutes.getPreset, async ({ params }) => ({
    status: 200,
    body: presetToWire(presetNamed(presets, params.id)),
  }))

  mount(server, presetRoutes.applyPreset, async ({ params, body, query, ...call }) => {
    const { zone } = call
    const { template } = presetNamed(presets, params.id)
    const wanted = fillTemplate(template, zone.name, body.parameters)
    const { actor, ifMatch } = call
    let serial: number | undefined
    const given = await call.transact(async (tx) => {
      const request = { zoneId: zone.id, zoneName: zone.name, actor, ifMatch, dryRun: query.dry_run, wanted }
      const applied = await applyPreset(tx, request)
      if (!query.dry_run) serial = applied.result.serial
      return {
        status: 200,
        body: bodyFor(call.caller, zone.name, applied, wanted),
        headers: headersOf(applied.result),
      }
    })
    return serial === undefined ? given : replication.answer(call, serial, given)
  })
}

function presetNamed(presets: PresetCatalogue['presets'], id: string): Preset {
  const preset = presets.get(id.toLowerCase())
  if (preset === undefined) throw new Refusal('not_found', `There is no preset ${JSON.stringify(id)}.`)
  return preset
}

/** Reading through writing is no way round: who may not read records sees the template's own values, and counts. */
function bodyFor(
  caller: Caller,
  zone: string,
  { result, changes, oddities }: PresetResult,
  wanted: readonly WantedRecord[],
) {
  const body = bulkBody(caller, result, changes)
  if (holds(caller, 'records:read')) return { ...body, warnings: [...warningsOf(result.moves), ...oddities] }
  const values = new Map(
    [...Map.groupBy(wanted, ({ name, type }) => `${name} ${type}`)].map(([key, records]) => [
      key,
      records.flatMap((record) => ('value' in record ? [record.value] : [])),
    ]),
  )
  const shown = body.diff.changes.flatMap(({ name, type, after }) => {
    const own = after?.records.filter((value) => values.get(`${name} ${type}`)?.includes(value)) ?? []
    return after && own.length > 0 ? [{ name, type, before: null, after: { ttl: after.ttl, records: own } }] : []
  })
  return { ...body, diff: { changes: shown }, warnings: countedWarnings(zone, result.moves) }
}
