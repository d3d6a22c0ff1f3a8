import type { WireUpdate } from '@zonewright/contract'

/** Parts of query keys that a hint does not refresh: their results do not change, or reading them queries other servers. */
const unrefreshed: readonly unknown[] = [
  ...['propagation', 'checklist', 'diff', 'scan', 'check', 'pay-link', 'tsig-config', 'acme-dns'],
]

/**
 * Whether a hint may mean that the result of a query is outdated. `zoneIdOf`: the id of the zone with this name or id, if it is known; an unknown
 * zone may be the one that the hint is about.
 */
export function isConcerned(
  { kind, id }: WireUpdate,
  [root, of, part]: readonly unknown[],
  zoneIdOf: (zone: string) => string | undefined,
): boolean {
  if (unrefreshed.includes(part)) return false
  const isThis = (known: unknown): boolean => id === null || known === undefined || known === id
  switch (kind) {
    case 'zones':
      if (root === 'deleted-zones' || root === 'invitations') return true
      return isConcerned({ kind: 'records', id }, [root, of, part], zoneIdOf)
    case 'records':
      return root === 'zones' || (root === 'zone' && isThis(zoneIdOf(String(of))))
    case 'deliveries':
      return root === 'webhooks' && (of === 'list' || isThis(of))
    case 'orders':
      return root === 'credit' || (root === 'orders' && (of === 'list' || isThis(of)))
    case 'domains':
      return root === 'domains' || root === 'domain-invitations' || (root === 'domain' && isThis(of))
    case 'keys':
      return root === 'api-keys'
  }
}

/** Reads the hints of a stream of server-sent events. Give it the text as it arrives, and it returns the hints of the lines that are complete. */
export class HintReader {
  #rest = ''

  read(text: string): WireUpdate[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as WireUpdate] : []))
  }
}
