import type { WireEndpoint } from '@zonewright/contract'
import { shownName } from './shown-name.ts'

const mostNamed = 3

/** The zones of an endpoint in words. */
export function zonesInWords(zones: WireEndpoint['zones']): string {
  if (zones === null) return 'all zones'
  if (zones.length === 0) return 'no zone left'
  const names = zones.slice(0, mostNamed).map(({ name }) => shownName(name))
  const more = zones.length - names.length
  return `only ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
