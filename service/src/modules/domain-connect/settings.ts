/** This installation as a DNS provider, according to DOMAIN_CONNECT. */
export interface ConnectProvider {
  readonly providerId: string
  readonly providerName: string
}

/** The answer to a service provider that asks how to set up its service in a zone (Domain Connect, "Settings End-Point"). */
export function settingsOf(
  { providerId, providerName }: ConnectProvider,
  { site, nameservers }: { readonly site: string; readonly nameservers: readonly string[] },
) {
  const { origin } = new URL(site)
  return {
    providerId,
    providerName,
    providerDisplayName: providerName,
    urlSyncUX: origin,
    urlAPI: origin,
    urlControlPanel: `${origin}/app/zones/%domain%`,
    width: 900,
    height: 900,
    nameServers: nameservers,
  }
}

/** The text of the TXT record by which service providers find the settings: a URL without its scheme, which is always https. */
export function discoveryText(site: string): string {
  return new URL(site).host
}
