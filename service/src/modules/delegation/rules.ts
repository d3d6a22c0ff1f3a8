import type { DelegationState } from '@zonewright/contract'
import type { ParentAnswer } from '#ports/parent-dns.ts'

/** What was known about a zone's delegation before a check. */
export interface KnownDelegation {
  readonly state: DelegationState
  /** How long it has been in this state, in seconds. */
  readonly stateAgeS: number
  /** Another state that the last answer indicated. */
  readonly candidate: DelegationState | null
  /** How long ago the candidate was first seen, in seconds. */
  readonly candidateAgeS: number | null
  /** Only live zones change their state. */
  readonly isLive: boolean
}

/** The result of a check. */
export interface Judgement {
  /** The state to enter now; null: it stays. */
  readonly move: DelegationState | null
  /** A state that a second check must confirm. */
  readonly candidate: DelegationState | null
  /** The domain started or stopped pointing here, or points here only partly: customers are notified. */
  readonly isEvent: boolean
  /** Only one of several servers says that the zone is live, which never counts, however often it does. */
  readonly isDoubted: boolean
  /** Seconds until the next check. */
  readonly nextCheckS: number
}

/** A second check must be this much later to confirm the first (design: zones, "Health"). */
export const confirmAfterS = 60

const firstDayS = 86_400
const every = { newlyWaitingS: 300, usuallyS: 3_600, liveS: 6 * 3_600, unansweredS: 900 }

/**
 * Decides what a check's answer means. A change needs two matching checks a minute apart, except from `waiting` to `live`. A state
 * becomes `live` only if two of the parent's servers agree.
 *
 * A missing answer changes nothing, and does not invalidate an earlier one.
 */
export function judge(known: KnownDelegation, answer: ParentAnswer, expected: readonly string[]): Judgement {
  const stay = { move: null, isEvent: false, isDoubted: false }
  if (answer.kind === 'no_answer') {
    const nextCheckS = Math.min(every.unansweredS, intervalS(known.state, known.stateAgeS))
    return { ...stay, candidate: known.candidate, nextCheckS }
  }
  const seen = stateOf(known.state, answer, expected)
  if (seen === known.state || !known.isLive)
    return { ...stay, candidate: null, nextCheckS: intervalS(known.state, known.stateAgeS) }
  if (seen === 'live' && !answer.isConfirmed)
    return {
      ...stay,
      candidate: known.candidate === seen ? null : known.candidate,
      isDoubted: true,
      nextCheckS: Math.min(every.unansweredS, intervalS(known.state, known.stateAgeS)),
    }
  if (!isCertain(known, seen)) {
    const waitedS = known.candidate === seen ? (known.candidateAgeS ?? 0) : 0
    return { ...stay, candidate: seen, nextCheckS: confirmAfterS - Math.min(waitedS, confirmAfterS) }
  }
  return { ...stay, move: seen, candidate: null, isEvent: isTold(known.state, seen), nextCheckS: intervalS(seen, 0) }
}

/**
 * The state that an answer indicates. A zone that was never delegated here stays `waiting`, whatever the answer has.
 */
function stateOf(
  state: DelegationState,
  answer: Exclude<ParentAnswer, { kind: 'no_answer' }>,
  expected: readonly string[],
): DelegationState {
  const nameservers = answer.kind === 'missing' ? [] : answer.nameservers
  const ours = nameservers.filter((name) => expected.includes(name)).length
  if (ours > 0) return ours === expected.length && ours === nameservers.length ? 'live' : 'partial'
  if (state === 'waiting') return 'waiting'
  return answer.kind === 'missing' ? 'missing' : 'lost'
}

function isCertain(known: KnownDelegation, seen: DelegationState): boolean {
  if (known.state === 'waiting' && seen === 'live') return true
  return known.candidate === seen && (known.candidateAgeS ?? 0) >= confirmAfterS
}

/** Changes among these states neither start nor stop anything pointing here. */
const elsewhere: ReadonlySet<DelegationState> = new Set(['waiting', 'lost', 'missing'])

function isTold(from: DelegationState, to: DelegationState): boolean {
  return !(elsewhere.has(from) && elsewhere.has(to))
}

function intervalS(state: DelegationState, ageS: number): number {
  if (state === 'live') return every.liveS
  return state === 'waiting' && ageS < firstDayS ? every.newlyWaitingS : every.usuallyS
}
