import { DnsFault, ownerName, parseName } from '@zonewright/dns'
import { relativeName } from './check-rrset.ts'
import { toAscii } from './typed-host.ts'

const plainHost = /^(?:@|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/

/**
 * The host in a zone that someone has typed, relative to the zone, `@` for the zone itself; or why there is none.
 *
 * Configurations contain the host as it is, so it has only characters without a meaning in a shell. The prefix of challenges is dropped.
 */
export function hostIn(zone: string, text: string): { readonly host: string } | { readonly fault: string } {
  try {
    const name = ownerName(text.trim() || '@', parseName(`${zone}.`), toAscii).replace(/\.$/, '')
    const host = relativeName(name, zone).replace(/^_acme-challenge(?:\.|$)/, '') || '@'
    if (plainHost.test(host)) return { host }
    return {
      fault: 'Enter the name of one host, such as www. It can have letters, digits, hyphens, underscores and dots.',
    }
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error
    return { fault: error.message }
  }
}
