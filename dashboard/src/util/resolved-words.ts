import type { Rrset } from './edits.ts'

type Resolved = NonNullable<Rrset['resolved']>

const reasons: Readonly<Record<NonNullable<Resolved['error']>, string>> = {
  timeout: 'its DNS servers do not answer',
  server_failure: 'its DNS servers report an error',
  no_address: 'it has no A or AAAA record',
  too_many_steps: 'it leads through a loop or too many aliases',
  private_address: 'it has an address that is not public',
}

/** What an ALIAS publishes, in words: its addresses, and what is wrong with its target. */
export function resolvedWords({ a, aaaa, error }: Resolved): { readonly published: string; readonly problem?: string } {
  const addresses = [...a, ...aaaa]
  const [first] = addresses
  const more = addresses.length > 2 ? ` and ${addresses.length - 2} more` : ''
  const published =
    first === undefined ? 'Publishes no addresses' : `Publishes ${addresses.slice(0, 2).join(', ')}${more}`
  return error === null ? { published } : { published, problem: `The target cannot be resolved: ${reasons[error]}.` }
}
