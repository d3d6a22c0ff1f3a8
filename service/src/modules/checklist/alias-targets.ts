import type { DnsProbe, DnsServer } from '#ports/dns-probe.ts'
import type { ZoneContent } from './zone-content.ts'

/** An alias and its target. Names without their trailing dot. */
export interface Alias {
  readonly name: string
  readonly target: string
}

/** How many targets outside the zone are queried, how many at once, and when no further query starts. */
const asked = { most: 50, atOnce: 10, forMs: 3_000 }

export function aliasesIn(content: ZoneContent): Alias[] {
  return content.rrsets
    .filter(({ type }) => type === 'CNAME')
    .map(({ name, records }) => ({ name, target: (records[0] ?? '').slice(0, -1) }))
}

/**
 * The aliases whose target does not exist: anyone who registers that name elsewhere controls this one.
 *
 * Targets in the zone are looked up in its records. The resolvers are queried for the others; a target without a clear answer counts as
 * existing.
 */
export async function danglingAliases(
  content: ZoneContent,
  { probe, resolvers }: { readonly probe: DnsProbe; readonly resolvers: readonly DnsServer[] },
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

/** Undefined: there was no clear answer. */
async function exists(probe: DnsProbe, resolvers: readonly DnsServer[], name: string): Promise<boolean | undefined> {
  // Two resolvers: the third would cost more time than it is worth.
  for (const resolver of resolvers.slice(0, 2)) {
    const answer = await probe.ask(resolver, { name: `${name}.`, type: 'A', recursive: true })
    if (answer.kind === 'answer') return answer.exists
  }
  return undefined
}
