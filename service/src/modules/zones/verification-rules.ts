import type { Looked } from '#ports/resolver.ts'
import { verificationDomainOf } from './service-names.ts'

/** How long a pending zone is checked automatically (design: zones, "Life"). */
export const verificationDays = 14

/** How long the owner of a live zone has to prove control after someone else has proved it (design: zones, "Life"). */
export const contestHours = 72

/** How long the end of a contest is retried while it is unclear who controls the name. After that, the zone stays. */
export const contestGraceHours = 48

/** Proofs of control of a name: either one, published by the party that currently controls the domain. */
export interface Challenge {
  readonly txtName: string
  readonly txtValue: string
  /** A host name to add to the domain's nameservers at the registrar until the check has succeeded. */
  readonly nameserver: string
}

/** The challenge of one zone of one account. `nameserver` is any of ours; its domain contains the one-time name. */
export function challengeOf(zone: string, token: string, nameserver: string): Challenge {
  return {
    txtName: `_zonewright-challenge.${zone}`,
    txtValue: `zonewright-verification=${token}`,
    nameserver: `${token}.${verificationDomainOf(nameserver)}`,
  }
}

/**
 * The result of a DNS check. `txt`: the TXT record, in DNS that we do not host. `txt_here`: the TXT record, but the name is delegated to
 * us. `txt_somewhere`: the TXT record, but it is unknown to whom the name is delegated. `absent`: neither proof. `no_txt`:
 * no TXT record, and it is unknown to whom the name is delegated. `unknown`: it is unknown whether the TXT record exists, and the
 * nameserver was not found.
 */
export type Proof = 'txt' | 'txt_here' | 'txt_somewhere' | 'ns' | 'absent' | 'no_txt' | 'unknown'

const shown: ReadonlySet<Proof> = new Set(['txt', 'txt_here', 'txt_somewhere', 'ns'])

/** Whether it is one of the two proofs, wherever it was found. */
export function isShown(proof: Proof): boolean {
  return shown.has(proof)
}

/** Delegation to the shared nameservers, `ours`, is no proof: it does not show which account requested it. */
export function proofIn(challenge: Challenge, texts: Looked, nameservers: Looked, ours: readonly string[]): Proof {
  if (texts !== 'unknown' && texts.includes(challenge.txtValue)) {
    if (nameservers === 'unknown') return 'txt_somewhere'
    return nameservers.some((name) => ours.includes(name)) ? 'txt_here' : 'txt'
  }
  if (nameservers !== 'unknown' && nameservers.includes(challenge.nameserver)) return 'ns'
  if (texts === 'unknown') return 'unknown'
  return nameservers === 'unknown' ? 'no_txt' : 'absent'
}

/** Seconds until the next automatic check after this number of checks: soon at first, while people wait, then less and less often. */
export function nextCheckS(checks: number): number {
  return Math.min(6 * 3_600, 60 * 2 ** Math.max(0, Math.floor((checks - 5) / 2)))
}

/** What is known once every zone of the name is locked. */
export interface Standing {
  readonly state: 'pending' | 'live'
  /** Another account's live zone of this name. */
  readonly rival: boolean
  /** No proof can give this name to an account: another account's live zone is above it, or the name belongs to the service. */
  readonly barred: boolean
  /** Whether a contest about the name is open. */
  readonly contested: boolean
}

/** The consequence of a check. */
export type ProofPlan =
  /** No change, but the result is recorded. */
  | { readonly kind: 'note'; readonly outcome: 'absent' | 'unknown' | 'refused' }
  | { readonly kind: 'live' }
  /** A contest opens: there is a live zone, and a new TXT proof in other DNS. The owner is notified and has time to respond. */
  | { readonly kind: 'contest' }
  /** The owner of a contested zone has proved control: the zone stays. */
  | { readonly kind: 'hold' }

/**
 * Decides the consequence of a proof.
 *
 * Against a live zone, a TXT record from our own nameservers does not count: it is in that very zone, where managers and keys may
 * write records, but that does not show who controls the name.
 */
export function planProof(standing: Standing, proof: Proof): ProofPlan {
  if (proof === 'unknown') return { kind: 'note', outcome: 'unknown' }
  // A customer who has added a TXT record wants to know that it was not found, whatever the parent's servers answer.
  if (proof === 'absent' || proof === 'no_txt') return { kind: 'note', outcome: 'absent' }
  if (standing.state === 'live') return { kind: 'hold' }
  if (standing.barred) return { kind: 'note', outcome: 'refused' }
  if (!standing.rival) return { kind: 'live' }
  if (standing.contested) return { kind: 'note', outcome: 'refused' }
  if (proof === 'txt') return { kind: 'contest' }
  return { kind: 'note', outcome: proof === 'txt_somewhere' ? 'unknown' : 'refused' }
}

/**
 * How a contest ends, decided by the proofs on both sides at its end. The current owner's proof takes precedence. From the challenger only
 * a TXT record in other DNS counts. A missing answer counts for neither side. The owner may use either proof, so it is known to have none only if
 * both were checked.
 */
export function planContestEnd(owner: Proof, challenger: Proof, graceIsOver: boolean): 'hold' | 'move' | 'wait' {
  if (isShown(owner)) return 'hold'
  if (challenger === 'txt' && owner === 'absent') return 'move'
  const mayStillMove = challenger === 'txt' || challenger === 'txt_somewhere' || challenger === 'unknown'
  return mayStillMove && !graceIsOver ? 'wait' : 'hold'
}
