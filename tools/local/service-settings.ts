import type { Addresses } from './addresses.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The values that the installation has created or determined for its service. */
export interface ServiceParts {
  readonly dataDir: string
  readonly databaseUrl: string
  readonly addresses: Addresses
  /** The value of NAMESERVERS, with full names. */
  readonly nameservers: string
  /** The certificates that the service trusts in addition to Node's, including those that were given. */
  readonly caFile: string
  readonly dashboardDir: string
  readonly registriesFile: string
}

/**
 * The environment of the service, as far as the sandbox sets it. Given settings (`given`) take precedence over the sandbox's own.
 *
 * The service gets all other settings automatically, because it inherits the environment of this process. WEBHOOK_TRUSTED_TARGETS gets the
 * sandbox's receiver in addition; `caFile` does the same for WEBHOOK_CA_FILE.
 */
export function serviceSettings(parts: ServiceParts, given: Environment): Record<string, string> {
  const { addresses } = parts
  const targets = [given['WEBHOOK_TRUSTED_TARGETS'], addresses.receiver].filter(Boolean)
  return {
    DATA_DIR: parts.dataDir,
    DATABASE_URL: parts.databaseUrl,
    HTTP_LISTEN: addresses.http,
    PRIMARY_LISTEN: addresses.primary,
    DOOR_LISTEN: addresses.door,
    NAMESERVERS: parts.nameservers,
    VERIFICATION_RESOLVER: given['VERIFICATION_RESOLVER'] ?? addresses.resolver,
    ALIAS_RESOLVER: given['ALIAS_RESOLVER'] ?? addresses.resolver,
    DELEGATION_RESOLVER: given['DELEGATION_RESOLVER'] ?? addresses.registryDns,
    RDAP_BOOTSTRAP: given['RDAP_BOOTSTRAP'] ?? `http://${addresses.registry}/rdap/dns.json`,
    RESOLVERS: given['RESOLVERS'] ?? addresses.resolver,
    WEBHOOK_TRUSTED_TARGETS: targets.join(','),
    WEBHOOK_CA_FILE: parts.caFile,
    DASHBOARD_DIR: parts.dashboardDir,
    REGISTRIES: parts.registriesFile,
    ...mailSettings(addresses, given),
    ...paymentSettings(addresses, given),
  }
}

/** With a configured mail server, emails come from the configured sender, and never from the sandbox's address. */
function mailSettings({ smtp }: Addresses, { SMTP_URL, MAIL_FROM }: Environment): Record<string, string> {
  if (SMTP_URL !== undefined) return { SMTP_URL, MAIL_FROM: MAIL_FROM ?? '' }
  return { SMTP_URL: `smtp://${smtp}`, MAIL_FROM: MAIL_FROM ?? 'Zonewright <support@zonewright.test>' }
}

/** The sandbox's gateway never gets the key of another one. */
function paymentSettings(
  { gateway }: Addresses,
  { PAYMENTS = 'sandbox', PAYSTACK_URL }: Environment,
): Record<string, string> {
  const url = PAYSTACK_URL ?? (PAYMENTS === 'sandbox' ? `http://${gateway}` : undefined)
  return { PAYMENTS, ...(url !== undefined && { PAYSTACK_URL: url }) }
}
