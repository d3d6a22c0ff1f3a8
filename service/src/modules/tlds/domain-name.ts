import { domainToASCII, domainToUnicode } from 'node:url'
import { aLabels } from '@zonewright/dns'
import { firstCharacters } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'

/** A name that can be registered, as far as can be told without its registry: one label below a TLD that is sold. */
export interface OfferedName {
  /** Lower-case A-labels, no trailing dot. */
  readonly name: string
  readonly tld: TldSetting
}

/**
 * Reads the name of a domain to be ordered, in Unicode or A-labels.
 *
 * Throws `tld_unsupported` for what is below none of the TLDs, and `validation_failed` for what no registry would take: a TLD
 * itself, a name with more labels, one that is no host name, an IDN where the TLD has none.
 */
export function parseOfferedName(text: string, tlds: readonly TldSetting[], path = '/name'): OfferedName {
  const name = asciiName(text)
  if (name === undefined)
    throw badName(text, path, 'is not a domain name. Use letters, digits and hyphens, with dots between labels')
  if (tlds.some(({ tld }) => tld === name)) throw badName(text, path, 'is a public suffix. Choose a name below it')
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
    throw badName(text, path, `has more than one label before .${tld.tld}. Order ${label.split('.').at(-1)}.${tld.tld}`)
  if (label.startsWith('xn--')) {
    if (!tld.idn) throw badName(text, path, `is an internationalized name, which .${tld.tld} does not support`)
    // RFC 5891 §4.4: an A-label that stands for nothing, or not for itself, is none.
    if (domainToASCII(domainToUnicode(label)) !== label || domainToUnicode(label) === label)
      throw badName(text, path, 'has a label that begins with xn-- but is not a valid internationalized name')
  } else if (label.slice(2, 4) === '--')
    throw badName(text, path, 'has hyphens as its third and fourth characters, which are reserved (RFC 5891 §4.2.3.1)')
  return { name, tld }
}

/** A domain's name as it is kept, of what somebody wrote: lower-case A-labels without a trailing dot. Empty: it can be none. */
export function asciiDomain(text: string): string {
  return aLabels(text.replace(/\.$/, ''), domainToASCII)
}

/** Lower-case A-labels of a host name (RFC 1123 §2.1), or undefined when the text is none. */
function asciiName(text: string): string | undefined {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  const ascii = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : aLabels(plain, domainToASCII)
  const isHost = ascii.length <= 253 && /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/.test(ascii)
  return isHost ? ascii : undefined
}

function badName(text: string, path: string, why: string): Refusal {
  const message = `${JSON.stringify(firstCharacters(text))} ${why}.`
  return new Refusal('validation_failed', message, { details: [{ path, code: 'bad_name', message }] })
}
