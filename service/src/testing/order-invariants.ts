import assert from 'node:assert/strict'
import { sql } from '#platform/postgres/index.ts'
import { type OrderTrial, promoLimit, type TrialGround } from './order-trial.ts'

interface Standing {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly status: string
  readonly cancelledBy: string | null
  readonly isSettled: boolean
  /** The part of its money that is neither kept nor returned yet. */
  readonly held: number
  readonly sales: number
  /** The amount from cards that did not go back to them. */
  readonly card: number
  readonly paid: number
  readonly creditKobo: number
  readonly promoState: string | null
  readonly events: string
  readonly lastError: string
}

/** Checks what must hold at all times for an account's orders (design: orders, "Invariants"). */
export async function checkInvariants(ground: TrialGround, trial: OrderTrial): Promise<Standing[]> {
  const { db } = ground.api.database
  const { accountId } = trial.buyer
  const { rows: standings } = await sql<Standing>`
    select o.id, o.name, o.kind, o.status, o.cancelled_by as "cancelledBy", o.settled_at is not null as "isSettled", o.credit_kobo as "creditKobo",
      coalesce(sum(case 'order' when to_book then l.amount_kobo when from_book then -l.amount_kobo end), 0)::bigint as held,
      coalesce(sum(case 'sales' when to_book then l.amount_kobo when from_book then -l.amount_kobo end), 0)::bigint as sales,
      coalesce(-sum(case 'card' when to_book then l.amount_kobo when from_book then -l.amount_kobo end), 0)::bigint as card,
      o.amount_kobo - o.promo_kobo as paid, o.last_error as "lastError", (select state from promo_uses p where p.order_id = o.id) as "promoState",
      (select coalesce(string_agg(substring(e.type from 7), ' ' order by e.seq), '') from event_outbox e where e.data->'order'->>'id' = o.id) as events
    from orders o left join ledger_entries l on l.order_id = o.id where o.account_id = ${accountId} group by o.id`.execute(
    db,
  )
  for (const standing of standings) {
    const { status, held, sales, paid, isSettled, promoState, events, lastError } = standing
    const about = JSON.stringify(standing)
    assert.ok(held >= 0, `money left that never came: ${about}`)
    if (isSettled) assert.deepEqual([sales, held >= 0], [paid, true], `what was paid is kept: ${about}`)
    else assert.equal(sales, 0, `money is kept for nothing: ${about}`)
    if (isSettled) assert.notEqual(promoState, 'freed', about)
    if (standing.cancelledBy === 'owner')
      assert.ok(!['processing', 'completed', 'failed'].includes(status), `it goes on though it was cancelled: ${about}`)
    if (['failed', 'refunded', 'credited'].includes(status)) assert.ok(promoState !== 'reserved', about)
    assert.match(events, possibleEvents, about)
    assert.doesNotMatch(lastError, registrysOwnTrouble, about)
  }
  await checkAccount(ground, trial)
  await checkCommands(ground, trial)
  await checkCharges(ground, trial)
  return standings
}

/** A saved card is charged only for orders of auto-renew, once for each, after the order was committed, and never after the card was removed. */
async function checkCharges({ api, gateway }: TrialGround, { buyer, barred }: OrderTrial): Promise<void> {
  const { rows } = await sql<{ orderId: string; keyId: string | null; references: string[]; unsent: string[] }>`
    select p.order_id as "orderId", o.key_id as "keyId", array_agg(p.reference) as references,
      coalesce(array_agg(p.reference) filter (where p.charged_at is null), '{}') as unsent
    from payments p join orders o on o.id = p.order_id where p.account_id = ${buyer.accountId} and p.card_id is not null
    group by p.order_id, o.key_id`.execute(api.database.db)
  for (const charged of rows) {
    const about = JSON.stringify(charged)
    assert.equal(charged.keyId, null, `an order by a key charges a card: ${about}`)
    assert.equal(charged.references.length, 1, `an order charges twice: ${about}`)
    for (const reference of [...charged.unsent, ...barred])
      assert.equal(
        gateway.books.transaction(reference),
        undefined,
        `it was charged though it must not be: ${reference}`,
      )
  }
}

/** Codes that leave the outcome open are no reason to refuse an order: 1xxx, 24xx and 25xx. */
const registrysOwnTrouble = /\((1|2[45])\d+\)\.$/

/** The possible paths through the diagram, as sequences of events. */
const possibleEvents =
  /^((cancelled )?paid( (completed( failed( (refunded|credited))?)?|failed( (refunded|credited))?|cancelled))?|cancelled( (refunded|credited))?)?$/

/** Checks what must hold in the end: what the gateway took minus its refunds equals what the books say, and no money is in between. */
export async function checkEnd(ground: TrialGround, trial: OrderTrial): Promise<void> {
  const { db } = ground.api.database
  for (const standing of await checkInvariants(ground, trial)) {
    const about = JSON.stringify(standing)
    assert.equal(standing.held, 0, `money that is neither kept nor returned: ${about}`)
    assert.notEqual(standing.promoState, 'reserved', about)
    const { rows } = await sql<{
      reference: string
    }>`select reference from payments where order_id = ${standing.id}`.execute(db)
    let atGateway = 0
    for (const { reference } of rows) atGateway += atGatewayFor(ground, reference)
    assert.equal(standing.card, atGateway, `the gateway knows of other money: ${about}`)
    if (standing.kind === 'register' && standing.status === 'completed')
      assert.equal(ground.staff.domain(standing.name)?.sponsor, 'zonewright', about)
  }
  const { rows } = await sql`select 1 from credit_holds where account_id = ${trial.buyer.accountId}`.execute(db)
  assert.equal(rows.length, 0, 'credit is set aside for nothing')
  await checkDomains(ground, trial)
}

function atGatewayFor({ gateway }: TrialGround, reference: string): number {
  const transaction = gateway.books.transaction(reference)
  if (transaction?.status !== 'success') return 0
  const refunds = gateway.books.refundsOf(transaction.id).filter(({ status }) => status === 'processed')
  const returned = refunds.reduce((sum, { amount }) => sum + amount, 0)
  assert.ok(returned <= transaction.amount, `${reference} was refunded twice`)
  return transaction.amount - returned
}

async function checkAccount({ api }: TrialGround, { buyer, promo }: OrderTrial): Promise<void> {
  const { rows } = await sql<{
    balance: number
    holds: number
    uses: number
    consumed: number
    settled: number
    open: number
    unpaid_holds: number
  }>`
    select (select coalesce(sum(case to_book when 'credit' then amount_kobo else -amount_kobo end), 0)::bigint from ledger_entries
        where account_id = ${buyer.accountId} and 'credit' in (from_book, to_book)) as balance,
      (select coalesce(sum(amount_kobo), 0)::bigint from credit_holds where account_id = ${buyer.accountId}) as holds,
      (select count(*)::int from promo_uses where code = ${promo} and state <> 'freed') as uses,
      (select count(*)::int from promo_uses where code = ${promo} and state = 'consumed') as consumed,
      (select count(*)::int from orders where promo_code = ${promo} and settled_at is not null) as settled,
      (select coalesce(max(n), 0)::int from (select count(*) as n from orders
        where account_id = ${buyer.accountId} and status in ('pending_payment', 'processing') group by name) names) as open,
      (select count(*)::int from promo_uses u join orders o on o.id = u.order_id
        where u.account_id = ${buyer.accountId} and u.code = ${promo} and u.state = 'reserved' and o.status = 'pending_payment') as unpaid_holds`.execute(
    api.database.db,
  )
  const [account] = rows
  assert.ok(account)
  const about = JSON.stringify(account)
  assert.ok(account.balance >= account.holds, `more credit is spent or set aside than there is: ${about}`)
  assert.ok(account.uses <= promoLimit, `the code is used more often than it may be: ${about}`)
  assert.ok(account.unpaid_holds <= 1, `two unpaid orders hold the code: ${about}`)
  assert.equal(account.consumed, account.settled, about)
  assert.ok(account.open <= 1, `two open orders of one name: ${about}`)
}

/** A command is sent again only after the previous one is known not to have happened, and the registry executes none twice. */
async function checkCommands({ api, staff }: TrialGround, { buyer, names }: OrderTrial): Promise<void> {
  const { rows } = await sql<{ orderId: string; command: string; states: string[] }>`
    select order_id as "orderId", command, array_agg(state order by id) as states from registry_commands
    where order_id in (select id from orders where account_id = ${buyer.accountId}) group by order_id, command`.execute(
    api.database.db,
  )
  for (const { orderId, command, states } of rows)
    for (const state of states.slice(0, -1))
      assert.equal(state, 'not_done', `${command} of ${orderId} was sent again: ${states.join(' ')}`)
  for (const name of names) {
    const done = staff
      .commands(name)
      .filter(({ command, code, skipped }) => command === 'domain:create' && code < 2000 && !skipped)
    assert.ok(done.length <= 1 + staff.refusedPending(name), `${name} was registered ${done.length} times`)
  }
}

/** The term of each domain is exactly what was registered, renewed and transferred. */
async function checkDomains({ api, staff }: TrialGround, { buyer, names }: OrderTrial): Promise<void> {
  const { rows } = await sql<{ name: string; orderId: string; years: number }>`
    select d.name, d.order_id as "orderId", (select coalesce(sum(o.years), 0)::int from orders o
      where o.name = d.name and o.account_id = d.account_id and o.status = 'completed') as years
    from domains d where d.account_id = ${buyer.accountId} and d.state = 'held'`.execute(api.database.db)
  for (const name of names) {
    const held = rows.find((row) => row.name === name)
    const domain = staff.domain(name)
    assert.equal(
      domain?.sponsor === 'zonewright',
      held !== undefined,
      `${name} is ours at the registry alone, or here alone`,
    )
    if (held === undefined || domain === undefined) continue
    const elsewhere = domain.creator === 'rival' ? 1 : 0
    const yearsAhead = new Date(domain.expiresAt).getUTCFullYear() - new Date(domain.createdAt).getUTCFullYear()
    assert.equal(yearsAhead, held.years + elsewhere, `${name} is registered for ${yearsAhead} years`)
  }
}
