import { escapedByte } from './escape.ts'
import { DnsFault, quoteInput, type RecordFault } from './faults.ts'
import { asName, type DomainName, isOriginLast, isWithin, maxNameCharacters, parseName, rootName } from './name.ts'

/** An owner name, and the reason why a new name cannot be written like this. */
export interface WrittenOwner {
  readonly name: DomainName
  /** Why a new name cannot be written like this; undefined if it can. Names that a zone already has are accepted as they are printed. */
  readonly fault?: RecordFault
}

/**
 * Reads an owner name and checks how it is written.
 *
 * In a new name, ASCII letters, digits and `- _ * / + = ~` represent themselves, `.` separates labels, and `@` alone, or as the last
 * label, is the origin. Any other ASCII character needs a backslash. Labels with other letters become A-labels (RFC 5890).
 *
 * @throws DnsFault `bad_name`, `out_of_zone` if the text is not a name of the zone at all
 */
export function readOwner(text: string, origin: DomainName, toAscii: (name: string) => string): WrittenOwner {
  const name = ownerName(text, origin, toAscii)
  const fault = unescapedFault(text)
  return fault === undefined ? { name } : { name, fault }
}

/**
 * Reads an owner name: `@`, a relative name, or one that ends in the zone's name, with or without the final dot. A last label `@` is
 * the origin. Unicode labels become A-labels.
 *
 * @throws DnsFault `bad_name`, `out_of_zone`
 */
export function ownerName(text: string, origin: DomainName, toAscii: (name: string) => string): DomainName {
  const ascii = asciiName(text, toAscii)
  if (ascii === '@') return origin
  if (!ascii.endsWith('.')) {
    // Read it as a whole name first. A name that would be too long with the zone's name appended can still be in the zone.
    const whole = asName(`${ascii}.`)
    return whole !== undefined && isWithin(whole, origin) ? whole : parseName(ascii, origin)
  }
  const name = parseName(ascii, origin)
  if (isWithin(name, origin)) return name
  throw new DnsFault('out_of_zone', `${ascii} is not in the zone ${withoutDot(origin)}.`)
}

/**
 * A name with its Unicode labels as A-labels (RFC 5890); the other labels are unchanged. `toAscii`: see `aLabels`.
 *
 * @throws DnsFault `bad_name`
 */
export function asciiName(text: string, toAscii: (name: string) => string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  const refuse = () => new DnsFault('bad_name', `${quoteInput(text)} is not a domain name.`)
  if (text.length > maxNameCharacters) throw refuse()
  return labelsAsWritten(text)
    .map((label) => {
      if (/^[\x00-\x7f]*$/.test(label)) return label
      const ascii = aLabels(label, toAscii)
      if (ascii === '') throw refuse()
      return ascii
    })
    .join('.')
}

/**
 * What is wrong with how a new owner name is written: a character that needs a backslash and has none; undefined if nothing is wrong.
 *
 * The text must be readable by `ownerName` or `parseName`.
 */
export function unescapedFault(text: string): RecordFault | undefined {
  if (text === '@' || plainOwner.test(text)) return undefined
  const url = urlFault(text)
  if (url !== undefined) return url
  const written = isOriginLast(text) ? text.slice(0, -2) : text
  const escaped = withBackslashes(written)
  if (escaped === written) return undefined
  const character = escaped.charAt([...escaped].findIndex((one, at) => one !== written[at]) + 1)
  const message = `The owner name ${quoteInput(text)} contains \`${character}\`. Put a backslash before it, as in ${quoteInput(escaped)}, if it belongs to the name.`
  return { code: 'bad_name', message }
}

/**
 * Why an owner name of a zone file is most likely not a name: it is a comment or a URL of another format; undefined if it may be a name.
 *
 * Zone files have their own comments, which begin with `;` (RFC 1035 §5.1).
 */
export function foreignOwnerFault(text: string): RecordFault | undefined {
  const mark = /^(?:#|\/\/|\/\*)/.exec(text)?.[0]
  if (mark === undefined) return urlFault(text)
  const escaped = quoteInput(mark.replace(/./g, '\\$&'))
  const isWhole = text === mark
  const what = isWhole ? `\`${mark}\` is not an owner name.` : `${quoteInput(text)} begins with \`${mark}\`.`
  const message = `${what} Comments in a zone file begin with \`;\`. Delete the line, or write ${escaped} if ${isWhole ? 'this is the name' : 'the name begins like this'}.`
  return { code: 'bad_name', message }
}

function urlFault(text: string): RecordFault | undefined {
  if (!text.includes('://') || !text.replace(/\\[\s\S]/g, '\\').includes('://')) return undefined
  return { code: 'bad_name', message: `${quoteInput(text)} is a URL. Write only the owner name.` }
}

/**
 * An owner name in the form for zone files that every server, including this one, reads as the same name.
 *
 * All except the most common characters become `\DDD`: Knot refuses an unescaped `+`, NSD reads `\#` as the generic form and misreads a final `\\`,
 * and for BIND `\[` begins a bit-string label.
 */
export function printedOwner(name: DomainName): string {
  if (commonCharacters.test(name) && !/^\/[/*]/.test(name)) return name
  return name
    .replace(/\\(\D)|\\\d{3}|[^a-z0-9_*/.-]/g, (part, escaped?: string) => {
      if (escaped !== undefined) return escapedByte(escaped.charCodeAt(0))
      return part.length === 1 ? escapedByte(part.charCodeAt(0)) : part
    })
    .replace(/^\/(?=[/*])/, escapedByte(0x2f))
}

const commonCharacters = /^[a-z0-9_*/.-]+$/

/** The text with a backslash before each character that needs one. */
function withBackslashes(text: string): string {
  return text.replace(/\\[\s\S]|[^\\]/g, (part) => (needsBackslash.test(part) ? `\\${part}` : part))
}

const plainOwner = /^[A-Za-z0-9_*/+=~.-]*$/
/** ASCII characters that do not represent themselves in a new name. A part that begins with a backslash is escaped already. */
const needsBackslash = /^[^A-Za-z0-9_*/+=~.\\\x80-\u{10ffff}-]$/u

/** The labels of any text. Dots after a backslash do not separate labels. */
function labelsAsWritten(text: string): string[] {
  const labels: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '.') {
      labels.push(text.slice(start, at))
      start = at + 1
    }
  }
  labels.push(text.slice(start))
  return labels
}

/**
 * The A-labels of a Unicode name, in lower case (RFC 5890); '' if it is not a name.
 *
 * `toAscii` is the host parser of URLs, which returns '' if it fails. It accepts more than names: a host ends at `/`, `%2e` is a dot, tabs are
 * ignored, and a host whose last label is a number is an IPv4 address.
 */
export function aLabels(text: string, toAscii: (host: string) => string): string {
  if (/(?![A-Za-z0-9._*-])[\x00-\x7f]/.test(text)) return ''
  const dot = text.endsWith('.') ? '.' : ''
  const ascii = toAscii(`${dot === '' ? text : text.slice(0, -1)}.a`).replace(/\.a$/, '')
  return /^[a-z0-9._*-]+$/.test(ascii) ? ascii + dot : ''
}

function withoutDot(name: DomainName): string {
  return name === rootName ? name : name.slice(0, -1)
}
