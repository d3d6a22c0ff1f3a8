import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { createDnsProbe, createParentDns, createZoneSource } from '#adapters/dns/index.ts'
import { createDnsResolver } from '#adapters/dns-resolver/index.ts'
import { createRegistryLookup } from '#adapters/epp/index.ts'
import { createPaystack } from '#adapters/paystack/index.ts'
import { createRdapLookup } from '#adapters/rdap/index.ts'
import { createSignInProviders } from '#adapters/sign-in-providers/index.ts'
import { createResolve, createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { type Configuration, textOf } from '#platform/settings/configuration.ts'
import type { AddressResolver } from '#ports/address-resolver.ts'
import type { DnsProbe } from '#ports/dns-probe.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { Payments } from '#ports/payments.ts'
import type { Registries } from '#ports/registry.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'
import type { Resolver } from '#ports/resolver.ts'
import type { SignInProviders } from '#ports/sign-in-provider.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import type { ZoneSource } from '#ports/zone-source.ts'

/** What the API and the worker reach outside the service, by port. Tests pass in others. */
export interface Outside {
  /** Finds the proofs of control. */
  readonly resolver: Resolver
  /** Looks up the targets of ALIAS records. */
  readonly addressResolver: AddressResolver
  readonly parentDns: ParentDns
  readonly dnsProbe: DnsProbe
  /** Finds the records of zones at other providers. */
  readonly zoneSource: ZoneSource
  readonly registryLookup: RegistryLookup
  readonly registries: Registries
  readonly payments: Payments
  readonly webhookHttp: WebhookHttp
  readonly signInProviders: SignInProviders
}

/**
 * The real adapters for this configuration. Each connects on first use.
 *
 * `close` leaves `registries` open, because they belong to the process.
 */
export function outsideOf(
  configuration: Configuration,
  registries: Registries,
): Outside & { readonly close: () => Promise<void> } {
  const { rdapBootstrap } = configuration
  const byRdap = rdapBootstrap === undefined ? [] : [createRdapLookup(rdapBootstrap)]
  const registryLookup = inTurn([createRegistryLookup(registries), ...byRdap])
  const payments = createPaystack(configuration.payments)
  const signInProviders = createSignInProviders(configuration.signInProviders)
  const webhookHttp = createWebhookHttp({
    trustedTargets: configuration.webhookTrustedTargets,
    caFile: configuration.webhookCaFile,
    resolve: createResolve(configuration.webhookResolver.map(textOf)),
  })
  return {
    resolver: createDnsResolver({ servers: configuration.verificationResolver }),
    addressResolver: createAddressResolver({ servers: configuration.aliasResolver }),
    parentDns: createParentDns(configuration.delegationResolver),
    dnsProbe: createDnsProbe(),
    zoneSource: createZoneSource(),
    registryLookup,
    registries,
    payments,
    webhookHttp,
    signInProviders,
    close: async () => {
      await Promise.all([registryLookup, payments, webhookHttp, signInProviders].map((one) => one.close()))
    },
  }
}

/** The first source with an answer counts. The source nearest to the registry comes first. */
function inTurn(lookups: readonly RegistryLookup[]): RegistryLookup {
  return {
    entryOf: async (domain) => {
      for (const lookup of lookups) {
        const entry = await lookup.entryOf(domain)
        if (entry !== undefined) return entry
      }
      return undefined
    },
    close: async () => {
      await Promise.all(lookups.map((lookup) => lookup.close()))
    },
  }
}
