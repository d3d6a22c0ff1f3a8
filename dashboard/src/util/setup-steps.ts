import type { WireZone } from '@zonewright/contract'

/** What a person does to set up a zone. */
export type SetupStep = 'verify' | 'records' | 'nameservers'

export interface SetupState {
  readonly id: SetupStep | 'live'
  readonly label: string
  readonly isDone: boolean
}

const labels = {
  verify: 'Verify',
  records: 'Review records',
  nameservers: 'Set nameservers',
  live: 'Delegated',
} as const

type SetUpZone = Pick<WireZone, 'state' | 'origin' | 'version' | 'delegation'>

/**
 * The steps of a zone and the one to do next; undefined: the zone is set up. A free subdomain and a domain that was bought here are delegated
 * by the service, so there is nothing to do until they lose their delegation.
 */
export function setupOf(
  zone: SetUpZone,
): { readonly steps: readonly SetupState[]; readonly next: SetupStep } | undefined {
  const { state, origin, version, delegation } = zone
  const isVerified = state === 'live'
  if (isVerified && (delegation.state === 'live' || origin === 'claimed')) return undefined
  const isNew = delegation.state === 'waiting'
  if (isVerified && origin === 'bought' && isNew) return undefined
  // Only a zone that was never changed may have its records elsewhere.
  const hasRecords = version > 0 || !isNew
  const done = { verify: isVerified, records: hasRecords, nameservers: false, live: false }
  const ids = ['verify', 'records', 'nameservers', 'live'] as const
  return {
    steps: ids.map((id) => ({ id, label: labels[id], isDone: done[id] })),
    next: !isVerified ? 'verify' : hasRecords ? 'nameservers' : 'records',
  }
}

/** The step in the URL, if the zone can be at it. Before control of a zone is proven, there is only the first step. */
export function stepShown(text: string | undefined, next: SetupStep): SetupStep {
  if (next === 'verify') return next
  return text === 'records' || text === 'nameservers' ? text : next
}
