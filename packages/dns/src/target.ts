import { parseIpv6 } from './address.ts'
import { quoteInput, type RecordFault } from './faults.ts'
import { isReverseName } from './name.ts'
import { namesIn, type RecordData } from './rdata-wire.ts'
import { type RrType, typeToText } from './type.ts'
import type { WrittenName } from './words.ts'

/**
 * What is wrong with the domain names in new record data: a name that is a whole address, or has an unescaped `:` or `//`, as URLs and
 * host names with ports do; undefined if nothing is wrong.
 *
 * Names below in-addr.arpa and ip6.arpa may be written in any way.
 */
export function targetFault(type: RrType, names: readonly WrittenName[], data: RecordData): RecordFault | undefined {
  for (const { text, name } of names) {
    if (!mayBeFaulty.test(text) || isReverseName(name)) continue
    if (isAddress(unescaped(withoutOrigin(text)))) return addressFault(type, text)
    const mark = /\/\/|:/.exec(text.replace(/\\(?:\d{3}|[\s\S])/g, '\\'))?.[0]
    if (mark === undefined) continue
    const message = `${typeToText(type)} takes a domain name, and ${quoteInput(text)} contains \`${mark}\`. Leave out scheme, port and path. If the character belongs to the name, put a backslash before it.`
    return { code: 'bad_rdata', message }
  }
  // The generic form has no words.
  const given = names.length > 0 ? [] : namesIn(type, data)
  const address = given.find((name) => mayBeFaulty.test(name) && isAddress(unescaped(name)))
  return address === undefined ? undefined : addressFault(type, address)
}

function addressFault(type: RrType, text: string): RecordFault {
  return { code: 'bad_rdata', message: `${quoteInput(text)} is an address; ${typeToText(type)} takes a domain name.` }
}

const mayBeFaulty = /[:\\]|\/\/|^\d/

/** Only a whole name counts: the hosts of an address are often named `1.2.0.192.pool.example.net.` */
function isAddress(name: string): boolean {
  const whole = name.endsWith('.') ? name.slice(0, -1) : name
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(whole) || (whole.includes(':') && parseIpv6(whole) !== undefined)
}

function withoutOrigin(text: string): string {
  return text.endsWith('.@') ? text.slice(0, -2) : text
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{3}|[\s\S])/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
  )
}
