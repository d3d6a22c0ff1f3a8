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
import { isTransferUnderWay, type Order } from './order.ts'
import { commandFor, judgeAnswer, judgeSight, nextStep, type Operation, reasons, type Verdict } from './reconcile.ts'
import { expiryAfter, standingAfter, standings } from './rules.ts'
import { claimOrders, lockOrder, updateOrder } from './store.ts'
import { judgeTransfer } from './transfer-standing.ts'

/** What an order's work needs from outside its module: what a domain change needs, and more. */
export interface OrderWork extends ChangeWork {
  readonly giveZone: GiveZone
  /** Hears what registries tell, for the domains; it rejects what must be told again. */
  readonly takeDomainNews?: (registry: Registry, message: RegistryMessage) => Promise<void>
}

/** Who works on orders, in audit entries. */
export const worker = actorNamed('system', 'orders')

/** An order whose next step is due. `taken`: its next command, if it has one; a command to be sent is already recorded. */
export interface Next {
  readonly order: Order
  readonly taken?: Taken
}

/** The command that is sent or looked up next. `earlier`: the attempts before it. */
interface Taken {
  readonly do: 'send' | 'look'
  readonly operation: Operation
  readonly earlier: readonly Operation[]
}

/** Takes orders whose next step is due, none under these TLDs, each for `workLeaseS`. */
export async function takeOrders(
  tx: Tx,
  work: Pick<OrderWork, 'registries'>,
  max: number,
  exceptTlds: readonly string[] = [],
): Promise<Next[]> {
  return takeSteps(tx, work, await claimOrders(tx, max, exceptTlds))
}

/** Decides the next steps of orders, and records the commands that they send. The orders are locked. */
export async function takeSteps(
  tx: Tx,
  { registries }: Pick<OrderWork, 'registries'>,
  orders: readonly Order[],
): Promise<Next[]> {
  const ready = orders.filter(
    ({ status, name }) => status === 'processing' && registries.registryOf(name) !== undefined,
  )
  const known = await orderCommands.read(
    tx,
    ready.map(({ id }) => id),
  )
  const steps = new Map(ready.map(({ id, kind }) => [id, nextStep(kind, known.get(id) ?? [])]))
  const sent = [...steps].flatMap(([owner, step]) => (step?.do === 'send' ? [{ ...step, owner }] : []))
  const recorded = await orderCommands.record(tx, sent)
  return orders.map((order) => {
    const step = steps.get(order.id)
    const operation = step?.do === 'look' ? step.operation : recorded.get(order.id)
    if (step === undefined || operation === undefined) return { order }
    const { command } = operation
    const earlier = (known.get(order.id) ?? []).filter((each) => each.command === command && each.id < operation.id)
    return { order, taken: { do: step.do, operation, earlier } }
  })
}

/** Takes an order's next steps while they are due. Each command is recorded before it is sent, and its result after, in short transactions. */
export async function advanceOrder(work: OrderWork, order: Next): Promise<void> {
  for (let next: Next | undefined = order; next !== undefined; ) next = await step(work, next)
}

/** Returns the next step if it is due at once. */
async function step(work: OrderWork, { order, taken }: Next): Promise<Next | undefined> {
  const { status } = order
  if (status === 'failed' || status === 'cancelled') return giveBack(work, order)
  const registry = work.registries.registryOf(order.name)
  if (registry === undefined) {
    work.log.error({ order: order.id, domain: order.name }, 'no registry is configured for an open order')
    const later = { state: 'not_done', afterS: waits.fault, alert: 'no registry' } as const
    return withLocked(work, order, (tx, locked) => postpone(tx, locked, later))
  }
  if (taken !== undefined)
    return taken.do === 'send' ? send(work, order, registry, taken) : look(work, order, registry, taken)
  return isTransferUnderWay(order) ? lookAtTransfer(work, order, registry) : undefined
}

/** Locks an order and calls `act`, unless the order's status has changed: another worker may have taken the order over. */
function withLocked(
  { database }: OrderWork,
  order: Order,
  act: (tx: Tx, locked: Order) => Promise<unknown>,
): Promise<undefined> {
  return database.transact(async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked?.status === order.status) await act(tx, locked)
    return undefined
  })
}

async function send(work: OrderWork, order: Order, registry: Registry, taken: Taken): Promise<Next | undefined> {
  const { operation, earlier } = taken
  const { database, secrets, log } = work
  // Pay links live long: the domain may have moved to another account since the renewal was ordered.
  if (order.kind === 'renew' && (await isAnothers(database.db, order)))
    return settle(work, order, operation, { state: 'refused', message: reasons.anotherAccounts })
  const authCode = order.authCode === null ? '' : secrets.open('orders.auth_code', order.id, order.authCode)
  const outcome = await sendCommand(registry, commandFor(order, operation.command, authCode), operation.clTrid)
  const reply = 'reply' in outcome ? outcome.reply : null
  const verdict = judgeAnswer(operation.command, { hasFee: order.fee !== null, earlier }, outcome)
  const about = { order: order.id, registry: registry.id }
  if (verdict.state === 'not_done' && verdict.alert !== undefined)
    log.error({ ...about, fault: verdict.alert }, 'a registry delays orders')
  if (verdict.state === 'refused' && outcome.kind === 'fault')
    log.error({ ...about, reply }, 'a registry requires a fee that the order does not include')
  return settle(work, order, operation, verdict, reply)
}

async function look(work: OrderWork, order: Order, registry: Registry, taken: Taken): Promise<Next | undefined> {
  const { operation, earlier } = taken
  const { command, state, clTrid } = operation
  const isContact = command === 'contact'
  const [info, transfer, contact, isHeld] = await Promise.all([
    isContact ? undefined : registry.domains.info(order.name),
    command === 'transfer' ? registry.domains.queryTransfer(order.name) : undefined,
    isContact ? registry.contacts.info(order.registrantId ?? '') : undefined,
    isAnothers(work.database.db, order),
  ])
  const { registrarId } = registry
  const verdict = judgeSight(operation, { ...order, info, transfer, contact, registrarId, isHeld, earlier })
  if (state === 'pending' && verdict.state === 'refused')
    work.log.warn(
      { order: order.id, registry: registry.id, clTrid },
      'a registry no longer shows what it had accepted; it is treated as refused',
    )
  return settle(work, order, operation, verdict)
}

/** Records the result of a command, and moves the order if that decides it. */
export async function settle(
  work: OrderWork,
  order: Order,
  operation: Operation,
  verdict: Verdict,
  reply: RegistryReply | null = null,
): Promise<Next | undefined> {
  const isContact = operation.command === 'contact'
  return work.database.transact(async (tx) => {
    // A completed order brings a domain and a zone: their account is locked first.
    const [, locked, isNoted] = await Promise.all([
      verdict.state === 'done' && !isContact ? lockAccount(tx, order.accountId) : undefined,
      lockOrder(tx, order.id),
      settleCommand(tx, operation.id, { ...verdict, reply }),
    ])
    if (!isNoted || locked?.status !== 'processing') return undefined
    if (verdict.state === 'refused') return refuse(tx, locked, verdict.message)
    // The next step is taken in the same transaction, so that the order stays with this worker.
    const goOn = async (standing: Order): Promise<Next | undefined> => (await takeSteps(tx, work, [standing]))[0]
    if (verdict.state !== 'done') {
      const changed = await postpone(tx, locked, verdict)
      return verdict.afterS === 0 ? goOn(changed) : undefined
    }
    if (order.kind !== 'register' && (await isAnothers(tx, locked))) {
      work.log.error(
        { order: order.id, domain: order.name, kind: order.kind },
        'a registry completed an order for a domain that another order already holds',
      )
      return refuse(tx, locked, order.kind === 'renew' ? reasons.anotherAccounts : reasons.anothers)
    }
    return isContact ? goOn(locked) : complete(tx, work, locked, verdict)
  })
}

/** Whether the domain belongs to another order, or a transfer of it has begun for one; of a renewal: to another account. */
async function isAnothers(db: Db, { kind, id, accountId, name }: Order): Promise<boolean> {
  const domain = await domainNamed(db, name)
  if (domain === undefined) return false
  return kind === 'renew' ? domain.accountId !== accountId : domain.orderId !== id
}

/** The registry refused the order: its money is returned. */
export async function refuse(tx: Tx, order: Order, lastError: string): Promise<undefined> {
  await moveOrder(tx, worker, order, { kind: 'registry_refused' }, { lastError })
}

/** The registry did it: the account gets the domain and its zone. Account and order are locked. `by_hand`: an operator says so. */
export async function complete(
  tx: Tx,
  { giveZone }: Pick<OrderWork, 'giveZone'>,
  order: Order,
  said: { expiresAt?: Date | null; actBy?: Date | null } | 'by_hand',
): Promise<undefined> {
  const { expiresAt = null, actBy = null } = said === 'by_hand' ? {} : said
  const moved = await moveOrder(tx, worker, order, { kind: 'registry_did' }, { actBy })
  if (moved === undefined) return undefined
  const domain = { ...order, orderId: order.id, expiresAt }
  if (order.kind === 'register') await addRegistered(tx, giveZone, worker, domain)
  else if (order.kind === 'transfer') await addArriving(tx, worker, { ...domain, nameservers: [] })
  else await noteRenewal(tx, worker, { ...domain, reckoned: expiryAfter(order) })
  if (said !== 'by_hand' && expiresAt === null && order.kind !== 'transfer') await hurryDomain(tx, order.name)
  return undefined
}

/** Sets when the next step is due. If that is at once, the lease of this worker is not given up. */
function postpone(tx: Tx, { id }: Order, verdict: Exclude<Verdict, { state: 'done' | 'refused' }>): Promise<Order> {
  const { stage, message } = standingAfter(verdict)
  const due = verdict.afterS === 0 ? {} : { stepInS: verdict.afterS }
  return updateOrder(tx, id, { stage, stageMessage: message, ...due })
}

/** How a transfer to us stands that had begun (`completed`, its money not kept yet). */
async function lookAtTransfer(work: OrderWork, order: Order, registry: Registry): Promise<undefined> {
  const transfer = await registry.domains.queryTransfer(order.name)
  const info = await registry.domains.info(order.name)
  const { registrarId } = registry
  const standing = judgeTransfer(transfer, info, { registrarId, doubtedForS: order.doubtedForS })
  await work.database.transact(async (tx) => {
    await lockAccount(tx, order.accountId)
    const locked = await lockOrder(tx, order.id)
    if (locked === undefined || !isTransferUnderWay(locked)) return
    if (standing.kind === 'awaited') {
      const { isDoubted = false, afterS } = standing
      const { stage, message } = isDoubted ? standings.doubted : standings.transferring
      await updateOrder(tx, order.id, { stage, stageMessage: message, isDoubted, stepInS: afterS })
    } else if (standing.kind === 'arrived') await arriveWith(tx, work, locked, standing)
    else await loseTransfer(tx, locked, standing.kind === 'missing' ? reasons.vanished : reasons.transferRejected)
  })
}

/** A transfer that had begun is complete: its money is kept, and the domain and its zone are the account's. Account and order are locked. */
export async function arriveWith(
  tx: Tx,
  { giveZone }: Pick<OrderWork, 'giveZone'>,
  order: Order,
  said: { expiresAt: Date | null } | 'by_hand',
): Promise<void> {
  await moveOrder(tx, worker, order, { kind: 'transfer_arrived' })
  await arrive(tx, giveZone, worker, order, said)
}

/** A transfer that had begun came to nothing: the money goes back, and the name is free for another order. Account and order are locked. */
export async function loseTransfer(tx: Tx, order: Order, lastError: string): Promise<void> {
  await moveOrder(tx, worker, order, { kind: 'transfer_rejected' }, { lastError })
  await dropArriving(tx, worker, order)
}

/** Ends a failed order that no card has paid. The credit that it had spent is returned already. */
function giveBack(work: OrderWork, order: Order): Promise<undefined> {
  return withLocked(work, order, async (tx, locked) => {
    if (locked.cardKobo === 0) await moveOrder(tx, worker, locked, { kind: 'not_refundable' })
    await updateOrder(tx, order.id, { stepInS: null })
  })
}
