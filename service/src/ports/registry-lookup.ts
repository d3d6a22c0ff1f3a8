/** What the registry itself has about a domain. */
export interface RegistryLookup {
  /** Its nameservers: lower-case, no trailing dot, sorted; none when the registry does not tell. Never rejects. */
  nameserversOf(domain: string): Promise<readonly string[]>
}
