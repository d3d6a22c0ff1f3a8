import type { WirePropagation } from '@zonewright/contract'

type Seen = Pick<WirePropagation['nameservers'][number], 'in_sync'>
type Resolver = Pick<WirePropagation['resolvers'][number], 'answer' | 'in_sync'>

/** The result of a resolver's answer, and its badge. `in_sync` is also false if there was nothing to compare. */
export function resolverWord(
  { answer, in_sync: isSame }: Resolver,
  nameservers: readonly Seen[],
): { readonly label: string; readonly look: string } {
  if (answer === null) return { label: 'No answer', look: 'badge-gray' }
  if (isSame) return { label: 'Answers the same', look: 'badge-green' }
  if (!nameservers.some((nameserver) => nameserver.in_sync)) return { label: 'Not compared yet', look: 'badge-gray' }
  return { label: 'Answers something else', look: 'badge-orange' }
}
