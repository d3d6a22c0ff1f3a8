import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Gateway } from '@zonewright/sandbox'
import { createPromo } from '#modules/billing/index.ts'
import { removeCard } from '#modules/cards/remove-card.ts'
import { allowCard, withdrawCard } from '#modules/domains/set-auto-renew.ts'
import { advanceOrder, type OrderWork, takeSteps } from '#modules/orders/advance-order.ts'
import { cancelOrder } from '#modules/orders/cancel-order.ts'
import { expireOrders } from '#modules/orders/expire-orders.ts'
import { takeNews } from '#modules/orders/registry-news.ts'
import { renewByItself } from '#modules/orders/renew-by-itself.ts'
import { workPayment } from '#modules/orders/settle-payment.ts'
import { startCheckout } from '#modules/orders/start-checkout.ts'
import { lockOrder } from '#modules/orders/store.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Database, sql } from '#platform/postgres/index.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import type { Payments } from '#ports/payments.ts'
import { aroundCalls } from './around-calls.ts'
import { crossed } from './crossed.ts'
import { Doom, Killed } from './doom.ts'
import { claimOf, duePayments, letTimePass } from './order-trial-store.ts'
import type { RegistryStaff } from './registry-staff.ts'
import { type TestApi, testNameservers } from './test-api.ts'
import { TestBuyer } from './test-buyer.ts'
import { testPromo } from './test-promo.ts'
import { Wire } from './wire.ts'

/** One action of a customer, the gateway, the registry, time or a kill on orders. */
export type Deed =
  | {
      readonly do: 'order'
      readonly what: 'register' | 'renew' | 'transfer'
      readonly name: 0 | 1
      readonly credit: boolean
      readonly promo: boolean
      readonly autoRenew?: boolean
    }
  /** Auto-renew orders the renewal of the first name, if it is on. */
  | { readonly do: 'auto_renew'; readonly killAt: number }
  /** The owner removes a saved card, withdraws the consent for the first name, or gives it for any saved card. */
  | { readonly do: 'card'; readonly what: 'remove' | 'withdraw' | 'allow' }
  | { readonly do: 'cancel'; readonly order: number }
  /** `extraKobo`: the amount that the gateway charges in addition to the requested one. */
  | {
      readonly do: 'pay'
      readonly order: number
      readonly card: string
      readonly killAt: number
      readonly extraKobo: number
      readonly save?: boolean
    }
  /** On a page that is still open, for example after a declined card. */
  | { readonly do: 'pay_again'; readonly payment: number; readonly card: string }
  | { readonly do: 'tell'; readonly payment: number; readonly event: string; readonly times: number }
  | { readonly do: 'bank_answers'; readonly payment: number }
  /** Someone refunds a part of a payment before the service has posted its refund. `isPending`: the bank responds later. */
  | { readonly do: 'part_by_hand'; readonly payment: number; readonly isPending: boolean }
  /** Two concurrent actions: the second begins just before the first one's transaction of this number, from 1, commits. */
  | { readonly do: 'at_once'; readonly first: Racer; readonly commit: number; readonly second: Racer }
  | { readonly do: 'work'; readonly killAt: number; readonly company: Company }
  | { readonly do: 'hear'; readonly killAt: number; readonly acknowledge: boolean }
  /** The registry's messages are lost: they were acknowledged, and the database was then restored to an earlier state. */
  | { readonly do: 'miss' }
  | { readonly do: 'time'; readonly seconds: number }
  | { readonly do: 'expire' }
  | {
      readonly do: 'registry'
      readonly command: 'create' | 'renew' | 'transfer' | 'info'
      readonly mishap: string
      readonly name: 0 | 1
    }
  | { readonly do: 'decide'; readonly name: 0 | 1; readonly isDone: boolean }
  | { readonly do: 'gateway'; readonly call: 'initialize' | 'verify' | 'charge' | 'refund' | 'refunds' }

/**
 * The other actor in a concurrent action: a worker, the owner of the latest order (who cancels it, orders the other name or removes a saved
 * card), or the expiry.
 */
export type Racer = 'work' | 'cancel' | 'order' | 'remove' | 'expire'

/**
 * Whether another worker takes what is due whenever this one waits for the registry, before its command has arrived there, or for the
 * gateway, before its answer has arrived. `hurried`: something has just made the orders and payments due for a lookup.
 */
export type Company = 'none' | 'other' | 'hurried'

/** How often a trial's promo code can be used, including by the same account. */
export const promoLimit = 2

/** The environment of trials. */
export interface TrialGround {
  readonly api: TestApi
  readonly staff: RegistryStaff
  readonly gateway: Gateway
  readonly payments: Payments
  readonly secretKey: string
  /** A separate pool to the same database, like that of another process. */
  readonly elsewhere: Database
}

const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)

let trials = 0

/** One account with some credit, a promo code with few uses, and two names, and everything that happens to its orders. */
export class OrderTrial {
  readonly #ground: TrialGround
  readonly buyer: TestBuyer
  readonly promo: string
  /** The second one is initially at another registrar. */
  readonly names: readonly [string, string]
  readonly orders: string[] = []
  readonly references: string[] = []
  /** Charges that were not yet sent when their card was removed. They must never be sent. */
  readonly barred: string[] = []
  readonly #byHand: ReturnType<Gateway['books']['addRefund']>[] = []

  private constructor(ground: TrialGround, buyer: TestBuyer, promo: string, names: readonly [string, string]) {
    this.#ground = ground
    this.buyer = buyer
    this.promo = promo
    this.names = names
  }

  static async make(
    ground: TrialGround,
    { creditKobo, percent }: { creditKobo: number; percent: number },
  ): Promise<OrderTrial> {
    const n = ++trials
    const buyer = await TestBuyer.make(ground.api, creditKobo)
    const promo = `TRIAL-${n}`
    await ground.api.database.transact((tx) =>
      createPromo(tx, actorNamed('operator', 'test'), { ...testPromo, code: promo, percent, maxUses: promoLimit }),
    )
    const names = [`trial-${n}.test`, `theirs-${n}.test`] as const
    await ground.staff.put(names[1])
    return new OrderTrial(ground, buyer, promo, names)
  }

  async perform(deed: Deed): Promise<void> {
    switch (deed.do) {
      case 'order':
        return await this.#order(deed)
      case 'auto_renew':
        return await this.#autoRenew(deed.killAt)
      case 'card':
        return await this.#changeCard(deed.what, this.#ground.api.database)
      case 'cancel': {
        const id = this.#pick(this.orders, deed.order)
        if (id !== undefined) await this.buyer.call('POST', `/orders/${id}/cancel`)
        return
      }
      case 'pay':
        return await this.#pay(this.#pick(this.orders, deed.order), deed)
      case 'pay_again': {
        const reference = this.#pick(this.references, deed.payment)
        // The charge of a card that was removed in time never reached the gateway.
        if (reference !== undefined && this.#ground.gateway.books.transaction(reference) !== undefined)
          await this.#ground.gateway.pay(reference, deed.card)
        return
      }
      case 'tell': {
        const reference = this.#pick(this.references, deed.payment)
        for (let n = 0; n < deed.times; n++) if (reference !== undefined) await this.#tell(deed.event, reference)
        return
      }
      case 'bank_answers':
        return await this.#bankAnswers(this.#pick(this.references, deed.payment))
      case 'part_by_hand':
        return await this.#refundPart(this.#pick(this.references, deed.payment), deed.isPending)
      case 'at_once':
        return await this.#atOnce(deed)
      case 'work':
        return await this.work(deed.killAt, deed.company)
      case 'hear':
        return await this.hear(deed.killAt, deed.acknowledge)
      case 'miss':
        return await this.#miss()
      case 'time':
        return await letTimePass(this.#db, this.buyer.accountId, deed.seconds)
      case 'expire':
        await expireOrders(this.#ground.api.database)
        return
      case 'registry':
        return this.#mishap(deed)
      case 'decide':
        return await this.#decide(deed)
      case 'gateway':
        return this.#ground.gateway.behaviours.set({ answer: 'drop', times: 1 }, deed.call)
    }
  }

  /** Takes every step that is due for this account's orders and payments. If killed at that wait, it leaves its state unchanged. */
  async work(killAt = 0, company: Company = 'none'): Promise<void> {
    const { api, payments } = this.#ground
    const doom = new Doom(killAt)
    const database = doom.database(api.database)
    const wire = new Wire()
    const onTheWay = company === 'none' ? undefined : () => this.#workBeside(wire, company === 'hurried')
    const orders = { ...api.orders, database, registries: doom.port(wire.port(api.orders.registries, onTheWay)) }
    const answered = company === 'none' ? payments : this.#beforeAnswers(payments, company === 'hurried')
    await untilKilled(() => this.#workAll(orders, { ...api.orders, database, payments: doom.port(answered) }))
  }

  async #workAll(orders: OrderWork, paying: Parameters<typeof workPayment>[0]): Promise<void> {
    for (let rounds = 0; rounds < 20; rounds++) {
      const due = [
        await claimOf(this.#db, this.buyer.accountId, 'payments'),
        await claimOf(this.#db, this.buyer.accountId, 'orders'),
      ]
      if (due.flat().length === 0) return
      for (const payment of await duePayments(this.#ground.api.database, due[0] ?? []))
        await workPayment(paying, payment)
      for (const id of due[1] ?? []) await advanceDue(orders, id)
    }
  }

  /** The gateway, with another worker that takes due payments while an answer is on its way. */
  #beforeAnswers(payments: Payments, isHurried: boolean): Payments {
    const { api } = this.#ground
    return aroundCalls(payments, async (_name, _args, call) => {
      const answer = await call()
      for (const reference of isHurried ? this.references : []) await this.#tell('charge.success', reference)
      const due = await claimOf(this.#db, this.buyer.accountId, 'payments')
      const paying = { ...api.orders, payments }
      for (const payment of await duePayments(api.database, due)) await workPayment(paying, payment)
      return answer
    })
  }

  async #atOnce({ first, commit, second }: Extract<Deed, { do: 'at_once' }>): Promise<void> {
    const { api, elsewhere } = this.#ground
    await crossed(
      { database: elsewhere, other: api.database, number: commit },
      (database) => this.#race(first, database),
      () => this.#race(second, api.database),
    )
  }

  async #race(racer: Racer, database: Database): Promise<void> {
    const { api, payments } = this.#ground
    switch (racer) {
      case 'work':
        return await this.#workAll({ ...api.orders, database }, { ...api.orders, database, payments })
      case 'cancel':
        return await this.#cancel(this.orders.at(-1), database)
      case 'order':
        return await this.#order({ do: 'order', what: 'transfer', name: 1, credit: true, promo: false })
      case 'remove':
        return await this.#changeCard('remove', database)
      case 'expire':
        await expireOrders(database)
    }
  }

  async #autoRenew(killAt: number): Promise<void> {
    const { api } = this.#ground
    const [name] = this.names
    const { rows } = await sql`
      select 1 from domains where name = ${name} and account_id = ${this.buyer.accountId} and state = 'held' and auto_renew`.execute(
      this.#db,
    )
    if (rows.length === 0) return
    const doom = new Doom(killAt)
    const database = doom.database(api.database)
    const { registries, secrets, site } = api.orders
    const order = renewByItself({
      database,
      tlds,
      registries,
      secrets,
      site,
      nameservers: testNameservers,
      savedCards: true,
    })
    await untilKilled(async () => {
      try {
        const place = await order({ accountId: this.buyer.accountId, name }, async () => undefined)
        await database.transact((tx) => place(tx, actorNamed('system', 'auto-renew')))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    })
    const placed = await sql<{ id: string; reference: string | null }>`
      select o.id, p.reference from orders o left join payments p on p.order_id = o.id and p.card_id is not null
      where o.account_id = ${this.buyer.accountId} and o.key_id is null`.execute(this.#db)
    for (const { id, reference } of placed.rows) {
      if (!this.orders.includes(id)) this.orders.push(id)
      if (reference !== null && !this.references.includes(reference)) this.references.push(reference)
    }
  }

  async #changeCard(what: 'remove' | 'withdraw' | 'allow', database: Database): Promise<void> {
    const { accountId } = this.buyer
    const actor = actorNamed('system', 'test')
    const [name] = this.names
    const { rows } = await sql<{ id: string }>`
      select id from cards where account_id = ${accountId} and removed_at is null order by id limit 1`.execute(
      database.db,
    )
    const card = rows[0]?.id ?? ''
    const barred = await database
      .transact(async (tx) => {
        if (what === 'withdraw') await withdrawCard(tx, actor, accountId, name)
        if (what === 'allow') await allowCard(tx, actor, accountId, name, card)
        if (what !== 'remove') return []
        await removeCard(tx, actor, accountId, card)
        const unsent = await sql<{ reference: string }>`
          select reference from payments where card_id = ${card} and charge = 'wanted' and charged_at is null`.execute(
          tx,
        )
        return unsent.rows
      })
      .catch((error: unknown) => {
        // There is no such domain or card, or auto-renew is off.
        if (error instanceof Refusal) return []
        throw error
      })
    this.barred.push(...barred.map(({ reference }) => reference))
  }

  async #cancel(id: string | undefined, database: Database): Promise<void> {
    if (id === undefined) return
    await database
      .transact((tx) => cancelOrder(tx, actorNamed('system', 'test'), id))
      .catch((error: { code?: string }) => {
        if (error.code !== 'conflict') throw error
      })
  }

  /** The work of another worker in the meantime, which is not killed. */
  async #workBeside(wire: Wire, isHurried: boolean): Promise<void> {
    const { api } = this.#ground
    const orders = { ...api.orders, registries: wire.port(api.orders.registries) }
    for (const domain of isHurried ? this.names : []) {
      const registry = api.orders.registries.registryOf(domain) ?? assert.fail('no registry has it')
      const news = { kind: 'decided' as const, domain, wasDone: true, clTrid: null, at: new Date() }
      await takeNews(api.orders, registry, { id: 'hint', queuedAt: null, text: 'A hint', news })
    }
    const due = await claimOf(this.#db, this.buyer.accountId, 'orders')
    for (const id of due) await advanceDue(orders, id)
  }

  /** Reads the registry's messages, whoever they are for. Unacknowledged messages come again. */
  async hear(killAt = 0, isAcknowledged = true): Promise<void> {
    const { api } = this.#ground
    const doom = new Doom(killAt)
    const work = { ...api.orders, database: doom.database(api.database) }
    for (const registry of api.orders.registries.all)
      await untilKilled(async () => {
        for (;;) {
          const message = await registry.messages.next()
          if (message.kind !== 'done' || message.value === null) return
          await takeNews(work, registry, message.value)
          if (!isAcknowledged) return
          await registry.messages.acknowledge(message.value.id)
        }
      })
  }

  async #miss(): Promise<void> {
    for (const { messages } of this.#ground.api.orders.registries.all)
      for (let each = await messages.next(); each.kind === 'done' && each.value !== null; each = await messages.next())
        await messages.acknowledge(each.value.id)
  }

  /** Finally, everyone does what is due: the registry decides, banks answer, time passes, and workers survive. */
  async end(): Promise<void> {
    const { staff, gateway } = this.#ground
    for (const name of this.names) staff.behave(name)
    for (let round = 0; round < 60; round++) {
      // Long enough for two lookups and leases, then for the hourly checks and for the expiry of unpaid orders.
      await letTimePass(this.#db, this.buyer.accountId, round % 3 < 2 ? 130 : 800_000)
      for (const name of this.names) {
        const domain = staff.domain(name)
        if (domain?.pending !== undefined) await staff.decide(name, true)
        if (domain?.transfer?.status === 'pending') await staff.endTransfer(name, 'approve')
      }
      for (const reference of this.references) await this.#bankAnswers(reference)
      for (const reference of this.references)
        for (const refund of gateway.books.refundsOf(gateway.books.transaction(reference)?.id ?? 0))
          if (refund.status === 'needs-attention') refund.status = 'processed'
      await this.hear()
      await this.work()
      await expireOrders(this.#ground.api.database)
      if (round > 3 && (await this.#isOver())) return
    }
    const { rows } = await sql`
      select o.id, o.kind, o.status, o.stage, o.last_error, o.step_at - app_now() as due, o.expires_at - app_now() as expires, o.settled_at,
        (select jsonb_agg(to_jsonb(p)) from payments p where p.order_id = o.id) as payments,
        (select jsonb_agg(to_jsonb(r) order by r.id) from registry_commands r where r.order_id = o.id) as operations
      from orders o where account_id = ${this.buyer.accountId}`.execute(this.#db)
    assert.fail(`the orders do not end: ${JSON.stringify(rows)}`)
  }

  get #db() {
    return this.#ground.api.database.db
  }

  async #isOver(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from orders where account_id = ${this.buyer.accountId}
        and (status in ('pending_payment', 'processing', 'failed') or (status = 'completed' and settled_at is null))
      union all select 1 from payments where account_id = ${this.buyer.accountId} and step_at is not null`.execute(
      this.#db,
    )
    return rows.length === 0
  }

  #pick<T>(from: readonly T[], index: number): T | undefined {
    return from.length === 0 ? undefined : from[index % from.length]
  }

  async #order({ what, name, credit, promo, autoRenew = false }: Extract<Deed, { do: 'order' }>): Promise<void> {
    const quote = await this.buyer.call('POST', '/quotes', {
      kind: what,
      name: this.names[name],
      ...(promo && { promo_code: this.promo }),
    })
    if (quote.status !== 201) return assert.ok(quote.status < 500 || quote.status === 503, JSON.stringify(quote.body))
    const placed = await this.buyer.call('POST', '/orders', {
      quote_id: quote.body.id,
      use_credit: credit,
      auto_renew: autoRenew,
      ...(what === 'register' && { contact_id: this.buyer.contactId }),
      ...(what === 'transfer' && { auth_code: 'their-code' }),
    })
    if (placed.status === 201) this.orders.push(placed.body.id)
    else assert.ok(placed.status >= 400 && placed.status < 500, JSON.stringify(placed.body))
  }

  /** Opens the gateway's page and pays there. No webhook is sent yet. */
  async #pay(
    id: string | undefined,
    { card, killAt, extraKobo, save = false }: Omit<Extract<Deed, { do: 'pay' }>, 'do' | 'order'>,
  ): Promise<void> {
    if (id === undefined) return
    const { api, payments, gateway } = this.#ground
    const doom = new Doom(killAt)
    const parts = { database: doom.database(api.database), payments: doom.port(payments) }
    // Each trial has its own payer: the gateway deactivates the card of one payer.
    const payer = {
      email: `payer-${this.names[0]}`.replace('.test', '@example.net'),
      returnUrl: 'http://shop.test/',
      saveCard: save,
    }
    await untilKilled(async () => {
      const url = await startCheckout(parts, { id }, payer).catch((error: { code?: string }) => {
        if (error.code === 'conflict' || error.code === 'unavailable') return undefined
        throw error
      })
      if (url === undefined) return
      const reference = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
      if (!this.references.includes(reference)) this.references.push(reference)
      const transaction = gateway.books.transaction(reference)
      if (transaction?.status === 'ongoing') Object.assign(transaction, { amount: transaction.amount + extraKobo })
      await gateway.pay(reference, card)
    })
  }

  async #tell(event: string, reference: string): Promise<void> {
    const { api, secretKey } = this.#ground
    const data = event.startsWith('refund') ? { transaction_reference: reference } : { reference }
    const body = JSON.stringify({ event, data })
    const signature = createHmac('sha512', secretKey).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
    assert.equal((await api.call('POST', '/gateway/paystack', { body, headers })).status, 200)
  }

  /** The bank of a late card responds, or the bank from which a refund was requested. */
  async #bankAnswers(reference: string | undefined): Promise<void> {
    const { gateway } = this.#ground
    for (const refund of this.#byHand) if (refund.reference === reference) refund.status = 'processed'
    const transaction = gateway.books.transaction(reference ?? '')
    if (transaction?.status === 'ongoing' && transaction.card !== null)
      await fetch(`http://${gateway.address}/late/${reference}`, { method: 'POST' })
  }

  async #refundPart(reference: string | undefined, isPending: boolean): Promise<void> {
    const { books } = this.#ground.gateway
    const transaction = books.transaction(reference ?? '')
    const { rows } = await sql`
      select 1 from payments where reference = ${reference ?? ''} and refund_state = 'wanted'`.execute(this.#db)
    if (transaction === undefined || rows.length === 0 || books.refundsOf(transaction.id).length > 0) return
    const refund = books.addRefund(transaction, Math.ceil(transaction.amount / 3))
    if (isPending) this.#byHand.push(refund)
    else refund.status = 'processed'
  }

  #mishap({ command, mishap, name }: Extract<Deed, { do: 'registry' }>): void {
    const { staff } = this.#ground
    const behaviour = mishaps[mishap]
    if (behaviour !== undefined) staff.once(`domain:${command}`, behaviour, this.names[name])
  }

  async #decide({ name, isDone }: Extract<Deed, { do: 'decide' }>): Promise<void> {
    const { staff } = this.#ground
    const domain = staff.domain(this.names[name])
    if (domain?.pending !== undefined) await staff.decide(this.names[name], isDone)
    else if (domain?.transfer?.status === 'pending')
      await staff.endTransfer(this.names[name], isDone ? 'approve' : 'reject')
    else if (domain === undefined && !isDone) await staff.put(this.names[name])
  }
}

/** What can go wrong with a command at the registry. */
export const mishaps: Readonly<Record<string, object>> = {
  answer_lost: { answer: 'drop' },
  command_lost: { skip: true, answer: 'drop' },
  refused: { code: 2306, reason: 'Policy' },
  pending: { pending: true },
  pending_lost: { pending: true, answer: 'cut' },
  balance: { code: 2104 },
  fee_missing: { code: 2003 },
  failure: { code: 2400 },
  session_limit: { code: 2502 },
  failure_after: { answer: 'garbage' },
}

/** Advances an order that a worker has claimed. */
async function advanceDue(work: OrderWork, id: string): Promise<void> {
  const next = await work.database.transact(async (tx) => {
    const order = await lockOrder(tx, id)
    return order && (await takeSteps(tx, work, [order]))[0]
  })
  if (next !== undefined) await advanceOrder(work, next)
}

async function untilKilled(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
}
