import { domainOf, toAscii } from './typed-host.ts'

/** The maximum number of lines in a pasted list. */
export const mostPastedNames = 5_000

/** A line of a pasted list that is not empty. */
export interface PastedLine {
  /** Its number in the list, from 1. */
  readonly line: number
  /** As it was pasted, without spaces around it. */
  readonly text: string
  /** The name of the zone in ASCII; undefined: the line is not the name of a zone. */
  readonly name: string | undefined
  /** Why it is left out; undefined: it is not. */
  readonly fault: string | undefined
}

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * The zones in a pasted list of names. Each line has one name, or a URL. In a table, the first column counts. Empty lines are left out.
 */
export function pastedLines(pasted: string): { readonly lines: readonly PastedLine[]; readonly empty: number } {
  const lines: PastedLine[] = []
  const first = new Map<string, number>()
  const all = pasted.split(/\r\n|\r|\n/)
  for (const [i, raw] of all.entries()) {
    const text = raw.trim()
    if (text === '') continue
    const line = i + 1
    const name = nameIn(text)
    const before = name === undefined ? undefined : first.get(name)
    if (name !== undefined && before === undefined) first.set(name, line)
    const fault = name === undefined ? faultOf(text) : before === undefined ? undefined : `The same as line ${before}.`
    lines.push({ line, text, name, fault })
  }
  return { lines, empty: all.filter((text) => text.trim() === '').length }
}

function nameIn(text: string): string | undefined {
  const [cell = ''] = text.replace(/^["']/, '').split(/["'\t,;]/)
  const typed = domainOf(cell.trim())
  if (typed === '' || /[\s@*]/.test(typed)) return undefined
  const ascii = toAscii(typed.toLowerCase())
  const labels = ascii.split('.')
  const isName = labels.length >= 2 && ascii.length <= 253 && labels.every((one) => label.test(one))
  // The parser of URLs reads numbers as addresses.
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? ascii : undefined
}

function faultOf(text: string): string {
  if (text.includes('@')) return 'This is an email address, not a domain.'
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return 'This is an IP address, not a domain.'
  return text.includes('.') ? 'This is not a domain name.' : 'A domain name has a dot, such as example.com.'
}
