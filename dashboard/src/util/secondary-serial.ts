import type { WirePropagation, WireSecondary } from '@zonewright/contract'

/** The serial that a secondary serves, in words. `served`: undefined until the response is there. */
export function serialOf(
  { address, port }: Pick<WireSecondary, 'address' | 'port'>,
  served: WirePropagation['secondaries'] | undefined,
): string {
  if (served === undefined) return '…'
  const place = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  const found = served.find((each) => each.address === place)
  if (found === undefined) return '–'
  if (found.error === 'timeout') return 'no response'
  if (found.serial === null) return 'does not serve the zone'
  return found.in_sync ? `${found.serial}, in sync` : `${found.serial}, behind`
}
