import { Resolver } from 'node:dns/promises'
import { codeOf } from './failure.ts'

/** An address that a connection may use. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Finds every address of a host name; none if the name does not exist. Rejects if this cannot be determined. */
export type Resolve = (host: string) => Promise<Address[]>

/**
 * Direct queries to the DNS servers (`servers` as host:port, or those of the machine).
 *
 * Not getaddrinfo: four names without an answer would block its four threads. So the hosts file and search list are not used either.
 */
export function createResolve(servers: readonly string[] = []): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected' && !(saysNone(ipv4.reason) && saysNone(ipv6.reason)))
      throw ipv4.reason
    return [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)]
  }
}

function saysNone(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
