import type { DelegationState } from '@zonewright/contract'
import type { NewEvent } from '#modules/events/index.ts'
import type { ZoneRow } from '#modules/zones/index.ts'

/** `zone.delegation_changed` (specification, "Data shapes"). It is not held, because it is about data outside this service. */
export function delegationChanged(
  zone: ZoneRow,
  change: {
    readonly state: DelegationState
    readonly previousState: DelegationState
    readonly parentNameservers: readonly string[]
    readonly registryNameservers: readonly string[]
  },
): NewEvent {
  return {
    type: 'zone.delegation_changed',
    recipients: zone.recipients,
    zoneId: zone.id,
    zoneName: zone.name,
    held: null,
    data: {
      zone: { id: zone.id, name: zone.name },
      state: change.state,
      previous_state: change.previousState,
      parent_nameservers: change.parentNameservers,
      registry_nameservers: change.registryNameservers,
    },
  }
}
