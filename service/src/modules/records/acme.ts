import type { Caller } from '#platform/caller.ts'
import { holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { keyOf } from './rrset.ts'

/** Whether the caller can read and write only ACME challenges, like a key with `acme:dns01` that lacks the wider permission. */
export function onlyAcme(caller: Caller, wider: 'records:read' | 'records:write'): boolean {
  return caller.kind === 'key' && !holds(caller, wider) && holds(caller, 'acme:dns01')
}

/** TXT records named `_acme-challenge` or `_acme-challenge.<sub>` within the zone (specification, "Permissions"). */
export function isAcmeChallenge(rrset: { name: string; type: string }): boolean {
  return rrset.type === 'TXT' && rrset.name.startsWith('_acme-challenge.')
}

/** Whether the caller can read this rrset. A write must not reveal what the caller cannot read (design: api, "Who may call"). */
export function mayRead(caller: Caller, rrset: { name: string; type: string }): boolean {
  return holds(caller, 'records:read') || (holds(caller, 'acme:dns01') && isAcmeChallenge(rrset))
}

/** Whether an error can name a conflicting rrset to the caller: one that it can read, or has sent itself. */
export function mayReveal(
  caller: Caller,
  sent: readonly { name: string; type: string }[],
): (rrset: { name: string; type: string }) => boolean {
  if (holds(caller, 'records:read')) return () => true
  const own = new Set(sent.map(keyOf))
  return (rrset) => own.has(keyOf(rrset)) || mayRead(caller, rrset)
}

/** Refuses a whole request if any part of it is not allowed for this key. */
export function refuseForeign(
  caller: Caller,
  wider: 'records:read' | 'records:write',
  rrsets: readonly { name: string; type: string }[],
): void {
  if (!onlyAcme(caller, wider)) return
  const foreign = rrsets.find((rrset) => !isAcmeChallenge(rrset))
  if (foreign)
    throw new Refusal(
      'forbidden',
      `This key can change only TXT records named _acme-challenge. ${foreign.name} ${foreign.type} requires the permission ${wider}.`,
    )
}
