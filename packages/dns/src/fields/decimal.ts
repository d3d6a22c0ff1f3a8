import { DnsFault, quoteInput } from '../faults.ts'
import type { Field } from './field.ts'
import { characterString } from './text.ts'

/** One character-string that is a decimal number, `-32.6882`, from `-highest` to `highest` (RFC 1712 §3). */
export function decimal(what: string, highest = Infinity): Field {
  return characterString(what, (bytes) => {
    const text = String.fromCharCode(...bytes)
    if (/^[+-]?\d{1,20}(?:\.\d{1,20})?$/.test(text) && Math.abs(Number(text)) <= highest) return
    const range = highest === Infinity ? '' : ` from -${highest} to ${highest}`
    throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not a decimal number${range}`)
  })
}
