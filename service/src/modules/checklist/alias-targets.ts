import type { HostPort } from '#platform/settings/configuration.ts'
import type { DnsProbe } from '#ports/dns-probe.ts'
import type { ZoneContent } from './zone-content.ts'

/** An alias, and the name that it leads to. Names without their trailing dot. */
export interface Alias {
  readonly name: string
  readonly target: string
}

/** Targets that lie elsewhere and are asked for, how many at once, and when no further one is begun. */
const asked = { most: 50, atOnce: 10, forMs: 3_000 }

export function aliasesIn(content: ZoneContent): Alias[] {
  return content.rrsets
    .filter(({ type }) => type === 'CNAME')
    .map(({ name, records }) => ({ name, target: (records[0] ?? '').slice(0, -1) }))
}

/**
 * Those of the aliases that lead to a name that does not exist: whoever makes that name somewhere else speaks for this one.
 *
 * What lies in the zone is looked up in its records. Of the rest the resolvers are asked; one that they cannot tell about counts as
 * there.
 */
export async function danglingAliases(
  content: ZoneContent,
  { probe, resolvers }: { readonly probe: DnsProbe; readonly resolvers: readonly HostPort[] },
): Promise<Alias[]> {
  const aliases = aliasesIn(content)
  const elsewhere = aliases.map(({ target }) => target).filter((target) => !content.covers(target) && target !== '')
  const queue = [...new Set(elsewhere)].slice(0, asked.most)
  const missing = new Set<string>()
  const endsAtMs = performance.now() + asked.forMs
  const askOn = async (): Promise<void> => {
    for (let target = queue.shift(); target && performance.now() < endsAtMs; target = queue.shift())
      if ((await exists(probe, resolvers, target)) === false) missing.add(target)
  }
  await Promise.all(Array.from({ length: asked.atOnce }, askOn))
  return aliases.filter(({ target }) => (content.covers(target) ? !content.exists(target) : missing.has(target)))
}

/** Undefined: nobody could tell. */
async function exists(probe: DnsProbe, resolvers: readonly HostPort[], name: string): Promise<boolean | undefined> {
  // Two of them: the third would cost more time than it is worth.
  for (const resolver of resolvers.slice(0, 2)) {
    const answer = await probe.ask(resolver, { name: `${name}.`, type: 'A', recursive: true })
    if (answer.kind === 'answer') return answer.exists
  }
  return undefined
}
