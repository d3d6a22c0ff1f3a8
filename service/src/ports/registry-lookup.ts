/** The company at which a domain is registered. Both texts come from outside. */
export interface Registrar {
  /** At most 200 characters, without control and bidirectional characters. */
  readonly name: string
  /** An http or https URL of its website; null: unknown. */
  readonly url: string | null
}

/** The registry's own data about a domain. */
export interface RegistryEntry {
  /** Lower-case, no trailing dot, sorted; none: it has no such domain, or one without nameservers. */
  readonly nameservers: readonly string[]
  /** When the registration ends; null: unknown. */
  readonly expiresAt: Date | null
  /** `ours`: the domain is registered with this service. Null: unknown. */
  readonly registrar: Registrar | 'ours' | null
}

/** A source of the registry's data about a domain: the registry by EPP, or an RDAP server. */
export interface RegistryLookup {
  /**
   * Undefined: unknown, because the name is not a registered domain, no source has data, or no answer came. Never rejects; takes at most
   * about 15 s.
   */
  entryOf(domain: string): Promise<RegistryEntry | undefined>
  /** Aborts everything in progress. */
  close(): Promise<void>
}
