import { domainToASCII, domainToUnicode } from 'node:url'
import { displayQuoted } from '@zonewright/contract'
import { aLabels, asName, type DomainName, isHostName, labelsOf, parseName } from '@zonewright/dns'
import { firstCharacters } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { isAtOrAbovePublicSuffix } from './public-suffix.ts'

/** A zone's name as in the API and the tables: lower-case A-labels, no trailing dot. */
export type ZoneName = string & { readonly __zoneName: true }

/** The value of `{zone}` in a path: a zone's id or its name. `names`: the names at and above an owner name, the closest zone among them. */
export type ZoneRef = { readonly id: string } | { readonly name: string } | { readonly names: readonly string[] }

export function parseZoneRef(text: string): Exclude<ZoneRef, { names: unknown }> {
  // A text that cannot be a name is looked up as the empty name and not found, so the response is 404 in both cases.
  return isUuid(text) ? { id: text.toLowerCase() } : { name: asciiName(text) ?? '' }
}

/** The closest zone at or above a name: names whose zone it may be. */
export function zoneRefAbove(name: string): ZoneRef {
  const ascii = asciiName(name)
  return ascii === undefined ? { name: '' } : { names: [ascii, ...namesAbove(ascii)] }
}

/** The name of a text in the form of zone names; the text itself if it has the format of an id. */
export function zoneNameIn(text: string): string {
  const ref = parseZoneRef(text)
  return 'name' in ref ? ref.name : text
}

/**
 * The name of a zone to be added. Throws `validation_failed` with the reason. `ownSuffixes`: public suffixes that may be
 * added nevertheless.
 */
export function parseZoneName(text: string, ownSuffixes: readonly string[] = []): ZoneName {
  const ascii = asciiName(text)
  if (ascii === undefined || !isHostName(absolute(ascii)))
    throw badName(
      text,
      'is not a domain name. Use letters, digits and hyphens, with dots between labels, and at most 253 characters',
    )
  if (isAtOrAbovePublicSuffix(ascii) && !ownSuffixes.includes(ascii))
    throw badName(text, 'is a public suffix or above one and cannot be hosted as a zone')
  return ascii as ZoneName
}

/** The name with its trailing dot, as the DNS library expects it. */
export function absolute(name: string): DomainName {
  return parseName(`${name}.`)
}

/** The name without its trailing dot, as the API shows it. */
export function relativeToRoot(name: DomainName): string {
  return name.slice(0, -1)
}

/** The names above a name, nearest first. A label may contain escaped dots (RFC 1035 §5.1). */
export function namesAbove(name: string): string[] {
  const labels = labelsOf(absolute(name))
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
}

/** The range of reversed texts that contains the reversed names below a name. */
export function spanBelow(name: string): [first: string, past: string] {
  const backwards = [...name].reverse().join('')
  return [`${backwards}.`, `${backwards}/`] // in ASCII one follows the other
}

export function unicodeName(name: string): string {
  return domainToUnicode(name) || name
}

/** Lower-case A-labels without the trailing dot, or undefined if the text is not a domain name. */
function asciiName(text: string): string | undefined {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  const ascii = /^[\x21-\x7e]+$/.test(plain) ? plain.toLowerCase() : aLabels(plain, domainToASCII)
  const name = ascii === '' ? undefined : asName(`${ascii}.`)
  return name && relativeToRoot(name)
}

function badName(text: string, why: string): Refusal {
  const message = `${displayQuoted(firstCharacters(text))} ${why}.`
  return new Refusal('validation_failed', message, { details: [{ path: '/name', code: 'bad_name', message }] })
}
