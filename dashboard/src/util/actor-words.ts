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
