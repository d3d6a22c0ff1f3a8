import { useMutation } from '@tanstack/react-query'
import type { WireDomain } from '@zonewright/contract'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'

/** A change of a domain. Its response is shown immediately. If it is refused, the shown data may be outdated. */
export function useDomainChange(name: string, change: () => Promise<WireDomain>, done: (domain: WireDomain) => string) {
  return useMutation({
    mutationFn: change,
    onSuccess: (domain) => keepDomain(domain, done(domain)),
    onError: () => renew(keys.domain(name)),
  })
}

/** Shows the changed domain and says so. The page itself shows what is still in progress at the registry. */
export async function keepDomain(domain: WireDomain, done: string): Promise<void> {
  queryClient.setQueryData(queries.domain(domain.name).queryKey, domain)
  if (domain.change === null) toast(done, domain.name)
  await renew(keys.domains)
}
