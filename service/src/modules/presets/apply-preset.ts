import { noSuchZone } from '#http/authorise.ts'
import {
  type ChangeRequest,
  type ChangeResult,
  changeRecords,
  lockZonesAndRead,
  previewChange,
  readChangeWarnings,
  type Warning,
} from '#modules/records/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { WantedRecord } from './fill-template.ts'
import { namesToRead, planPreset } from './plan-preset.ts'

/** A request to apply a template to a zone. */
export interface PresetRequest extends Omit<ChangeRequest, 'changes' | 'replaceAll' | 'pathOf'> {
  readonly zoneName: string
  readonly wanted: readonly WantedRecord[]
  /** Check and report, but write nothing. */
  readonly dryRun: boolean
}

/** The result of applying a preset, or of its dry run, and the warnings that it adds to the zone. */
export interface PresetResult {
  readonly result: ChangeResult
  readonly oddities: readonly Warning[]
}

/**
 * Applies a template to a zone, in one change of its records: all of it or none. A second application has no effect.
 *
 * The zone is locked before its rrsets are read, so that the plan matches what is changed.
 */
export async function applyPreset(tx: Tx, request: PresetRequest): Promise<PresetResult> {
  const { zoneName, wanted, dryRun, ...wish } = request
  const [zone] = await lockZonesAndRead(tx, [{ id: wish.zoneId, names: namesToRead(zoneName, wanted) }], 'wait')
  if (zone === undefined) throw noSuchZone()
  const changes = planPreset(zone.rrsets, wanted)
  const change = { ...wish, changes, pathOf: () => '/parameters' }
  if (!dryRun) {
    const result = await changeRecords(tx, change)
    return { result, oddities: await readChangeWarnings(tx, zone, result) }
  }
  const preview = await previewChange(tx, change)
  return { result: preview, oddities: preview.warnings }
}
