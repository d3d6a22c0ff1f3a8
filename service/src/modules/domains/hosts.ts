import { displayQuoted } from '@zonewright/contract'
import { asciiDomain } from '#modules/tlds/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { RegistryHost } from '#ports/registry.ts'

/**
 * Whether a host is the domain itself or below it. At the registry, this host is an object of the domain and has addresses (RFC 5732 §1.1:
 * a host may have the name of its domain).
 */
export function isHostOf(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** The `nameservers` of a request in the form that registries accept: lower-case A-labels without a trailing dot, each once. */
export function hostNames(given: readonly string[]): string[] {
  const faults: FaultDetail[] = []
  const names = given.map((text, i) => {
    const name = asciiDomain(text)
    if (!/^(?=.{4,253}$)(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})+$/.test(name) || /^[\d.]+$/.test(name))
      faults.push({
        path: `/nameservers/${i}`,
        code: 'bad_host',
        message: `${displayQuoted(firstCharacters(text))} is not a host name such as ns1.example.net.`,
      })
    return name
  })
  if (new Set(names).size < names.length)
    faults.push({ path: '/nameservers', code: 'duplicate', message: 'A nameserver is listed twice.' })
  if (faults.length > 0) throw new Refusal('validation_failed', 'The nameservers are not valid.', { details: faults })
  return names
}

/** The hosts that get addresses: nameservers of the list that are at or below the domain. */
export function hostsOf(
  domain: string,
  nameservers: readonly string[],
  given: readonly { readonly name: string; readonly addresses: readonly string[] }[],
): RegistryHost[] {
  const hosts = given.map(({ name, addresses }) => ({
    name: asciiDomain(name),
    addresses: [...new Set(addresses.map(canonicalAddress))],
  }))
  const faults = hosts.flatMap(({ name }, i): FaultDetail[] => {
    const fault = (code: string, message: string): FaultDetail[] => [{ path: `/hosts/${i}/name`, code, message }]
    if (!nameservers.includes(name)) return fault('not_listed', `${name} is not among the nameservers.`)
    if (!isHostOf(domain, name))
      return fault(
        'not_below',
        `Remove the addresses of ${name}. Only nameservers at or below ${domain} can have addresses.`,
      )
    return hosts.findIndex((each) => each.name === name) < i ? fault('duplicate', `${name} is listed twice.`) : []
  })
  if (faults.length > 0) throw new Refusal('validation_failed', 'The hosts are not valid.', { details: faults })
  return hosts
}

/** The canonical form of an IP address (RFC 5952 for IPv6), so that two spellings of one address are equal. */
export function canonicalAddress(address: string): string {
  return address.includes(':') ? (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address) : address
}
