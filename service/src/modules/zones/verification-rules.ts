import type { Looked } from '#ports/resolver.ts'
import { verificationDomainOf } from './service-names.ts'

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
  return {
    txtName: `_zonewright-challenge.${zone}`,
    txtValue: `zonewright-verification=${token}`,
    nameserver: `${token}.${verificationDomainOf(nameserver)}`,
  }
}

/**
 * What the DNS showed. `txt`: the TXT record, in a DNS that is not ours. `txt_here`: the TXT record, and the name is delegated to
 * us. `txt_somewhere`: the TXT record, and nobody could tell to whom the name is delegated. `absent`: neither of the two. `no_txt`:
 * no TXT record, and nobody could tell to whom the name is delegated. `unknown`: nobody could tell of the TXT record, and the
 * nameserver is not seen.
 */
export type Proof = 'txt' | 'txt_here' | 'txt_somewhere' | 'ns' | 'absent' | 'no_txt' | 'unknown'

const shown: ReadonlySet<Proof> = new Set(['txt', 'txt_here', 'txt_somewhere', 'ns'])

/** Is it one of the two, wherever it was seen? */
export function isShown(proof: Proof): boolean {
  return shown.has(proof)
}

/** Delegation to the shared nameservers, which are `ours`, is no proof: it does not tell which account asked. */
export function proofIn(challenge: Challenge, texts: Looked, nameservers: Looked, ours: readonly string[]): Proof {
  if (texts !== 'unknown' && texts.includes(challenge.txtValue)) {
    if (nameservers === 'unknown') return 'txt_somewhere'
    return nameservers.some((name) => ours.includes(name)) ? 'txt_here' : 'txt'
  }
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
  /** No proof can give this name to an account: another account's live zone is above it, or it belongs to the service. */
  readonly barred: boolean
  /** A contest about the name is on. */
  readonly contested: boolean
}

/** What follows from a check. */
export type ProofPlan =
  /** Nothing, but it is remembered. */
  | { readonly kind: 'note'; readonly outcome: 'absent' | 'unknown' | 'refused' }
  | { readonly kind: 'live' }
  /** A live zone stands against a fresh TXT proof in another DNS: its owner is told, and has time. */
  | { readonly kind: 'contest' }
  /** The owner of a contested zone has proved control: it stays. */
  | { readonly kind: 'hold' }

/**
 * Decides what a proof leads to.
 *
 * Against a live zone no TXT record counts that our own nameservers show: it stands in that very zone, where managers and keys may
 * write records, but not say whose the zone is.
 */
export function planProof(standing: Standing, proof: Proof): ProofPlan {
  if (proof === 'unknown') return { kind: 'note', outcome: 'unknown' }
  // Who has put up a TXT record wants to hear that it is not there, whatever the parent's servers do.
  if (proof === 'absent' || proof === 'no_txt') return { kind: 'note', outcome: 'absent' }
  if (standing.state === 'live') return { kind: 'hold' }
  if (standing.barred) return { kind: 'note', outcome: 'refused' }
  if (!standing.rival) return { kind: 'live' }
  if (standing.contested) return { kind: 'note', outcome: 'refused' }
  if (proof === 'txt') return { kind: 'contest' }
  return { kind: 'note', outcome: proof === 'txt_somewhere' ? 'unknown' : 'refused' }
}

/**
 * How a contest ends, by what both sides prove at its end: the present owner's proof is worth more, of the challenger a TXT record
 * in another DNS alone counts, and silence is worth nothing. The owner may have either proof: that it has none is known only where
 * both were seen.
 */
export function planContestEnd(owner: Proof, challenger: Proof, graceIsOver: boolean): 'hold' | 'move' | 'wait' {
  if (isShown(owner)) return 'hold'
  if (challenger === 'txt' && owner === 'absent') return 'move'
  const mayStillMove = challenger === 'txt' || challenger === 'txt_somewhere' || challenger === 'unknown'
  return mayStillMove && !graceIsOver ? 'wait' : 'hold'
}
