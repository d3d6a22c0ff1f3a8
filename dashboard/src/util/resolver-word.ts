import type { WirePropagation } from '@zonewright/contract'

type Seen = Pick<WirePropagation['nameservers'][number], 'in_sync'>
type Resolver = Pick<WirePropagation['resolvers'][number], 'answer' | 'in_sync'>

/** What a resolver's answer comes to, and its badge. `in_sync` is false, too, where nothing could be compared. */
export function resolverWord(
  { answer, in_sync: isSame }: Resolver,
  nameservers: readonly Seen[],
): { readonly label: string; readonly look: string } {
  if (answer === null) return { label: 'No answer', look: 'badge-gray' }
  if (isSame) return { label: 'Answers the same', look: 'badge-green' }
  if (!nameservers.some((nameserver) => nameserver.in_sync)) return { label: 'Not compared yet', look: 'badge-gray' }
  return { label: 'Answers something else', look: 'badge-orange' }
}
