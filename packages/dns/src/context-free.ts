import { DnsFault, quoteInput, type RecordFault } from './faults.ts'
import { rootName } from './name.ts'
import { readRdata } from './rdata.ts'
import { textTypes } from './text-strings.ts'
import { type RrType, typeToText } from './type.ts'
import { recordTypeOf } from './types/table.ts'

/**
 * What makes a value depend on where it is read: a domain name without a final dot, which a zone file completes with its origin, or a text
 * without double quotes. Undefined if nothing does. The API of PowerDNS does not accept such values.
 *
 * A value that cannot be read at all has no such fault: `readValue` reports what is wrong with it.
 */
export function contextFault(type: RrType, text: string): RecordFault | undefined {
  if (textTypes.has(type)) {
    if (/^\s*(?:"|\\#\s)/.test(text)) return undefined
    return { code: 'unquoted', message: `${typeToText(type)} needs each text in double quotes, such as "v=spf1 -all".` }
  }
  const name = namesAsWritten(type, text).find((written) => !hasFinalDot(written))
  if (name === undefined) return undefined
  return { code: 'relative_name', message: `${quoteInput(name)} needs a final dot, because it must be a whole name.` }
}

function namesAsWritten(type: RrType, text: string): string[] {
  if (!recordTypeOf(type)?.hasNames) return []
  try {
    return readRdata(type, text, rootName).names.map((name) => name.text)
  } catch (fault) {
    if (fault instanceof DnsFault) return []
    throw fault
  }
}

/** Whether a name as written ends with a dot that is not part of its last label (RFC 1035 §5.1). */
export function hasFinalDot(name: string): boolean {
  let at = name.length - 1
  if (name[at] !== '.') return false
  while (name[at - 1] === '\\') at--
  return (name.length - 1 - at) % 2 === 0
}
