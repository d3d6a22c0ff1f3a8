import { DnsFault, parseType, readValue, removedValue, rootName } from '@zonewright/dns'

/** The types whose values people replace in many zones, the most common first. */
export const replaceableTypes = ['A', 'AAAA', 'CNAME', 'ALIAS', 'MX', 'TXT', 'NS', 'SRV', 'CAA', 'HTTPS', 'PTR', 'TLSA']

/** What is wrong with the values of a replacement, by the rules of the service. Empty fields have no errors yet. */
export function replacementFaults(type: string, from: string, to: string): { from?: string; to?: string } {
  const old = read(from, (text) => ({ value: removedValue(parseType(type), text, rootName) }))
  const now = read(to, (text) => {
    const { value, fault } = readValue(parseType(type), text, rootName, 'absolute')
    return { value, fault: fault?.message }
  })
  const isSame = old.value !== undefined && old.value === now.value
  const fault = isSame ? 'This is the same value.' : now.fault
  return { ...(old.fault !== undefined && { from: old.fault }), ...(fault !== undefined && { to: fault }) }
}

/** A value in canonical form, and what is wrong with it. */
interface ReadValue {
  readonly value?: string
  readonly fault?: string | undefined
}

function read(text: string, parse: (text: string) => ReadValue): ReadValue {
  const typed = text.trim()
  if (typed === '') return {}
  try {
    return parse(typed)
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error
    return { fault: error.message }
  }
}
