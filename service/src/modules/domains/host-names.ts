import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { asciiDomain } from './domain-name.ts'

/**
 * Whether a host is the domain itself or below it. At the registry, such a host is an object of the domain and has addresses (RFC 5732 §1.1:
 * a host may have the name of its domain).
 */
export function isHostOf(domain: string, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Nameservers as registries take them: lower-case A-labels without a trailing dot, each once. */
export function hostNames(given: readonly string[], path = '/nameservers'): string[] {
  const faults: FaultDetail[] = []
  const names = given.map((text, i) => {
    const name = asciiDomain(text)
    if (!/^(?=.{4,253}$)(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})+$/.test(name) || /^[\d.]+$/.test(name))
      faults.push({
        path: `${path}/${i}`,
        code: 'bad_host',
        message: 'This is not a host name such as ns1.example.net.',
      })
    return name
  })
  if (new Set(names).size < names.length)
    faults.push({ path, code: 'duplicate', message: 'A nameserver is listed twice.' })
  if (faults.length > 0) throw new Refusal('validation_failed', 'The nameservers are not valid.', { details: faults })
  return names
}
