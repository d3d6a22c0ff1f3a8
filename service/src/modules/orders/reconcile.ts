import type { OrderKind } from '@zonewright/contract'
import { type DomainInfo, type Outcome, type Reading, sameId, type Transfer, workLeaseS } from '#ports/registry.ts'
import { isOfAnother, isUnknownThere, notThere } from './registry-readings.ts'

export type Command = 'contact' | 'create' | 'renew' | 'transfer'

/** A command that was written down before it was sent (`registry_operations`). */
export interface Operation {
  readonly id: number
  readonly command: Command
  readonly attempt: number
  /** `sending` is as good as `unknown` once the lease of whoever sent it is over: that worker is gone. */
  readonly state: 'sending' | 'unknown' | 'pending' | 'done' | 'refused' | 'not_done'
  readonly clTrid: string
  /** By our own clock. */
  readonly sentAt: Date
  /** Seconds since then. */
  readonly sentForS: number
  /** The code of the registry's last answer to it. */
  readonly replyCode: number | null
  /** And its text; empty: there was no answer. */
  readonly reply: string
  /** Seconds since a look first found that nothing had happened; null: no look has. */
  readonly missedForS: number | null
}

/** What is done next for an order that is paid. */
export type Step =
  | { readonly do: 'send'; readonly command: Command; readonly attempt: number }
  | { readonly do: 'look'; readonly operation: Operation }
  /** Nothing: it is another worker's, who has a command on its way just now. */
  | { readonly do: 'leave' }

const mainCommand = { register: 'create', renew: 'renew', transfer: 'transfer' } as const

/** The next step: what nobody knows the end of is looked for; what was not done is sent, as a new attempt. */
export function nextStep(kind: OrderKind, operations: readonly Operation[]): Step {
  const open = operations.find(({ state }) => state === 'sending' || state === 'unknown' || state === 'pending')
  if (open?.state === 'sending' && open.sentForS < workLeaseS) return { do: 'leave' }
  if (open !== undefined) return { do: 'look', operation: open }
  const command: Command =
    kind === 'register' && !operations.some((each) => each.command === 'contact' && each.state === 'done')
      ? 'contact'
      : mainCommand[kind]
  return { do: 'send', command, attempt: operations.filter((each) => each.command === command).length + 1 }
}

/** How it stands with an operation after its answer, or after a look. */
export type Verdict =
  /** It is so. `expiresAt` and the transfer's `actBy` where the registry told them. */
  | { readonly end: 'did'; readonly expiresAt?: Date | null; readonly actBy?: Date | null }
  /** The registry will not, in its own words. */
  | { readonly end: 'refused'; readonly message: string }
  /** The registry decides later and tells. `missed`: has this look found nothing of it? Left out: it did not tell. */
  | { readonly end: 'pending'; readonly afterS: number; readonly missed?: boolean }
  /** Nobody knows: look, so many seconds from now. `missed`: this look found nothing. */
  | { readonly end: 'unknown'; readonly afterS: number; readonly missed?: true }
  /** It has not happened: send it again. `alert`: a person of ours must act. */
  | { readonly end: 'again'; readonly afterS: number; readonly alert?: string }

/**
 * Seconds. What was sent counts as not done, and a transfer as lost, only after two looks `apart` (design: orders); what a registry had
 * taken on counts as decided against after two looks `pending` apart.
 */
export const waits = { firstLook: 1, apart: 60, looking: 30, pending: 600, notSent: 5, fault: 300 }

/**
 * A parameter is missing: what a registry answers to an order of a name that has come to have a price of its own since the quote, or
 * that it did not tell of (RFC 8748 §5.2). Sending it again changes nothing.
 */
const feeMissing = 2003

/**
 * Refusals that may be the echo of an earlier attempt that had got through after all: perhaps one that was forgotten, when the database
 * was restored to a moment before it.
 */
const echoes: Readonly<Record<Command, readonly number[]>> = {
  contact: [2302],
  create: [2302],
  renew: [2105, 2304, 2306, 2308],
  transfer: [2106, 2300, 2304],
}

/** What is known of a command beside its answer. */
export interface Sent {
  /** Nobody ever knew for certain what came of an earlier attempt. */
  readonly afterUnknown: boolean
  /** It stated what it costs. */
  readonly hasFee: boolean
  /** Attempts just before it that came to nothing. */
  readonly inVain: number
}

/** How many of an order's last operations were of this command and came to nothing. */
export function attemptsInVain(command: Command, operations: readonly Operation[]): number {
  const others = operations.findLastIndex((each) => each.command !== command || each.state !== 'not_done')
  return operations.length - 1 - others
}

/**
 * What an answer means.
 *
 * What may be an echo is looked at, of a first attempt, too. Not of a first transfer: nothing at the registry tells for whom of ours it
 * was asked, and another account's order would have it.
 */
export function judgeAnswer(
  command: Command,
  { afterUnknown, hasFee, inVain }: Sent,
  outcome: Outcome<unknown>,
): Verdict {
  switch (outcome.kind) {
    case 'done':
      return { end: 'did', ...told(outcome.value) }
    case 'pending':
      // 1001 to a transfer means that it has begun, which is all that its order promises.
      return command === 'transfer' ? { end: 'did', ...told(outcome.value) } : { end: 'pending', afterS: waits.pending }
    case 'refused': {
      const { code, message } = outcome.reply
      // The contact's id was drawn at random: whoever has it is an attempt of ours.
      if (command === 'contact' && code === 2302) return { end: 'did' }
      if (echoes[command].includes(code) && (command !== 'transfer' || afterUnknown))
        return { end: 'unknown', afterS: 0 }
      return { end: 'refused', message: refusalText(command, code, message) }
    }
    case 'fault':
      if (command !== 'contact' && !hasFee && outcome.reply.code === feeMissing)
        return { end: 'refused', message: refusalText(command, feeMissing, outcome.reply.message) }
      return { end: 'again', afterS: waits.fault, alert: `${outcome.fault}: ${outcome.reply.message}` }
    case 'not_sent':
      // Each attempt is written down: of a registry that is away for days there are not to be thousands.
      return { end: 'again', afterS: Math.min(waits.notSent * 2 ** inVain, waits.fault) }
    case 'unknown':
      return { end: 'unknown', afterS: waits.firstLook }
  }
}

/** What a look at the registry says. */
export interface Sight {
  readonly info: Reading<DomainInfo> | undefined
  readonly transfer: Reading<Transfer> | undefined
  readonly contact: Reading<unknown> | undefined
  /** When the order's command was first sent, by our own clock. */
  readonly firstSentAt: Date
  /** Who we are at the registry. */
  readonly registrarId: string
  /** Nobody ever knew for certain what came of an earlier attempt. */
  readonly afterUnknown: boolean
  /** The domain is a customer's by another order; of a renewal, another customer's. */
  readonly isHeld: boolean
  /** The contact that the order registers with: its id was drawn for it alone. */
  readonly registrantId: string | null
  /** The expiry that a renewal started from, and for how many years. */
  readonly oldExpiry: Date | null
  readonly years: number
}

/** What a look means for an operation whose end nobody knows, or which is pending. */
export function judgeSight(operation: Operation, sight: Sight): Verdict {
  const isPending = operation.state === 'pending'
  const later: Verdict = isPending
    ? { end: 'pending', afterS: waits.pending }
    : { end: 'unknown', afterS: waits.looking }
  if (operation.command === 'contact') {
    if (sight.contact?.kind === 'done') return { end: 'did' }
    if (!notThere(sight.contact)) return later
    // A second one under the same id is impossible, so one look is enough. A registry in trouble is not asked without a pause.
    return isPending ? missed(operation) : { end: 'again', afterS: waits.looking }
  }
  const nothing = unlessRefused(missed(operation), operation)
  if (operation.command === 'transfer') return judgeTransferSight(sight, { later, nothing })
  return operation.command === 'create'
    ? judgeCreateSight(operation, sight, { later, nothing })
    : judgeRenewSight(operation, sight, { later, nothing })
}

/** What the registry said to a first attempt that may have met the echo of a forgotten one; undefined: it was no such refusal. */
function refusalOfFirst(operation: Operation, { afterUnknown }: Pick<Sight, 'afterUnknown'>): string | undefined {
  return operation.state === 'pending' || afterUnknown ? undefined : refusalOf(operation)
}

/** What would be sent again is not where the registry has refused it: two looks have shown that the refusal was no echo. */
function unlessRefused(nothing: Verdict, operation: Operation): Verdict {
  const message = nothing.end === 'again' ? refusalOf(operation) : undefined
  return message === undefined ? nothing : { end: 'refused', message }
}

/** What the registry said, where that was a refusal that may be an echo. */
function refusalOf({ command, replyCode, reply }: Operation): string | undefined {
  return replyCode !== null && echoes[command].includes(replyCode) ? refusalText(command, replyCode, reply) : undefined
}

/** What a look says while nothing is certain: when to look again, and what follows from there being nothing of it. */
interface Uncertain {
  readonly later: Verdict
  readonly nothing: Verdict
}

function judgeCreateSight(operation: Operation, sight: Sight, { later, nothing }: Uncertain): Verdict {
  const { info } = sight
  // In the registry's words, unless the registration turns out to be this order's own.
  const refusal = refusalOfFirst(operation, sight)
  const isFirst = refusal !== undefined
  const message = refusal ?? 'Someone else registered the name first.'
  if (info?.kind === 'done') {
    if (!isOurs(sight, info.value, isFirst)) return { end: 'refused', message }
    const { expiresAt, statuses } = info.value
    // What waits for the registry's decision is shown as if it were there already (RFC 5731 §2.3).
    return statuses.includes('pendingCreate') ? seenPending : { end: 'did', expiresAt }
  }
  if (isOfAnother(info)) return { end: 'refused', message }
  if (!notThere(info)) return later
  // A name that registries keep back is "taken", and nowhere to be seen.
  return isFirst ? { end: 'refused', message } : nothing
}

const vanished = 'The domain no longer exists.'
const moved = 'The domain is now with another registrar.'

/** One such answer, of a registry whose lists are behind say, does not take back what may be done. */
function inTwoLooks(nothing: Verdict, message: string): Verdict {
  return nothing.end === 'again' || nothing.end === 'refused' ? { end: 'refused', message } : nothing
}

function judgeRenewSight(operation: Operation, sight: Sight, { later, nothing }: Uncertain): Verdict {
  const { info, registrarId } = sight
  if (sight.isHeld) return { end: 'refused', message: anotherAccounts }
  if (notThere(info)) return inTwoLooks(nothing, vanished)
  if (isOfAnother(info)) return inTwoLooks(nothing, moved)
  if (info?.kind === 'done' && !sameId(info.value.sponsor, registrarId)) return { end: 'refused', message: moved }
  if (info?.kind !== 'done') return later
  const { expiresAt, statuses } = info.value
  if (isRenewed(sight, expiresAt)) return { end: 'did', expiresAt }
  // Some registry may call a renewal that it has taken on an update.
  const awaited = operation.state === 'pending' ? 'pending' : 'pendingRenew'
  if (statuses.some((status) => status.startsWith(awaited))) return seenPending
  const refusal = refusalOfFirst(operation, sight)
  return refusal === undefined ? nothing : { end: 'refused', message: refusal }
}

/** Why a domain that is another customer's by now is not renewed for whoever had it before. */
export const anotherAccounts = 'The domain is now in another account.'

/** Why an order does not get a domain that is another order's. */
export const anothers = 'Another order has already registered the domain here, or is transferring it.'

/** A transfer to us that the registry tells of may be another order's, or one from before this order asked. */
function judgeTransferSight(sight: Sight, { later, nothing }: Uncertain): Verdict {
  const { info, transfer, registrarId } = sight
  if (sight.isHeld) return { end: 'refused', message: anothers }
  if (transfer?.kind === 'done' && sameId(transfer.value.requestedBy, registrarId) && !isFormer(transfer.value, sight))
    return hasEndedAgainst(transfer.value)
      ? { end: 'refused', message: 'The transfer was rejected.' }
      : { end: 'did', expiresAt: transfer.value.expiresAt, actBy: transfer.value.actBy }
  if (notThere(info)) return inTwoLooks(nothing, vanished)
  if (!isNoneOfOurs(transfer)) return later
  if (isOfAnother(info)) return nothing
  if (info?.kind !== 'done') return later
  return sameId(info.value.sponsor, registrarId) ? { end: 'did', ...told(info.value) } : nothing
}

/** So far may a registry's clock be from ours. Milliseconds. */
const clockDifferenceMs = 600_000

/** The registry still tells of a transfer that had come to nothing before this order asked for one. */
function isFormer(transfer: Transfer, { firstSentAt }: Sight): boolean {
  return hasEndedAgainst(transfer) && transfer.requestedAt.getTime() < firstSentAt.getTime() - clockDifferenceMs
}

function hasEndedAgainst({ status }: Transfer): boolean {
  return /Rejected|Cancelled/.test(status)
}

/**
 * Two accounts may order one name at once: the registrant tells whose registration it became. Where registries tell none, it is
 * another order's if this one's first attempt was refused (`isFirst`).
 */
function isOurs(
  { registrarId, registrantId, isHeld }: Sight,
  { sponsor, registrant }: DomainInfo,
  isFirst: boolean,
): boolean {
  return sameId(sponsor, registrarId) && !isHeld && (registrant === null ? !isFirst : sameId(registrant, registrantId))
}

/** The expiry has moved by all the years of the order: by one it moves at registries that renew by themselves, too. */
function isRenewed({ oldExpiry, years }: Sight, expiresAt: Date | null): boolean {
  if (expiresAt === null || oldExpiry === null) return false
  const almost = new Date(oldExpiry)
  almost.setUTCMonth(almost.getUTCMonth() + 12 * years - 6)
  return expiresAt > almost
}

/**
 * The first look that finds nothing is not enough: the command may still be on its way, and the message that the registry decided
 * against what it had taken on may be lost.
 */
function missed({ state, missedForS }: Operation): Verdict {
  const isPending = state === 'pending'
  const afterS = (isPending ? waits.pending : waits.apart) - (missedForS ?? 0)
  if (afterS > 0) return { end: isPending ? 'pending' : 'unknown', afterS, missed: true }
  return isPending ? { end: 'refused', message: 'The registry rejected the request.' } : { end: 'again', afterS: 0 }
}

/** The registry shows that it has not decided yet. */
const seenPending: Verdict = { end: 'pending', afterS: waits.pending, missed: false }

/** There is no transfer that we have asked for. */
function isNoneOfOurs(transfer: Reading<Transfer> | undefined): boolean {
  return transfer?.kind === 'done' || isUnknownThere(transfer)
}

function told(value: unknown): { expiresAt?: Date | null; actBy?: Date | null } {
  const { expiresAt, actBy } = (value ?? {}) as { expiresAt?: Date | null; actBy?: Date | null }
  return { ...(expiresAt !== undefined && { expiresAt }), ...(actBy !== undefined && { actBy }) }
}

/** In words that the customer can act on, with the registry's own text. */
function refusalText(command: Command, code: number, message: string): string {
  const own = `The registry says: ${message} (${code}).`
  if (command === 'contact') return `The registry refused the contact. ${own}`
  if (code === feeMissing) return `The registry charges a special price for the name. ${own}`
  if (code === 2302) return `Someone else registered the name first. ${own}`
  if (code === 2202) return `The transfer code is wrong. ${own}`
  if (code === 2304) return `The domain is locked at its current registrar. ${own}`
  return `The registry refused the request. ${own}`
}
