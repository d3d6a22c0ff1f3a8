import { DnsFault } from '../faults.ts'
import type { Field } from './field.ts'
import { characterString } from './text.ts'

/** One character-string of at least `least` decimal digits. */
export function digits(what: string, least: number): Field {
  return characterString(what, (bytes) => {
    if (bytes.length < least || bytes.some((byte) => byte < 0x30 || byte > 0x39))
      throw new DnsFault('bad_rdata', `the ${what} is not made of at least ${least} digits`)
  })
}
