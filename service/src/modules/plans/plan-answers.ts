import type { WireAppliedZone, WirePlannedZone } from '@zonewright/contract'
import { faultsOnLines } from '#modules/records/index.ts'
import { boundedMessage } from '#platform/bounded-text.ts'
import type { FaultDetail, Refusal } from '#platform/errors.ts'
import type { RefusedChange } from './prepare-change.ts'

/** The errors of one zone. `lines`: where each change begins in its zone file. */
export function errorsOf(refusal: Refusal, lines?: readonly number[]): WirePlannedZone['errors'] {
  const { code, message, details } = refusal
  if (details.length === 0) return [{ code: wordOf(code), message }]
  const isOfFile = lines !== undefined && details.every(({ line }) => line === undefined)
  const faults: readonly FaultDetail[] = isOfFile ? faultsOnLines(refusal, lines) : details
  return faults.map((fault) => ({ ...fault, message: boundedMessage(fault.message) }))
}

/** A zone that has changed since it was read is `stale`, both in a plan and when the plan is applied. */
function wordOf(code: Refusal['code']): string {
  return code === 'precondition_failed' ? 'stale' : code
}

/** The name and the id of a zone in a plan. If the zone does not exist, the name is what the request calls it. */
export function zoneShown({
  zone,
  sent,
}: Pick<RefusedChange, 'zone' | 'sent'>): Pick<WireAppliedZone, 'zone' | 'zone_id'> {
  return { zone: zone?.name ?? sent.zone, zone_id: zone?.id ?? null }
}
