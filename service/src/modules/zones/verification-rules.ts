import type { Looked } from '#ports/resolver.ts'

/** A pending zone is looked after by itself so long (design: zones, "Life"). */
export const verificationDays = 14

/** The owner of a live zone that somebody else proves control of has so long to prove it, too (design: zones, "Life"). */
export const contestHours = 72

/** At the end of a contest nobody may be able to tell, for a while: then the zone stays where it is. */
export const contestGraceHours = 48

/** What proves control of a name: either of the two, put there by whoever controls the domain now. */
export interface Challenge {
  readonly txtName: string
  readonly txtValue: string
  /** A host name to add among the domain's nameservers at the registrar, for as long as the check takes. */
  readonly nameserver: string
}

/** The challenge of one zone of one account. `nameserver` is any of ours: its domain is where the one-time name lies. */
export function challengeOf(zone: string, token: string, nameserver: string): Challenge {
  const domain = nameserver.slice(nameserver.indexOf('.') + 1)
  return {
    txtName: `_zonewright-challenge.${zone}`,
    txtValue: `zonewright-verification=${token}`,
    nameserver: `${token}.verify.${domain}`,
  }
}

/**
 * What the DNS showed. `absent`: neither of the two. `no_txt`: no TXT record, and nobody could tell to whom the name is
 * delegated. `unknown`: nobody could tell of the TXT record, and the nameserver is not seen.
 */
export type Proof = 'txt' | 'ns' | 'absent' | 'no_txt' | 'unknown'

/** Delegation to the shared nameservers is no proof: it does not tell which account asked. */
export function proofIn(challenge: Challenge, texts: Looked, nameservers: Looked): Proof {
  if (texts !== 'unknown' && texts.includes(challenge.txtValue)) return 'txt'
  if (nameservers !== 'unknown' && nameservers.includes(challenge.nameserver)) return 'ns'
  if (texts === 'unknown') return 'unknown'
  return nameservers === 'unknown' ? 'no_txt' : 'absent'
}

/** Seconds to the next check by itself after so many: soon at first, when people look, then ever more seldom. */
export function nextCheckS(checks: number): number {
  return Math.min(6 * 3_600, 60 * 2 ** Math.max(0, Math.floor((checks - 5) / 2)))
}

/** What is known once every zone of the name is locked. */
export interface Standing {
  readonly state: 'pending' | 'live'
  /** Another account's live zone of this name. */
  readonly rival: boolean
  /** Another account's live zone above it. */
  readonly underForeign: boolean
  /** A contest about the name is on. */
  readonly contested: boolean
}

/** What follows from a check. */
export type ProofPlan =
  /** Nothing, but it is remembered. */
  | { readonly kind: 'note'; readonly outcome: 'absent' | 'unknown' | 'refused' }
  | { readonly kind: 'live' }
  /** A live zone stands against a fresh TXT proof: its owner is told, and has time. */
  | { readonly kind: 'contest' }
  /** The owner of a contested zone has proved control: it stays. */
  | { readonly kind: 'hold' }

export function planProof(standing: Standing, proof: Proof): ProofPlan {
  if (proof === 'unknown') return { kind: 'note', outcome: 'unknown' }
  // Who has put up a TXT record wants to hear that it is not there, whatever the parent's servers do.
  if (proof === 'absent' || proof === 'no_txt') return { kind: 'note', outcome: 'absent' }
  if (standing.state === 'live') return { kind: 'hold' }
  if (standing.underForeign) return { kind: 'note', outcome: 'refused' }
  if (!standing.rival) return { kind: 'live' }
  if (proof === 'ns' || standing.contested) return { kind: 'note', outcome: 'refused' }
  return { kind: 'contest' }
}

/**
 * How a contest ends, by what both sides prove at its end: the present owner's proof is worth more, the challenger's TXT record
 * alone counts, and silence is worth nothing. The owner may have either proof: that it has none is known only where both were seen.
 */
export function planContestEnd(owner: Proof, challenger: Proof, graceIsOver: boolean): 'hold' | 'move' | 'wait' {
  if (owner === 'txt' || owner === 'ns') return 'hold'
  if (challenger === 'txt' && owner === 'absent') return 'move'
  const mayStillMove = challenger === 'txt' || challenger === 'unknown'
  return mayStillMove && !graceIsOver ? 'wait' : 'hold'
}
