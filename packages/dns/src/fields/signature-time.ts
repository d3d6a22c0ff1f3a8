import { DnsFault, quoteInput } from '../faults.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/** A moment in seconds since 1970 modulo 2³², written `YYYYMMDDHHmmSS` in UTC (RFC 4034 §3.2). */
export function signatureTime(what: string): Field {
  return {
    parse: (words, out) => out.u32(secondsOf(words.plain(), what)),
    print: (wire) => new Date(wire.u32() * 1000).toISOString().replace(/\.\d+Z|\D/g, ''),
    skip: (wire) => wire.skip(4),
  }
}

function secondsOf(text: string, what: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (year === undefined) return wholeNumber(text, what, 0xffffffff)
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms) || ms < 0)
    throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not a date and time`)
  return (ms / 1000) % 0x100000000
}
