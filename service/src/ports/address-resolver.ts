/** Why the addresses of a host are unknown, in one word. */
export type AddressFailure = 'timeout' | 'server_failure' | 'no_address' | 'too_many_steps'

/** The addresses of a host; undefined: the servers gave no answer about this family. At least one list has an address. */
export interface FoundAddresses {
  readonly a: readonly string[] | undefined
  readonly aaaa: readonly string[] | undefined
  /** Seconds: the lowest TTL of all records on the way. A caching resolver returns the remaining time. */
  readonly ttl: number
}

/** Looks up the addresses of hosts that are not hosted here. */
export interface AddressResolver {
  /**
   * Looks up the A and AAAA records of a host name without its final dot, and follows at most `mostSteps` aliases. Never rejects, and ends
   * within `timeoutMs`.
   */
  addresses(
    host: string,
    limits: { readonly timeoutMs: number; readonly mostSteps: number },
  ): Promise<FoundAddresses | AddressFailure>
  /** Whether hosts on the public internet can have this address. */
  isPublic(address: string): boolean
}
