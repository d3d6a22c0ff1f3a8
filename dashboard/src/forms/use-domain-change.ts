import { useMutation } from '@tanstack/react-query'
import type { WireDomain } from '@zonewright/contract'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'

/** A change of a domain: what it answers is shown at once, and what it refuses may mean that what is shown is old. */
export function useDomainChange(name: string, change: () => Promise<WireDomain>, done: (domain: WireDomain) => string) {
  return useMutation({
    mutationFn: change,
    onSuccess: (domain) => keepDomain(domain, done(domain)),
    onError: () => renew(keys.domain(name)),
  })
}

/** Shows what a domain has become, and says so; what is still under way at the registry is told by the page itself. */
export async function keepDomain(domain: WireDomain, done: string): Promise<void> {
  queryClient.setQueryData(queries.domain(domain.name).queryKey, domain)
  if (domain.change === null) toast(done)
  await renew(keys.domains)
}
