import type { OrderKind } from '@zonewright/contract'
import { domainContacts, registryContact } from '#modules/contacts/index.ts'
import {
  backOffS,
  type Given,
  isEchoCode,
  isMissing,
  isNoTransferOfOurs,
  isOfAnother,
  isOpen,
  meaningOf,
  type OrderCommand,
  type RecordedCommand,
  untilConfirmedS,
  waits,
} from '#modules/registry-commands/index.ts'
import { type DomainInfo, type Outcome, type Reading, sameId, type Transfer, workLeaseS } from '#ports/registry.ts'
import type { Order } from './order.ts'

export type Command = OrderCommand['command']
export type Operation = RecordedCommand<OrderCommand>

const mainCommand = { register: 'create', renew: 'renew', transfer: 'transfer' } as const

/**
 * The next step of a paid order: a command whose result is unknown is looked up (`looked`); otherwise `command` is sent, or resent if it was
 * not carried out. `earlier`: the earlier attempts. Undefined: another worker is currently sending a command.
 */
export function nextStep(kind: OrderKind, operations: readonly Operation[]) {
  const looked = operations.find(isOpen)
  if (looked?.state === 'sending' && looked.sentForS < workLeaseS) return undefined
  const hasContact = operations.some(({ command, state }) => command === 'contact' && state === 'done')
  const command = looked?.command ?? (kind === 'register' && !hasContact ? 'contact' : mainCommand[kind])
  const before = operations.slice(0, looked && operations.indexOf(looked))
  return { command, looked, earlier: before.filter((each) => each.command === command) }
}

/** The command that is sent for an order, the same in every attempt. `authInfo`: the order's transfer code, decrypted. */
export function commandFor(order: Order, command: Command, authInfo: string): OrderCommand {
  const { name, years, nameservers } = order
  const fee = order.fee === null ? {} : { fee: order.fee }
  const known = <T>(value: T | null): T => {
    if (value === null) throw new Error(`order ${order.id} lacks what its ${command} needs`)
    return value
  }
  switch (command) {
    case 'contact':
      return { command, contact: registryContact(known(order.registrantId), known(order.contact)), authInfo }
    case 'create': {
      const registrant = known(order.registrantId)
      const contacts = domainContacts(registrant)
      return { command, registration: { name, years, registrant, contacts, nameservers, authInfo, ...fee } }
    }
    case 'renew':
      return { command, renewal: { name, years, expiresAt: known(order.oldExpiry), ...fee } }
    case 'transfer':
      return { command, request: { name, authInfo, ...fee } }
  }
}

/** What an answer or a lookup means for a command. */
export type Verdict =
  /** It was carried out. `expiresAt` and the transfer's `actBy` are set if the registry reported them. */
  | { readonly state: 'done'; readonly expiresAt?: Date | null; readonly actBy?: Date | null }
  /** The registry refused it. */
  | { readonly state: 'refused'; readonly message: string }
  /** Undecided or unknown: look it up in this many seconds. `missed`: whether this lookup found no trace of it; absent if the lookup failed. */
  | { readonly state: 'pending' | 'unknown'; readonly afterS: number; readonly missed?: boolean }
  /** It was not carried out: resend it. `isFault`: it can succeed only after an operator has acted. */
  | { readonly state: 'not_done'; readonly afterS: number; readonly isFault?: true }

/** Seconds until a command without an answer is looked up, and until it is looked up again. */
const lookups = { first: 1, next: 30 }

/**
 * A parameter is missing: a registry's answer to an order without a fee for a name that has become premium (RFC 8748 §5.2). Resending it
 * changes nothing.
 */
const feeMissing = 2003

/** The meaning of an answer. `earlier`: the attempts before this one. */
export function judgeAnswer(
  command: Command,
  { hasFee, earlier }: { readonly hasFee: boolean; readonly earlier: readonly Operation[] },
  outcome: Outcome<Given>,
): Verdict {
  const answer = meaningOf(command, outcome, earlier)
  switch (answer.kind) {
    case 'done':
      return { ...answer.value, state: 'done' }
    case 'pending':
      // For a transfer, 1001 means that it has started, which is all that its order promises.
      return command === 'transfer' ? { ...answer.value, state: 'done' } : { state: 'pending', afterS: waits.pending }
    case 'echo':
      return { state: 'unknown', afterS: 0 }
    case 'refused':
      return { state: 'refused', message: refusalText(command, answer.reply) }
    case 'fault':
      return command !== 'contact' && !hasFee && answer.reply.code === feeMissing
        ? { state: 'refused', message: refusalText(command, answer.reply) }
        : { state: 'not_done', afterS: waits.fault, isFault: true }
    case 'not_sent':
      return { state: 'not_done', afterS: backOffS('order', earlier) }
    case 'unknown':
      return { state: 'unknown', afterS: lookups.first }
  }
}

/** What a lookup at the registry found, and the order's data that decide what it means. */
export interface Sight extends Pick<Order, 'registrantId' | 'oldExpiry' | 'years'> {
  readonly info: Reading<DomainInfo> | undefined
  readonly transfer: Reading<Transfer> | undefined
  readonly contact: Reading<unknown> | undefined
  /** The attempts before this one. */
  readonly earlier: readonly Operation[]
  /** Our id at the registry. */
  readonly registrarId: string
  /** Another order has the domain; for a renewal: another account has it. */
  readonly isHeld: boolean
}

/** What a lookup means for a command whose result is unknown or pending. */
export function judgeSight(operation: Operation, sight: Sight): Verdict {
  return judges[operation.command](operation, sight)
}

const judges = { contact: judgeContact, create: judgeCreation, renew: judgeRenewal, transfer: judgeTransfer }

/** A lookup that proves nothing. */
function unclear({ state }: Operation): Verdict {
  return state === 'pending' ? { state, afterS: waits.pending } : { state: 'unknown', afterS: lookups.next }
}

/**
 * A lookup found no trace of a command. The command may still be in transit or carried out, and the message about a rejection may be lost.
 * `refusal`: what a second lookup without a trace proves; undefined: that the command was not carried out.
 */
function missed(operation: Operation, refusal = refusalOf(operation)): Verdict {
  const state = operation.state === 'pending' ? 'pending' : 'unknown'
  const afterS = untilConfirmedS(state === 'pending' ? 'pending' : 'order', operation.missedForS)
  if (afterS > 0) return { state, afterS, missed: true }
  return refusal === undefined ? { state: 'not_done', afterS: 0 } : { state: 'refused', message: refusal }
}

/** Why a command was refused: the registry rejected it after it had accepted it, or its refusal turned out to be no echo. */
function refusalOf({ command, state, replyCode, reply }: Operation): string | undefined {
  if (state === 'pending') return reasons.rejected
  if (replyCode === null || !isEchoCode(command, replyCode)) return undefined
  return refusalText(command, { code: replyCode, message: reply })
}

/** The same for a first attempt, whose refusal may be the echo of an attempt that a restored database has forgotten. */
function refusalOfFirst(operation: Operation, { earlier }: Sight): string | undefined {
  const isAfterLookup = earlier.some(({ missedForS }) => missedForS !== null)
  return operation.state === 'pending' || isAfterLookup ? undefined : refusalOf(operation)
}

function judgeContact(operation: Operation, { contact }: Sight): Verdict {
  if (contact?.kind === 'done') return { state: 'done' }
  if (!isMissing(contact)) return unclear(operation)
  // One lookup is enough, because a second contact with this id is impossible. A registry in trouble still gets a pause.
  return operation.state === 'pending' ? missed(operation) : { state: 'not_done', afterS: lookups.next }
}

function judgeCreation(operation: Operation, sight: Sight): Verdict {
  const { info } = sight
  // In the registry's words, unless the registration turns out to be this order's own.
  const refusal = refusalOfFirst(operation, sight)
  const message = refusal ?? 'Someone else registered the name first.'
  if (info?.kind === 'done') {
    if (!isOwn(sight, info.value, refusal !== undefined)) return { state: 'refused', message }
    const { expiresAt, statuses } = info.value
    // A registration that the registry has not decided yet is shown as if it existed (RFC 5731 §2.3).
    return statuses.includes('pendingCreate') ? seenPending : { state: 'done', expiresAt }
  }
  if (isOfAnother(info)) return { state: 'refused', message }
  if (!isMissing(info)) return unclear(operation)
  // A name that the registry reserves is "taken", but not shown.
  return refusal === undefined ? missed(operation) : { state: 'refused', message }
}

/** Why an order is refused, in words for the customer. */
export const reasons = {
  vanished: 'The domain no longer exists.',
  moved: 'The domain is now with another registrar.',
  anotherAccounts: 'The domain is now in another account.',
  anothers: 'Another order has already registered the domain here, or is transferring it.',
  rejected: 'The registry rejected the request.',
  transferRejected: 'The current registrar or the registrant rejected the transfer.',
}

function judgeRenewal(operation: Operation, sight: Sight): Verdict {
  const { info, registrarId } = sight
  if (sight.isHeld) return { state: 'refused', message: reasons.anotherAccounts }
  if (isMissing(info)) return missed(operation, reasons.vanished)
  if (isOfAnother(info)) return missed(operation, reasons.moved)
  if (info?.kind !== 'done') return unclear(operation)
  if (!sameId(info.value.sponsor, registrarId)) return { state: 'refused', message: reasons.moved }
  const { expiresAt, statuses } = info.value
  if (isRenewed(sight, expiresAt)) return { state: 'done', expiresAt }
  // Some registries may show an accepted renewal as an update.
  const awaited = operation.state === 'pending' ? 'pending' : 'pendingRenew'
  if (statuses.some((status) => status.startsWith(awaited))) return seenPending
  const refusal = refusalOfFirst(operation, sight)
  return refusal === undefined ? missed(operation) : { state: 'refused', message: refusal }
}

/** A transfer to us that the registry shows may be another order's, or older than this order. */
function judgeTransfer(operation: Operation, sight: Sight): Verdict {
  const { info, transfer, registrarId } = sight
  const [first = operation] = sight.earlier
  if (sight.isHeld) return { state: 'refused', message: reasons.anothers }
  if (transfer?.kind === 'done' && sameId(transfer.value.requestedBy, registrarId) && !isFormer(transfer.value, first))
    return hasFailed(transfer.value)
      ? { state: 'refused', message: 'The transfer was rejected.' }
      : { state: 'done', expiresAt: transfer.value.expiresAt, actBy: transfer.value.actBy }
  if (isMissing(info)) return missed(operation, reasons.vanished)
  if (transfer?.kind !== 'done' && !isNoTransferOfOurs(transfer)) return unclear(operation)
  if (isOfAnother(info)) return missed(operation)
  if (info?.kind !== 'done') return unclear(operation)
  return sameId(info.value.sponsor, registrarId)
    ? { state: 'done', expiresAt: info.value.expiresAt }
    : missed(operation)
}

/** How much a registry's clock may differ from ours. Milliseconds. */
const clockDifferenceMs = 600_000

/** Whether the registry still shows a transfer that had failed before the first attempt of this order. */
function isFormer(transfer: Transfer, { sentAt }: Operation): boolean {
  return hasFailed(transfer) && transfer.requestedAt.getTime() < sentAt.getTime() - clockDifferenceMs
}

function hasFailed({ status }: Transfer): boolean {
  return /Rejected|Cancelled/.test(status)
}

/**
 * Whether a registration is this order's. Two accounts may order the same name concurrently: the registrant shows which one registered it. If the
 * registry shows no registrant, it is another order's if this one's first attempt was refused (`isFirstRefused`).
 */
function isOwn({ registrarId, registrantId, isHeld }: Sight, info: DomainInfo, isFirstRefused: boolean): boolean {
  const isOrders = info.registrant === null ? !isFirstRefused : sameId(info.registrant, registrantId)
  return sameId(info.sponsor, registrarId) && !isHeld && isOrders
}

/** Whether the expiry has moved by all years of the order. Registries that renew domains automatically move it by one. */
function isRenewed({ oldExpiry, years }: Sight, expiresAt: Date | null): boolean {
  const almost = new Date(oldExpiry ?? Number.NaN)
  almost.setUTCMonth(almost.getUTCMonth() + 12 * years - 6)
  return expiresAt !== null && expiresAt > almost
}

/** The registry shows that it has not decided yet. */
const seenPending: Verdict = { state: 'pending', afterS: waits.pending, missed: false }

/** In words that the customer can act on, with the registry's own text. */
function refusalText(command: Command, { code, message }: { code: number; message: string }): string {
  const own = `The registry says: ${message} (${code}).`
  if (command === 'contact') return `The registry refused the contact. ${own}`
  if (code === feeMissing) return `The registry charges a special price for the name. ${own}`
  if (code === 2302) return `Someone else registered the name first. ${own}`
  if (code === 2202) return `The transfer code is wrong. ${own}`
  if (code === 2304) return `The domain is locked at its current registrar. ${own}`
  return `The registry refused the request. ${own}`
}
