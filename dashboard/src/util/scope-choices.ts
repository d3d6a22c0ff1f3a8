import type { WireDomain, WirePick, WireScopeEntry, WireZone } from '@zonewright/contract'

/** A zone or a domain that a key can cover, as a choice in a form. */
export interface ScopeChoice {
  readonly value: string
  readonly label: string
  readonly name: string
  readonly kind: WireScopeEntry['kind']
  /** The id of the zone or domain. */
  readonly id: string
  readonly pick: WirePick
}

type Zone = Pick<WireZone, 'id' | 'name' | 'state' | 'role'>
type Domain = Pick<WireDomain, 'id' | 'name' | 'role'>

/** All zones and domains of an account by name, a zone before the domain of its name. Each label names the kind. */
export function scopeChoices(zones: readonly Zone[], domains: readonly Domain[]): ScopeChoice[] {
  const choices = [
    ...zones.map((zone) => choiceOf('zone', zone, zone.state === 'live' ? 'zone' : 'zone to verify')),
    ...domains.map((domain) => choiceOf('domain', domain, 'domain')),
  ]
  // The sort is stable, so entries with the same name stay in this order.
  return choices.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The value of the choice of a zone. */
export function zoneValue(id: string): string {
  return choiceValue('zone', id)
}

function choiceOf(kind: WireScopeEntry['kind'], { id, name, role }: Domain, what: string) {
  const label = `${name} (${what}${role === 'manager' ? ', shared with me' : ''})`
  return { name, kind, id, value: choiceValue(kind, id), label, pick: { kind, id } }
}

function choiceValue(kind: WireScopeEntry['kind'], id: string): string {
  return `${kind} ${id}`
}

/** The scope of a key in words: `Only example.com (zone and domain), shop.test (domain)`. */
export function scopeWords(zones: 'all' | readonly WireScopeEntry[]): string {
  if (zones === 'all') return 'All zones and domains of this account'
  const byName = Map.groupBy(zones, ({ name }) => name)
  const listed = [...byName].map(([name, entries]) => {
    const kinds = new Set(entries.map(({ kind }) => kind))
    return `${name} (${[...kinds].join(' and ')})`
  })
  return listed.length === 0 ? 'No zone or domain left' : `Only ${listed.join(', ')}`
}
