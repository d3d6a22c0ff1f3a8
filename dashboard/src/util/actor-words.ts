import type { ChangeSource, WireActor } from '@zonewright/contract'

/** The kinds of actors, in words. */
const kindWords = { session: 'person', key: 'API key', system: 'service', operator: 'operator' } as const

/** Sources that the actor itself does not show. */
const toldSources: ReadonlySet<ChangeSource> = new Set(['preset', 'import', 'restore'])

/** The text next to an actor's name: `API key of ada@example.net, import`. */
export function actorDetails({ kind, name, ...actor }: WireActor, source: ChangeSource): string {
  const details: string[] = []
  const owner = actor.account_email ?? actor.account_id
  if (kind === 'key' && owner !== null) details.push(`${kindWords.key} of ${owner}`)
  else details.push(kindWords[kind])
  // The name of a person is the email address at that time.
  if (kind === 'session' && actor.account_email !== null && actor.account_email !== name)
    details.push(`now ${actor.account_email}`)
  if (toldSources.has(source)) details.push(source)
  return details.join(', ')
}
