import { randomBytes } from 'node:crypto'
import { lockAccount } from '#modules/accounts/index.ts'
import {
  addArriving,
  addRegistered,
  arrive,
  domainNamed,
  dropArriving,
  type GiveZone,
  noteRenewal,
} from '#modules/domains/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Registries, Registry } from '#ports/registry.ts'
import { moveOrder } from './move-order.ts'
import { insertOperation, noteOperation, readOperations } from './operation-store.ts'
import { authCodePurpose, type Order } from './order.ts'
import { wantRefund } from './payment-store.ts'
import { judgeAnswer, judgeSight, nextStep, type Operation, type Sight, type Verdict, waits } from './reconcile.ts'
import { standingAfter } from './rules.ts'
import { sendCommand } from './send-command.ts'
import { lockOrder, updateOrder } from './store.ts'

/** What an order's work needs from outside its module. */
export interface OrderWork {
  readonly database: Database
  readonly registries: Registries
  readonly secrets: SecretBox
  readonly giveZone: GiveZone
  readonly log: Logger
}

/** Who works on orders, in audit entries. */
export const worker = actorNamed('system', 'orders')

/**
 * Takes an order's next step: sends what is to be sent, or looks for what nobody knows the end of. Each command is written
 * down before it is sent, and what came of it after, each in a short transaction; the registry is asked between the two.
 *
 * Returns at the step's end, or goes on at once where the next one is due.
 */
export async function workOrder(work: OrderWork, order: Order): Promise<void> {
  for (let current: Order | undefined = order; current !== undefined; ) current = await step(work, current)
}

/** The order as it is when a next step is due at once; undefined: that is all for now. */
async function step(work: OrderWork, order: Order): Promise<Order | undefined> {
  if (order.status === 'failed' || order.status === 'cancelled') return giveBack(work, order)
  const registry = work.registries.registryOf(order.name)
  if (registry === undefined) {
    work.log.error({ order: order.id, domain: order.name }, 'no registry is configured for an open order')
    return later(work, order, { end: 'again', afterS: waits.fault, alert: 'no registry' })
  }
  if (order.status === 'completed') return lookAtTransfer(work, order, registry)
  if (order.status !== 'processing') return undefined
  const next = nextStep(order.kind, await readOperations(work.database.db, order.id))
  return next.do === 'look' ? look(work, order, registry, next.operation) : send(work, order, registry, next)
}

async function send(
  work: OrderWork,
  order: Order,
  registry: Registry,
  { command, attempt }: { command: Operation['command']; attempt: number },
): Promise<Order | undefined> {
  const written = await work.database.transact(async (tx) => {
    // Another worker may have taken the order over, if this one was slow.
    if ((await lockOrder(tx, order.id))?.status !== 'processing') return undefined
    const known = await readOperations(tx, order.id)
    const again = nextStep(order.kind, known)
    if (again.do !== 'send' || again.command !== command || again.attempt !== attempt) return undefined
    const operation = await insertOperation(tx, { orderId: order.id, command, attempt, clTrid: newClTrid() })
    return { operation, afterUnknown: known.some((each) => each.command === command && each.missedForS !== null) }
  })
  if (written === undefined) return undefined
  const { operation, afterUnknown } = written
  const authCode = order.authCode === null ? '' : work.secrets.open(authCodePurpose(order.id), order.authCode)
  const outcome = await sendCommand(registry, order, operation, authCode)
  const verdict = judgeAnswer(command, afterUnknown, outcome)
  if (verdict.end === 'again' && verdict.alert !== undefined)
    work.log.error({ order: order.id, registry: registry.id, fault: verdict.alert }, 'a registry holds orders up')
  return settle(work, order, operation, verdict, 'reply' in outcome ? outcome.reply : null)
}

async function look(
  work: OrderWork,
  order: Order,
  registry: Registry,
  operation: Operation,
): Promise<Order | undefined> {
  return settle(work, order, operation, judgeSight(operation, await sightOf(work, order, registry, operation)), null)
}

async function sightOf(work: OrderWork, order: Order, registry: Registry, operation: Operation): Promise<Sight> {
  const isTransfer = operation.command === 'transfer'
  const isContact = operation.command === 'contact'
  const [info, transfer, contact, domain] = await Promise.all([
    isContact ? undefined : registry.domains.info(order.name),
    isTransfer ? registry.domains.queryTransfer(order.name) : undefined,
    isContact ? registry.contacts.info(order.registrantId ?? '') : undefined,
    domainNamed(work.database.db, order.name),
  ])
  const isHeld = domain !== undefined && domain.orderId !== order.id
  return { info, transfer, contact, registrarId: registry.registrarId, isHeld, oldExpiry: order.oldExpiry }
}

const stateAfter = {
  did: 'done',
  refused: 'refused',
  pending: 'pending',
  unknown: 'unknown',
  again: 'not_done',
} as const

/** Records what came of an operation, and moves the order when that decides it. */
export async function settle(
  work: OrderWork,
  order: Order,
  operation: Pick<Operation, 'id' | 'command'>,
  verdict: Verdict,
  reply: Parameters<typeof noteOperation>[2]['reply'],
): Promise<Order | undefined> {
  return work.database.transact(async (tx) => {
    // A completed order brings a domain and a zone: their account is locked first.
    if (verdict.end === 'did') await lockAccount(tx, order.accountId)
    const locked = await lockOrder(tx, order.id)
    const missed = verdict.end === 'unknown' && verdict.missed === true
    // A renewal that is sent again may meet its own echo.
    const isDoubtful = missed || (verdict.end === 'again' && operation.command === 'renew' && reply === null)
    const state = stateAfter[verdict.end]
    if (!(await noteOperation(tx, operation.id, { state, missed: isDoubtful, reply: reply ?? null }))) return undefined
    if (locked?.status !== 'processing') return undefined
    if (verdict.end === 'did')
      return operation.command === 'contact'
        ? updateOrder(tx, order.id, { stepInS: 0 })
        : complete(tx, work, locked, verdict)
    if (verdict.end === 'refused') {
      const moved = await moveOrder(tx, worker, locked, { kind: 'registry_refused' }, { lastError: verdict.message })
      if (moved !== undefined && moved.cardKobo > 0) await wantRefund(tx, moved.id)
      return undefined
    }
    return postpone(tx, locked, verdict)
  })
}

async function complete(
  tx: Tx,
  { giveZone }: OrderWork,
  order: Order,
  { expiresAt = null, actBy = null }: { expiresAt?: Date | null; actBy?: Date | null },
): Promise<undefined> {
  const { accountId, name, tld, id: orderId, contact, registrantId, autoRenew, nameservers } = order
  const moved = await moveOrder(tx, worker, order, { kind: 'registry_did' }, { actBy })
  if (moved === undefined) return undefined
  const domain = { name, tld, accountId, orderId, contact, registrantId, autoRenew, nameservers, expiresAt }
  if (order.kind === 'register') await addRegistered(tx, giveZone, worker, domain)
  else if (order.kind === 'transfer') await addArriving(tx, worker, { ...domain, nameservers: [] })
  else await noteRenewal(tx, worker, { accountId, name, expiresAt })
  return undefined
}

async function postpone(
  tx: Tx,
  order: Order,
  verdict: Exclude<Verdict, { end: 'did' | 'refused' }>,
): Promise<Order | undefined> {
  const { stage, message } = standingAfter(verdict)
  const changed = await updateOrder(tx, order.id, { stage, stageMessage: message, stepInS: verdict.afterS })
  return verdict.afterS === 0 ? changed : undefined
}

async function later(work: OrderWork, order: Order, verdict: Verdict & { end: 'again' }): Promise<undefined> {
  await work.database.transact(async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked?.status === order.status) await postpone(tx, locked, verdict)
  })
}

/** How a transfer to us stands that had begun (`completed`, its money not kept yet). */
async function lookAtTransfer(work: OrderWork, order: Order, registry: Registry): Promise<undefined> {
  if (order.kind !== 'transfer' || order.settledAt !== null) return undefined
  const [transfer, info] = await Promise.all([
    registry.domains.queryTransfer(order.name),
    registry.domains.info(order.name),
  ])
  const isOurs = info.kind === 'done' && info.value.sponsor === registry.registrarId
  const isOver = transfer.kind === 'done' ? transfer.value.status !== 'pending' : transfer.kind === 'refused'
  await work.database.transact(async (tx) => {
    await lockAccount(tx, order.accountId)
    const locked = await lockOrder(tx, order.id)
    if (locked?.status !== 'completed' || locked.settledAt !== null) return
    const { accountId, name } = order
    if (isOurs) {
      await moveOrder(tx, worker, locked, { kind: 'transfer_arrived' })
      await arrive(tx, work.giveZone, worker, { accountId, name, expiresAt: info.value.expiresAt })
    } else if (isOver && info.kind === 'done') {
      const lastError = 'The present registrar or the holder rejected the transfer.'
      const moved = await moveOrder(tx, worker, locked, { kind: 'transfer_rejected' }, { lastError })
      if (moved !== undefined && moved.cardKobo > 0) await wantRefund(tx, moved.id)
      await dropArriving(tx, worker, { accountId, name })
    } else await updateOrder(tx, order.id, { stepInS: transferLookS })
  })
}

/** Seconds between two looks at a transfer that is under way. */
const transferLookS = 3_600

/** A failed order with nothing on a card: what was paid by credit is credit again already. */
async function giveBack(work: OrderWork, order: Order): Promise<undefined> {
  await work.database.transact(async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (locked === undefined) return
    if (locked.cardKobo === 0) await moveOrder(tx, worker, locked, { kind: 'not_refundable' })
    await updateOrder(tx, order.id, { stepInS: null })
  })
}

function newClTrid(): string {
  return `ZW-${randomBytes(12).toString('hex')}`
}
