import type { Fault, Outcome, RegistryReply } from '#ports/registry.ts'

/** What a result code says about its command, without the value (RFC 5730 §3). */
export type Verdict =
  | { readonly kind: 'done' | 'pending' | 'refused' | 'unknown' }
  | { readonly kind: 'fault'; readonly fault: Fault['fault'] }

const done = new Set([1000, 1300, 1301, 1500])

/** The fault is in what we sent or in what we have agreed with the registry, never in the customer's data. */
const protocolFaults = new Set([2000, 2001, 2002, 2003, 2100, 2101, 2102, 2103, 2307])

/**
 * 2004 and 2005 are refusals, not faults of ours: registries use them for names, periods and contact data that they do not accept. A registry's own
 * code from 2000 to 2399 is also a refusal, because "the requested action did not occur" applies to all of them. After any other unknown code, it is
 * unknown what happened.
 */
export function verdictOf(code: number): Verdict {
  if (done.has(code)) return { kind: 'done' }
  if (code === 1001) return { kind: 'pending' }
  if (code === 2104) return { kind: 'fault', fault: 'balance' }
  if (code === 2200) return { kind: 'fault', fault: 'login' }
  if (protocolFaults.has(code)) return { kind: 'fault', fault: 'protocol' }
  return { kind: code >= 2000 && code < 2400 ? 'refused' : 'unknown' }
}

/** The outcome for a reply. `read` extracts the requested value from it, and throws if it is missing. */
export function outcomeOf<T>(reply: RegistryReply, read: () => T): Outcome<T> {
  const verdict = verdictOf(reply.code)
  switch (verdict.kind) {
    case 'done':
      try {
        return { kind: 'done', value: read(), reply }
      } catch (error) {
        // The registry reports success without saying of what. Only another lookup can show it.
        return { kind: 'unknown', why: `The response cannot be parsed: ${(error as Error).message}`, reply }
      }
    case 'pending':
      return { kind: 'pending', value: valueOrNull(read), reply }
    case 'fault':
      return { kind: 'fault', fault: verdict.fault, reply }
    case 'refused':
      return { kind: 'refused', reply }
    case 'unknown':
      return { kind: 'unknown', why: `The registry answered ${reply.code}: ${reply.message}`, reply }
  }
}

/** A pending response does not have to contain data of the pending action. */
function valueOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
