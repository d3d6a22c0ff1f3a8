/** What the registry itself has about a domain. */
export interface RegistryEntry {
  /** Lower-case, no trailing dot, sorted; none: it has no such domain, or one without nameservers. */
  readonly nameservers: readonly string[]
  /** When the registration ends; null: it does not tell. */
  readonly expiresAt: Date | null
}

/** Somebody who can tell what the registry has about a domain: the registry by EPP, or anybody's RDAP server. */
export interface RegistryLookup {
  /**
   * Undefined: it is not known, since the name is no registered domain, nobody tells, or no answer came. Never rejects; within
   * some 15 s.
   */
  entryOf(domain: string): Promise<RegistryEntry | undefined>
  /** Breaks off what is under way. */
  close(): Promise<void>
}
