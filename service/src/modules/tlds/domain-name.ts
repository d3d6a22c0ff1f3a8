import { domainToASCII, domainToUnicode } from 'node:url'
import { displayQuoted } from '@zonewright/contract'
import { aLabels } from '@zonewright/dns'
import { firstCharacters } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'

/** A name that can be registered, as far as can be checked without its registry: one label below a TLD that is sold. */
export interface OfferedName {
  /** Lower-case A-labels, no trailing dot. */
  readonly name: string
  readonly tld: TldSetting
}

/**
 * Parses the name of a domain to be ordered, in Unicode or A-labels.
 *
 * Throws `tld_unsupported` for names below none of the TLDs, and `validation_failed` for names that no registry accepts: a TLD
 * itself, a name with more labels, one that is not a host name, or an IDN if the TLD has none.
 */
export function parseOfferedName(text: string, tlds: readonly TldSetting[]): OfferedName {
  const name = asciiName(text)
  if (name === undefined)
    throw badName(text, 'is not a domain name. Use letters, digits and hyphens, with dots between labels')
  if (tlds.some(({ tld }) => tld === name)) throw badName(text, 'is a public suffix. Choose a name below it')
  const tld = tlds
    .filter(({ tld }) => name.endsWith(`.${tld}`))
    .reduce<TldSetting | undefined>(
      (best, each) => (best && best.tld.length > each.tld.length ? best : each),
      undefined,
    )
  if (tld === undefined)
    throw new Refusal('tld_unsupported', `${JSON.stringify(text)} is not under a TLD that is sold here.`)
  const label = name.slice(0, -tld.tld.length - 1)
  if (label.includes('.'))
    throw badName(text, `has more than one label before .${tld.tld}. Order ${label.split('.').at(-1)}.${tld.tld}`)
  if (label.startsWith('xn--')) {
    if (!tld.idn) throw badName(text, `is an internationalized name, which .${tld.tld} does not support`)
    // RFC 5891 §4.4: an A-label that decodes to nothing, or to another label, is invalid.
    if (domainToASCII(domainToUnicode(label)) !== label || domainToUnicode(label) === label)
      throw badName(text, 'has a label that begins with xn-- but is not a valid internationalized name')
  } else if (label.slice(2, 4) === '--')
    throw badName(text, 'has hyphens as its third and fourth characters, which are reserved (RFC 5891 §4.2.3.1)')
  return { name, tld }
}

/** Normalizes a domain name that someone has entered: lower-case A-labels without a trailing dot. Empty: it cannot be a domain name. */
export function asciiDomain(text: string): string {
  return aLabels(text.replace(/\.$/, ''), domainToASCII)
}

/** Lower-case A-labels of a host name (RFC 1123 §2.1), or undefined if the text is not one. */
function asciiName(text: string): string | undefined {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  const ascii = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : aLabels(plain, domainToASCII)
  const isHost = ascii.length <= 253 && /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/.test(ascii)
  return isHost ? ascii : undefined
}

function badName(text: string, why: string): Refusal {
  const message = `${displayQuoted(firstCharacters(text))} ${why}.`
  return new Refusal('validation_failed', message, { details: [{ path: '/name', code: 'bad_name', message }] })
}
