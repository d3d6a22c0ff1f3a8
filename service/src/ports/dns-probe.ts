/** One server's answer to one question. */
export type ProbeAnswer =
  | {
      readonly kind: 'answer'
      /** False: there is no such name (NXDOMAIN), or none where its alias leads to. */
      readonly exists: boolean
      /** Records of the type that was asked for, aliases followed; presentation form, sorted. */
      readonly records: readonly string[]
      /** Aliases on the way, as `owner target`. */
      readonly aliases: readonly string[]
      /** False: the rest is for others to say, since an alias leads out of what the server has, or it refers to them. */
      readonly isWhole: boolean
      /** Seconds: the least of all records on the way; null when there are none. */
      readonly ttl: number | null
      readonly latencyMs: number
    }
  | { readonly kind: 'failure'; readonly failure: 'timeout' | 'refused' | 'broken' }

/** An IP address and a port. */
export interface DnsServer {
  readonly host: string
  readonly port: number
}

/** Asks DNS servers what any client would ask them. */
export interface DnsProbe {
  /**
   * Asks one server for a name (with its trailing dot) and type. Never rejects; within some
   * 3 s. `recursive` is for resolvers.
   */
  ask(
    server: DnsServer,
    question: { readonly name: string; readonly type: string; readonly recursive: boolean },
  ): Promise<ProbeAnswer>
}
