/** One server's answer to one query. */
export type ProbeAnswer =
  | {
      readonly kind: 'answer'
      /** False: the name does not exist (NXDOMAIN), or the target of its alias does not. */
      readonly exists: boolean
      /** Records of the queried type, with aliases followed; presentation form, sorted. */
      readonly records: readonly string[]
      /** Aliases on the way, as `owner target`. */
      readonly aliases: readonly string[]
      /** False: other servers have the rest, because an alias leads out of the server's zones, or because it refers to them. */
      readonly isWhole: boolean
      /** Seconds: the lowest TTL of all records on the way; null if there are none. */
      readonly ttl: number | null
      readonly latencyMs: number
    }
  | { readonly kind: 'failure'; readonly failure: 'timeout' | 'refused' | 'broken' }

/** An IP address and a port. */
export interface DnsServer {
  readonly host: string
  readonly port: number
}

/** Queries DNS servers like any client. */
export interface DnsProbe {
  /**
   * Queries one server for a name (with its trailing dot) and type. Never rejects; takes at most about
   * 3 s. `recursive` is for resolvers.
   */
  ask(
    server: DnsServer,
    question: { readonly name: string; readonly type: string; readonly recursive: boolean },
  ): Promise<ProbeAnswer>
}
