import { lockAccount } from '#modules/accounts/index.ts'
import {
  addArriving,
  addRegistered,
  arrive,
  type ChangeWork,
  domainNamed,
  dropArriving,
  type GiveZone,
  hurryDomain,
  noteRenewal,
} from '#modules/domains/index.ts'
import { orderCommands, sendCommand, settleCommand, waits } from '#modules/registry-commands/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import type { Registry, RegistryMessage, RegistryReply } from '#ports/registry.ts'
import { moveOrder } from './move-order.ts'
import { isTransferUnderWay, isUnderWay, type Order } from './order.ts'
import { commandFor, judgeAnswer, judgeSight, nextStep, type Operation, reasons, type Verdict } from './reconcile.ts'
import { expiryAfter, standingAfter } from './rules.ts'
import { claimOrders, lockOrder, updateOrder } from './store.ts'
import { judgeTransferUnderWay } from './transfer-standing.ts'

/** What an order's work needs from outside its module: what a domain change needs, and more. */
export interface OrderWork extends ChangeWork {
  readonly giveZone: GiveZone
  /** Receives messages of registries about domains. It rejects a message that must be delivered again. */
  readonly takeDomainNews?: (registry: Registry, message: RegistryMessage) => Promise<void>
}

/** The actor of the work on orders in audit entries. */
export const worker = actorNamed('system', 'orders')

/** An order whose next step is due. */
export interface Next {
  readonly order: Order
  /** The command that the step sends. It is recorded already. */
  readonly sent?: Operation | undefined
  /** Without `sent`: the command that the step looks up. */
  readonly looked?: Operation | undefined
  /** The earlier attempts. */
  readonly earlier?: readonly Operation[]
}

/** Claims orders whose next step is due, except those under these TLDs, each for `workLeaseS`. */
export async function takeOrders(
  tx: Tx,
  work: OrderWork,
  max: number,
  exceptTlds: readonly string[] = [],
): Promise<Next[]> {
  return takeSteps(tx, work, await claimOrders(tx, max, exceptTlds))
}

type Known = ReadonlyMap<string, readonly Operation[]>

/** Decides the next steps of orders, and records the commands that they send. The orders are locked. `known`: their commands, if known. */
export async function takeSteps(tx: Tx, work: OrderWork, orders: readonly Order[], known?: Known): Promise<Next[]> {
  const ready = orders.filter(({ status, name }) => status === 'processing' && work.registries.registryOf(name))
  const ids = ready.map(({ id }) => id)
  const operations = known ?? Map.groupBy(await orderCommands.read(tx, ids), ({ owner }) => owner)
  const steps = new Map(ready.map(({ id, kind }) => [id, nextStep(kind, operations.get(id) ?? [])]))
  const sent = [...steps].flatMap(([owner, step]) =>
    step && step.looked === undefined ? [{ owner, command: step.command, attempt: step.earlier.length + 1 }] : [],
  )
  const recorded = new Map((await orderCommands.record(tx, sent)).map((operation) => [operation.owner, operation]))
  return orders.map((order) => ({ order, ...steps.get(order.id), sent: recorded.get(order.id) }))
}

/** Takes an order's next steps while they are due. Each command is recorded before it is sent, and its result after, in short transactions. */
export async function advanceOrder(work: OrderWork, order: Next): Promise<void> {
  for (let next: Next | undefined = order; next !== undefined; ) next = await step(work, next)
}

/** Returns the next step if it is due immediately. */
async function step(work: OrderWork, next: Next): Promise<Next | undefined> {
  const { order, sent, looked } = next
  if (order.status === 'failed' || order.status === 'cancelled') return giveBack(work, order)
  const registry = work.registries.registryOf(order.name)
  if (registry === undefined) {
    work.log.error({ order: order.id, domain: order.name }, 'no registry is configured for an open order')
    return settle(work, order, undefined, { state: 'not_done', afterS: waits.fault, isFault: true })
  }
  if (sent !== undefined) return send(work, registry, next, sent)
  return looked !== undefined || isTransferUnderWay(order) ? look(work, registry, next) : undefined
}

async function send(work: OrderWork, registry: Registry, next: Next, operation: Operation): Promise<Next | undefined> {
  const { order, earlier = [] } = next
  const { database, secrets, log } = work
  // Payment links are valid for days, so the domain may have moved to another account since the renewal was ordered.
  if (order.kind === 'renew' && (await isAnothers(database.db, order)))
    return settle(work, order, operation, { state: 'refused', message: reasons.anotherAccounts })
  const authCode = order.authCode === null ? '' : secrets.open('orders.auth_code', order.id, order.authCode)
  const outcome = await sendCommand(registry, commandFor(order, operation.command, authCode), operation.clTrid)
  const reply = 'reply' in outcome ? outcome.reply : null
  const verdict = judgeAnswer(operation.command, { hasFee: order.fee !== null, earlier }, outcome)
  const said =
    verdict.state === 'refused' ? 'a registry requires a fee that the order lacks' : 'a registry delays orders'
  if (outcome.kind === 'fault') log.error({ order: order.id, registry: registry.id, fault: outcome.fault, reply }, said)
  return settle(work, order, operation, verdict, reply)
}

/** Looks up the result of a command, or the state of a transfer to us that has started. */
async function look(work: OrderWork, registry: Registry, next: Next): Promise<Next | undefined> {
  const { order, looked, earlier = [] } = next
  const isContact = looked?.command === 'contact'
  // Queried before the domain, so that if the transfer is approved between the two queries, the domain is ours.
  const transfer = order.kind === 'transfer' ? await registry.domains.queryTransfer(order.name) : undefined
  const [info, contact, isHeld] = await Promise.all([
    isContact ? undefined : registry.domains.info(order.name),
    isContact ? registry.contacts.info(order.registrantId ?? '') : undefined,
    isAnothers(work.database.db, order),
  ])
  const sight = { ...order, info, transfer, contact, registrarId: registry.registrarId, isHeld, earlier }
  const verdict = looked === undefined ? judgeTransferUnderWay(sight) : judgeSight(looked, sight)
  if (looked?.state === 'pending' && verdict.state === 'refused')
    work.log.warn(
      { order: order.id, registry: registry.id, clTrid: looked.clTrid },
      'a registry no longer shows what it had accepted; it is treated as refused',
    )
  return settle(work, order, looked, verdict)
}

/** Records the result of a command or, without one, of the transfer that had started. Moves the order if the result decides it. */
export async function settle(
  work: OrderWork,
  order: Order,
  operation: Operation | undefined,
  verdict: Verdict,
  reply: RegistryReply | null = null,
): Promise<Next | undefined> {
  const isContact = operation?.command === 'contact'
  return work.database.transact(async (tx) => {
    // A completed order adds a domain and a zone, so their account is locked first.
    const [, locked, isNoted = true] = await Promise.all([
      operation === undefined || (verdict.state === 'done' && !isContact)
        ? lockAccount(tx, order.accountId)
        : undefined,
      lockOrder(tx, order.id),
      operation && settleCommand(tx, operation.id, { ...verdict, reply }),
    ])
    if (!isNoted || locked === undefined || !isUnderWay(locked)) return undefined
    let end = verdict
    const isNew = locked.status === 'processing' && order.kind !== 'register'
    if (end.state === 'done' && isNew && (await isAnothers(tx, locked))) {
      work.log.error(
        { order: order.id, domain: order.name, kind: order.kind },
        'a registry completed an order for a domain that another order already holds',
      )
      end = { state: 'refused', message: order.kind === 'renew' ? reasons.anotherAccounts : reasons.anothers }
    }
    // The next step is taken in the same transaction, so that the order stays with this worker.
    const goOn = async (standing: Order, known?: Operation): Promise<Next | undefined> =>
      (await takeSteps(tx, work, [standing], known && new Map([[standing.id, [known]]])))[0]
    // Nothing has been sent after the contact yet.
    if (end.state === 'done' && isContact) return goOn(locked, { ...operation, state: 'done' })
    if (end.state === 'done' || end.state === 'refused') return conclude(tx, work, locked, end)
    const changed = await postpone(tx, locked, end)
    return end.afterS === 0 ? goOn(changed) : undefined
  })
}

/** Whether another order has the domain, or has started its transfer; for a renewal: whether another account has it. */
async function isAnothers(db: Db, { kind, id, accountId, name }: Order): Promise<boolean> {
  const domain = await domainNamed(db, name)
  if (domain === undefined) return false
  return kind === 'renew' ? domain.accountId !== accountId : domain.orderId !== id
}

/**
 * Ends an order, or a transfer that had started: the account gets the domain and its zone and the money is kept, or the money is returned.
 * Account and order are locked. `isByHand`: an operator reported the outcome.
 */
export async function conclude(
  tx: Tx,
  { giveZone }: Pick<OrderWork, 'giveZone'>,
  order: Order,
  end: Extract<Verdict, { state: 'done' | 'refused' }>,
  isByHand = false,
): Promise<undefined> {
  const hadBegun = isTransferUnderWay(order)
  if (end.state === 'refused') {
    const kind = hadBegun ? 'transfer_rejected' : 'registry_refused'
    await moveOrder(tx, worker, order, { kind }, { lastError: end.message })
    if (hadBegun) await dropArriving(tx, worker, order)
    return
  }
  const { expiresAt = null, actBy = null } = end
  const kind = hadBegun ? 'transfer_arrived' : 'registry_did'
  if ((await moveOrder(tx, worker, order, { kind }, { actBy })) === undefined) return
  const domain = { ...order, orderId: order.id, expiresAt }
  if (hadBegun) await arrive(tx, giveZone, worker, domain, isByHand)
  else if (order.kind === 'register') await addRegistered(tx, giveZone, worker, domain)
  else if (order.kind === 'transfer') await addArriving(tx, worker, { ...domain, nameservers: [] })
  else await noteRenewal(tx, worker, { ...domain, reckoned: expiryAfter(order) })
  if (!isByHand && expiresAt === null && order.kind !== 'transfer') await hurryDomain(tx, order.name)
}

/** Sets when the next step is due. If it is due immediately, this worker keeps its lease. */
function postpone(tx: Tx, order: Order, verdict: Exclude<Verdict, { state: 'done' | 'refused' }>): Promise<Order> {
  const { stage, message } = standingAfter(order, verdict)
  const stepInS = verdict.afterS === 0 ? undefined : verdict.afterS
  const isDoubted = verdict.state === 'pending' && isTransferUnderWay(order) ? verdict.missed === true : undefined
  return updateOrder(tx, order.id, { stage, stageMessage: message, isDoubted, stepInS })
}

/** Ends a failed order that no card has paid. The credit that it had spent has already been returned. */
async function giveBack({ database }: OrderWork, order: Order): Promise<undefined> {
  await database.transact(async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked?.status !== order.status) return
    if (locked.cardKobo === 0) await moveOrder(tx, worker, locked, { kind: 'not_refundable' })
    await updateOrder(tx, order.id, { stepInS: null })
  })
}
