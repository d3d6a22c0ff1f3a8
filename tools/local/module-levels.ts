/**
 * The modules of the service by level, the highest first. A module imports only modules of lower levels.
 *
 * The import rules in biome.json and the table in ARCHITECTURE.md are generated from this (`npm run import-rules`).
 */
export const moduleLevels: readonly (readonly string[])[] = [
  ['checklist', 'erasure', 'search'],
  ['dns-door', 'propagation'],
  ['domain-connect', 'orders', 'plans', 'secondaries'],
  ['presets', 'publication'],
  ['acme-doors', 'dynamic-dns', 'powerdns-door', 'primary', 'scans'],
  ['doors', 'records'],
  ['api-keys'],
  ['domains'],
  ['alias', 'delegation', 'sharing', 'subdomains', 'tlds', 'webhooks'],
  ['billing', 'cards', 'contacts', 'payments', 'updates', 'zones'],
  ['accounts'],
  ['audit', 'events', 'mail', 'registry-commands'],
]
