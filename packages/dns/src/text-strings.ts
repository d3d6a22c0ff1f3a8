import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import { readRdata, type WrittenRdata } from './rdata.ts'
import { RrType, typeToText } from './type.ts'
import type { DottedNames } from './words.ts'
import type { Token } from './zone-lexer.ts'

/** Types whose data is text in strings. */
export const textTypes: ReadonlySet<RrType> = new Set([RrType.TXT, RrType.SPF, RrType.RESINFO, RrType.WALLET])

/**
 * Reads record data of any type. Of a type whose data is text, each of several strings must be in double quotes, so that `v=spf1 -all` does
 * not become two strings. A single word needs no quotes.
 *
 * @throws DnsFault `bad_rdata`
 */
export function readStrings(type: RrType, text: string, origin: DomainName, dotted?: DottedNames): WrittenRdata {
  if (!textTypes.has(type)) return readRdata(type, text, origin, dotted)
  let written: WrittenRdata
  try {
    written = readRdata(type, text, origin)
  } catch (fault) {
    if (fault instanceof DnsFault && isUnquoted(text)) throw unquoted(type, text)
    throw fault
  }
  const { words } = written
  if (words.every(({ quoted }) => quoted) || isGeneric(words) || isOneWord(words, trimmed(text))) return written
  throw unquoted(type, text)
}

/** Whether the words of a zone-file entry from `at` on are strings that were most likely meant as one, since not all of them are in quotes. */
export function areUnquotedStrings(type: RrType, tokens: readonly Token[], at: number): boolean {
  if (!textTypes.has(type)) return false
  const words = tokens.slice(at)
  return !words.every(({ quoted }) => quoted) && !isGeneric(words) && !isOneWord(words, words[0]?.text ?? '')
}

/** A warning for `areUnquotedStrings`. */
export function unquotedWarning(type: RrType, words: readonly Token[]): string {
  const text = words.map(({ text }) => text).join(' ')
  const strings = words.length === 1 ? 'one string' : `${words.length} strings`
  return `${typeToText(type)} was read as ${strings}, since the text is not in double quotes. If it is one text, write ${shown(text)}.`
}

function isGeneric([first]: readonly Token[]): boolean {
  return first !== undefined && !first.quoted && first.text === '\\#'
}

/** Whether the text is nothing but one word without quotes of any kind: a token or an encoded text. */
function isOneWord(words: readonly Token[], text: string): boolean {
  return words.length === 1 && words[0]?.text === text && !/^['‘“„«]|"/.test(text)
}

/**
 * Whether a text cannot be read because part of it is outside quotes. A broken escape, a quote that is merely not closed, and the generic form
 * are other faults.
 */
function isUnquoted(text: string): boolean {
  const rest = text.replace(inQuotes, '$1').replace(/\\[\s\S]/g, '\\')
  const isOneWord = /^[^ \t\r\n;()"]*$/.test(trimmed(text).replace(/\\[\s\S]/g, '\\'))
  const isGenericForm = /^[ \t]*\\#(?:[ \t]|$)/.test(text)
  return /[^ \t\r\n()]/.test(rest) && !isOneWord && !isGenericForm && !/^[ \t\r\n(]*"[^"]*$/.test(rest)
}

/** A string in quotes that begins and ends a word. */
const inQuotes = /(^|[ \t\r\n(])"(?:[^"\\]|\\[\s\S])*"(?![^ \t\r\n;)])/g

/** The text without the white space of zone files around it. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charAt(start))) start++
  while (end > start && isBlank(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(character: string): boolean {
  return ' \t\r\n'.includes(character)
}

function unquoted(type: RrType, text: string): DnsFault {
  const plain = trimmed(text).replace(
    inQuotes,
    (string, before: string) => before + string.slice(before.length + 1, -1),
  )
  const [, inner] = /^['‘“„«]([\s\S]*)['’”“»]$/.exec(plain) ?? []
  const whole =
    inner === undefined ? shown(plain) : `${shown(inner)}, or ${shown(plain)} if its quotation marks belong to the text`
  return new DnsFault(
    'bad_rdata',
    `Each string of ${typeToText(type)} must be in double quotes. For one string, write ${whole}.`,
  )
}

/** Maximum number of characters of a value in a message. */
const shownCharacters = 200

/** A text as one string in double quotes, with its valid escapes kept, cut after 200 characters. */
function shown(text: string): string {
  // A character has at most two units.
  const characters = [...text.slice(0, 2 * shownCharacters + 2)]
  const start = characters.slice(0, shownCharacters).join('')
  const escaped = start.replace(/\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D)|["\\]/g, (part) =>
    part.length === 1 ? `\\${part}` : part,
  )
  return `\`"${escaped}${characters.length > shownCharacters ? '…' : '"'}\``
}
