import { eventGroups, eventTypes } from '@zonewright/contract'

/** What an endpoint may subscribe to: groups, then types, with the sentence that explains each. */
export const eventChoices: readonly { readonly value: string; readonly says: string }[] = [
  ...eventGroups.map((group) => ({ value: group, says: `Every ${group.slice(0, -2)} event, later ones too.` })),
  ...Object.entries(eventTypes)
    .filter(([type]) => type !== 'ping')
    .map(([value, says]) => ({ value, says })),
]
