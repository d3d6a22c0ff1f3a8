import { asName, isHostName, isWithin, parseName } from '@zonewright/dns'
import { RefusedCommand } from './reply.ts'

/** Names that no one can register: the registry's own, and those of the nameservers that run next to it. */
const reserved = ['nic', 'zonewright', 'whois', 'epp']

/** The names that the registry offers. */
export class RegistryNames {
  readonly #tlds: readonly string[]

  /** Without leading dots. */
  constructor(tlds: readonly string[]) {
    this.#tlds = tlds.toSorted((a, b) => b.length - a.length)
  }

  /** The name in the registry's form, or the reason why the registry does not offer it. */
  domain(text: string): { readonly name: string } | { readonly code: number; readonly reason: string } {
    const name = text.toLowerCase()
    if (!isHost(name)) return { code: 2005, reason: 'Not a host name' }
    const tld = this.tldOf(name)
    if (tld === undefined) return { code: 2306, reason: 'Not one of our TLDs' }
    const label = name.slice(0, -tld.length - 1)
    if (label.includes('.')) return { code: 2306, reason: 'Not directly below a TLD' }
    if (reserved.includes(label)) return { code: 2306, reason: 'Reserved' }
    if (label.startsWith('xn--') && tld !== this.#tlds.at(-1)) return { code: 2306, reason: 'No IDNs in this TLD' }
    if (/^..--/.test(label) && !label.startsWith('xn--'))
      return { code: 2306, reason: 'Hyphens in third and fourth place' }
    return { name }
  }

  /** The TLD that a name is below; a TLD is below none. */
  tldOf(name: string): string | undefined {
    if (this.#tlds.includes(name)) return undefined
    return this.#tlds.find((tld) => isWithin(parseName(`${name}.`), parseName(`${tld}.`)))
  }

  /** The domain of a host, which is the host itself or an ancestor; undefined if it is below none of our TLDs. */
  domainAbove(host: string): string | undefined {
    const tld = this.tldOf(host)
    if (tld === undefined) return undefined
    return `${host
      .slice(0, -tld.length - 1)
      .split('.')
      .at(-1)}.${tld}`
  }

  host(text: string): string {
    const name = text.toLowerCase()
    if (!isHost(name) || !name.includes('.')) throw new RefusedCommand(2005, `${text} is no host name`)
    return name
  }
}

function isHost(name: string): boolean {
  const parsed = asName(`${name}.`)
  return parsed !== undefined && isHostName(parsed)
}
