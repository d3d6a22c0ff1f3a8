import { domainToASCII } from 'node:url'
import { aLabels } from '@zonewright/dns'

/** A domain's name as it is kept, of what somebody wrote: lower-case A-labels without a trailing dot. Empty: it can be none. */
export function asciiDomain(text: string): string {
  return aLabels(text.replace(/\.$/, ''), domainToASCII)
}
