import type { ChangeSource, WireActor } from '@zonewright/contract'

/** The kinds of actors, in words. */
const kindWords = { session: 'person', key: 'API key', system: 'service', operator: 'operator' } as const

/** Sources that the actor itself does not show, in words. */
const sourceWords: Partial<Record<ChangeSource, string>> = {
  preset: 'preset',
  import: 'import',
  restore: 'restore',
  powerdns: 'PowerDNS API',
  dyndns2: 'dynamic DNS',
  httpreq: 'httpreq',
  'acme-dns': 'acme-dns',
  rfc2136: 'DNS update',
  'domain-connect': 'Domain Connect',
}

/** How a change was made, in words. */
const waysInWords: Record<ChangeSource, string> = {
  dashboard: 'in the dashboard',
  api: 'through the API',
  preset: 'with a preset',
  import: 'with an import',
  restore: 'with a restore',
  system: 'by the service',
  powerdns: 'through the PowerDNS API',
  dyndns2: 'with dynamic DNS',
  httpreq: 'through httpreq',
  'acme-dns': 'through acme-dns',
  rfc2136: 'with a DNS update',
  'domain-connect': 'through Domain Connect',
}

/** Where a change came from: `through the API, API key of ada@example.net`. For a source that this version does not know: the source itself. */
export function fromWhere(actor: WireActor, source: ChangeSource): string {
  const way = waysInWords[source] ?? source
  if (actor.kind === 'key') return `${way}, ${actorDetails(actor, 'api')}`
  return actor.kind === 'operator' ? 'by the operator' : way
}

/** The text next to an actor's name: `API key of ada@example.net, import`. */
export function actorDetails({ kind, name, ...actor }: WireActor, source: ChangeSource): string {
  const details: string[] = []
  const owner = actor.account_email ?? actor.account_id
  if (kind === 'key' && owner !== null) details.push(`${kindWords.key} of ${owner}`)
  else details.push(kindWords[kind])
  // The name of a person is the email address at that time.
  if (kind === 'session' && actor.account_email !== null && actor.account_email !== name)
    details.push(`now ${actor.account_email}`)
  const words = sourceWords[source]
  if (words !== undefined) details.push(words)
  return details.join(', ')
}
