import { domainToASCII } from 'node:url'

/** A domain's name as it is kept, of what somebody wrote: lower-case A-labels without a trailing dot. Empty: it can be none. */
export function asciiDomain(text: string): string {
  return domainToASCII(text.replace(/\.$/, '')).toLowerCase()
}
