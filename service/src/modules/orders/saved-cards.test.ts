import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGateway } from '@zonewright/sandbox'
import { createPaystack } from '#adapters/paystack/index.ts'
import { grantCredit, kobo } from '#modules/billing/index.ts'
import { cardJobs } from '#modules/cards/index.ts'
import { type RemindWork, remindDue } from '#modules/domains/remind.ts'
import { renewByItself } from '#modules/orders/index.ts'
import { claimPayments } from '#modules/payments/store.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import type { Payments } from '#ports/payments.ts'
import { Doom, Killed } from '#testing/doom.ts'
import { moveClock } from '#testing/move-clock.ts'
import { runJob } from '#testing/run-job.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer, testNameservers, testOrigin } from '#testing/test-api.ts'
import { booksOf, settleDue } from '#testing/test-buyer.ts'
import { testContact } from '#testing/test-contact.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import type { OrderPaymentWork } from './charge-card.ts'
import { workPayment } from './settle-payment.ts'

const secretKey = 'sk_test_cards'
const gateway = await startGateway({ httpListen: '127.0.0.1:0', secretKey })
const payments = createPaystack({ url: `http://${gateway.address}`, secretKey, timeoutMs: 5_000 })
after(async () => {
  await payments.close()
  await gateway.close()
})
const registry = await startSandboxRegistry()
const api = await startTestApi({ payments, registry })
const { database } = api
const { db } = database
const { registries, secrets, log } = api.orders
const tlds = parseRegistries(sandboxRegistries).flatMap((each) => each.tlds)
const renewal = renewByItself({
  ...{ database, tlds, registries, secrets, nameservers: testNameservers, site: testOrigin, savedCards: true },
})
const reminders: RemindWork = { database, secrets, log, site: testOrigin, renewByItself: renewal }
const jobs = cardJobs({ payments, secrets, site: testOrigin, log })
const work: OrderPaymentWork = { ...api.orders, payments }

const good = '4000000000000001'
const declinedLater = '4000000000000010'
const challengedLater = '4000000000000011'
const notReusable = '4000000000000012'
const expiresSoon = '4000000000000013'
const renewalKobo = 1_400_000

let shoppers = 0

/** A person with a domain that was bought with a saved card. */
class Shopper {
  readonly person: TestPerson
  readonly accountId: string
  #names = 0

  private constructor(person: TestPerson, accountId: string) {
    this.person = person
    this.accountId = accountId
  }

  static async make(): Promise<Shopper> {
    const person = await TestPerson.signedIn(api, `shopper${++shoppers}@example.net`)
    return new Shopper(person, (await person.call('GET', '/account')).body.id)
  }

  /** Buys a domain with this card and saves the card. */
  async buy(number: string, { save = true, autoRenew = true } = {}): Promise<string> {
    const name = `saved${shoppers}-${++this.#names}.test`
    const contact = await this.person.call('POST', '/contacts', { body: testContact })
    const quote = await this.person.call('POST', '/quotes', { body: { kind: 'register', name } })
    const body = { quote_id: quote.body.id, contact_id: contact.body.id, auto_renew: autoRenew }
    const { id } = (await this.person.call('POST', '/orders', { body })).body
    const opened = await this.person.call('POST', `/orders/${id}/checkout`, { body: save ? { save_card: true } : {} })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    await gateway.pay(referenceIn(opened), number)
    await sql`update payments set step_at = app_now() where order_id = ${id}`.execute(db)
    await settleDue(api, payments)
    return name
  }

  cards = async () => (await this.person.call('GET', '/cards')).body.data
  renewalCard = async (name: string) => (await this.person.call('GET', `/domains/${name}/renewal-card`)).body.card
  allow = (name: string, cardId: string) =>
    this.person.call('PUT', `/domains/${name}/renewal-card`, { body: { card_id: cardId } })

  grant(amount: number): Promise<unknown> {
    const given = { accountId: this.accountId, amountKobo: kobo(amount), note: '' }
    return database.transact((tx) => grantCredit(tx, actorNamed('operator', 'test'), given))
  }

  /** The renewals, as `status due`, and what was charged for them at the gateway, as `status amount`. */
  async renewals(): Promise<{ orders: string[]; charges: string[] }> {
    const { rows } = await sql<{ text: string; references: string[] }>`
      select status || ' ' || amount_kobo - credit_kobo - promo_kobo as text,
        array(select reference from payments p where p.order_id = o.id and p.card_id is not null) as references
      from orders o where account_id = ${this.accountId} and kind = 'renew' order by id`.execute(db)
    const references = rows.flatMap((row) => row.references)
    const charges = gateway.books.charges().filter(({ reference }) => references.includes(reference))
    return { orders: rows.map(({ text }) => text), charges: charges.map(({ status, amount }) => `${status} ${amount}`) }
  }

  /** The emails about renewals and cards, with their texts. */
  async mails(): Promise<{ kind: string; text: string }[]> {
    const { rows } = await sql<{ id: string; kind: string; content: Buffer }>`
      select id, kind, content from mails where to_address = ${this.person.email}
        and kind in ('domain_renewing', 'renewal_to_pay', 'card_expiring', 'domain_expiring') order by queued_at, id`.execute(
      db,
    )
    return rows.map(({ id, kind, content }) => ({ kind, text: secrets.open('mails.content', id, content) }))
  }

  kinds = async () => (await this.mails()).map(({ kind }) => kind)
}

function referenceIn(opened: TestAnswer): string {
  return decodeURIComponent(new URL(opened.body.url).pathname.split('/').at(-1) ?? '')
}

/** Runs a part of a test this many days before domains that were just bought expire. Afterwards, the clock is set back. */
async function daysBefore(days: number, part: () => Promise<void>): Promise<void> {
  await moveClock(database, `${Math.round((365 - days) * 24 * 60) + 1} minutes`)
  try {
    await part()
  } finally {
    await sql`update domains set state = 'gone', sync_at = null`.execute(db)
    await sql`update payments set step_at = null`.execute(db)
    await moveClock(database, '0 seconds')
  }
}

async function workPayments(of: OrderPaymentWork = work): Promise<void> {
  const due = await database.transact((tx) => claimPayments(tx, 50, 120))
  for (const payment of due) await workPayment(of, payment)
}

/** Everything about payments is due now, as if the time until then had passed. */
async function later(seconds = 125): Promise<void> {
  await sql`update payments set step_at = app_now(), held_until = null,
    charged_at = charged_at - make_interval(secs => ${seconds}) where step_at is not null`.execute(db)
}

test('a card is saved once, if its payer wants that and the gateway can charge it again', async () => {
  const shopper = await Shopper.make()
  const unsaved = await shopper.buy(good, { save: false })
  await shopper.buy(notReusable)
  assert.deepEqual(await shopper.cards(), [])
  const [first, second] = [await shopper.buy(good), await shopper.buy(good)]
  const off = await shopper.buy(good, { autoRenew: false })
  const [card, ...others] = await shopper.cards()
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...card, id: '', created_at: '' },
    {
      id: '',
      brand: 'visa',
      last4: '0001',
      expiry_month: 12,
      expiry_year: new Date().getUTCFullYear() + 4,
      expired: false,
      domain_count: 2,
      domains: [first, second],
      created_at: '',
    },
  )
  assert.equal((await shopper.renewalCard(first)).id, card.id)
  for (const name of [unsaved, off]) assert.equal(await shopper.renewalCard(name), null)
  const { rows } = await sql<{ code: Buffer }>`select code from cards where id = ${card.id}`.execute(db)
  assert.match(secrets.open('cards.code', card.id, rows[0]?.code ?? Buffer.alloc(0)), /^AUTH_/)
})

test('consent is given for one domain in a session, by its owner, while auto-renew is on', async () => {
  const shopper = await Shopper.make()
  const name = await shopper.buy(good)
  const other = await shopper.buy(good, { save: false })
  const [card] = await shopper.cards()
  assert.equal((await shopper.allow(other, card.id)).body.card.id, card.id)
  assert.equal((await shopper.person.call('DELETE', `/domains/${other}/renewal-card`)).status, 204)
  assert.equal((await shopper.person.call('DELETE', `/domains/${other}/renewal-card`)).status, 204)
  assert.equal(await shopper.renewalCard(other), null)
  assert.equal((await shopper.renewalCard(name)).id, card.id)
  // Turning auto-renew off ends the consent, and a key that turns it on again does not bring it back.
  assert.equal((await shopper.person.call('DELETE', `/domains/${name}/auto-renew`)).status, 200)
  assert.deepEqual(codeOf(await shopper.allow(name, card.id)), [409, 'conflict'])
  const key = await api.key(shopper.accountId)
  assert.equal((await api.call('POST', `/domains/${name}/auto-renew`, { key })).status, 200)
  assert.equal(await shopper.renewalCard(name), null)
  for (const [method, path] of [
    ['GET', '/cards'],
    ['PUT', `/domains/${name}/renewal-card`],
  ] as const)
    assert.equal(
      (await api.call(method, path, { key, ...(method === 'PUT' && { body: { card_id: card.id } }) })).status,
      403,
    )
  const stranger = await Shopper.make()
  const theirs = await stranger.buy(good)
  assert.deepEqual(codeOf(await stranger.allow(theirs, card.id)), [404, 'not_found'])
  assert.deepEqual(codeOf(await stranger.allow(name, card.id)), [404, 'not_found'])
  assert.deepEqual(codeOf(await stranger.person.call('DELETE', `/cards/${card.id}`)), [404, 'not_found'])
})

test('auto-renew spends the credit, charges the rest to the card once, and notifies the owner', async () => {
  const shopper = await Shopper.make()
  await shopper.buy(good)
  await shopper.grant(400_000)
  await daysBefore(30, async () => {
    await Promise.all([remindDue(reminders), remindDue(reminders)])
    assert.deepEqual(await shopper.kinds(), [], 'nothing is said before the card was charged')
    await Promise.all([workPayments(), workPayments()])
    await settleDue(api, payments)
    assert.deepEqual(await shopper.renewals(), { orders: ['completed 1000000'], charges: ['success 1000000'] })
    const [mail, ...more] = await shopper.mails()
    assert.deepEqual([mail?.kind, more], ['domain_renewing', []])
    assert.match(mail?.text ?? '', /have charged ₦10,000\.00 to your saved card, Visa ending in 0001\./)
    const { rows } = await sql<{ id: string }>`
      select id from orders where account_id = ${shopper.accountId} and kind = 'renew'`.execute(db)
    assert.deepEqual(await booksOf(api, rows[0]?.id ?? ''), { sales: renewalKobo, credit: -400_000, card: -1_000_000 })
  })
})

test('a declined card is charged once for each notice, and its owner can pay with another one', async () => {
  const shopper = await Shopper.make()
  await shopper.buy(declinedLater)
  await daysBefore(30, async () => {
    await remindDue(reminders)
    await settleDue(api, payments)
    for (let n = 0; n < 3; n++) {
      await later()
      await workPayments()
    }
    const [mail, ...more] = await shopper.mails()
    assert.deepEqual([mail?.kind, more], ['renewal_to_pay', []])
    assert.match(mail?.text ?? '', /but the bank declined your saved card, Visa ending in 0010: Declined\./)
    assert.deepEqual(await shopper.renewals(), {
      orders: [`pending_payment ${renewalKobo}`],
      charges: [`failed ${renewalKobo}`],
    })
    await moveClock(database, `${(365 - 14) * 24 * 60 + 1} minutes`)
    for (let n = 0; n < 2; n++) {
      await later()
      await workPayments()
      await remindDue(reminders)
    }
    await settleDue(api, payments)
    const { orders, charges } = await shopper.renewals()
    assert.deepEqual(orders, [`cancelled ${renewalKobo}`, `pending_payment ${renewalKobo}`])
    assert.deepEqual(charges, [`failed ${renewalKobo}`, `failed ${renewalKobo}`])
    assert.deepEqual(await shopper.kinds(), ['renewal_to_pay', 'renewal_to_pay'])
    // The payment link of the last email.
    const token = /\/app\/pay\/([\w-]+)/.exec((await shopper.mails()).at(-1)?.text ?? '')?.[1]
    const page = (await api.call('GET', `/pay/${token}`)).body
    assert.deepEqual([page.state, page.decline_reason], ['open', 'Declined'])
    const opened = await api.call('POST', `/pay/${token}/checkout`, { body: { email: 'payer@example.net' } })
    await gateway.pay(referenceIn(opened), good)
    await later()
    await settleDue(api, payments)
    assert.deepEqual((await shopper.renewals()).orders, [`cancelled ${renewalKobo}`, `completed ${renewalKobo}`])
  })
})

test('if a bank requires a second step, the owner is notified once and can still pay', async () => {
  const shopper = await Shopper.make()
  await shopper.buy(challengedLater)
  await daysBefore(30, async () => {
    await remindDue(reminders)
    await settleDue(api, payments)
    await later()
    await workPayments()
    const [mail, ...more] = await shopper.mails()
    assert.deepEqual([mail?.kind, more], ['renewal_to_pay', []])
    assert.match(
      mail?.text ?? '',
      /but the bank asks you to confirm the payment with your saved card, Visa ending in 0011\./,
    )
    assert.match(mail?.text ?? '', /\/app\/pay\//)
    const { rows } = await sql<{ id: string; reference: string }>`
      select o.id, p.reference from orders o join payments p on p.order_id = o.id
      where o.account_id = ${shopper.accountId} and o.kind = 'renew'`.execute(db)
    const [{ id, reference }] = rows as [(typeof rows)[0]]
    const opened = await shopper.person.call('POST', `/orders/${id}/checkout`)
    assert.equal(opened.status, 200)
    await gateway.pay(referenceIn(opened), good)
    await later()
    await settleDue(api, payments)
    assert.deepEqual((await shopper.renewals()).orders, [`completed ${renewalKobo}`])
    // The owner also confirms the first payment: it is surplus and is refunded.
    await gateway.pay(reference, good)
    await later()
    await sql`update payments set step_at = app_now() where reference = ${reference}`.execute(db)
    await settleDue(api, payments)
    await later()
    await settleDue(api, payments)
    const refunds = gateway.books.refundsOf(gateway.books.transaction(reference)?.id ?? 0)
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      [renewalKobo],
    )
  })
})

test('wherever the worker is killed, the card is charged exactly once', async () => {
  const shopper = await Shopper.make()
  const names: string[] = []
  for (let n = 0; n < 3; n++) names.push(await shopper.buy(good))
  await daysBefore(30, async () => {
    await remindDue(reminders)
    for (let killAt = 1; killAt <= 12; killAt++) {
      const doom = new Doom(killAt)
      const doomed = { ...work, database: doom.database(database), payments: doom.port(payments) }
      await workPayments(doomed).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
      await later()
    }
    await settleDue(api, payments)
    const { orders, charges } = await shopper.renewals()
    assert.deepEqual(
      orders,
      names.map(() => `completed ${renewalKobo}`),
    )
    assert.deepEqual(
      charges,
      names.map(() => `success ${renewalKobo}`),
    )
    assert.deepEqual(
      await shopper.kinds(),
      names.map(() => 'domain_renewing'),
    )
  })
})

test('an unknown outcome is looked up, and a charge that never arrived is resent with the same reference', async () => {
  for (const [call, behaviour] of [
    ['charge', { answer: 'drop' }],
    ['charge', { status: 502 }],
    ['verify', { status: 502 }],
    ['verify', { answer: 'drop' }],
  ] as const) {
    const shopper = await Shopper.make()
    await shopper.buy(good)
    await daysBefore(30, async () => {
      await remindDue(reminders)
      gateway.behaviours.set({ ...behaviour, times: 1 }, call)
      await workPayments()
      const { rows } = await sql<{ id: string }>`
        select id from orders where account_id = ${shopper.accountId} and kind = 'renew' and status = 'pending_payment'`.execute(
        db,
      )
      // No one can pay twice while the outcome is unknown.
      for (const { id } of rows)
        assert.deepEqual(codeOf(await shopper.person.call('POST', `/orders/${id}/checkout`)), [409, 'conflict'])
      for (let n = 0; n < 3; n++) {
        await later()
        await workPayments()
      }
      await settleDue(api, payments)
      assert.deepEqual(await shopper.renewals(), {
        orders: [`completed ${renewalKobo}`],
        charges: [`success ${renewalKobo}`],
      })
      assert.deepEqual(await shopper.kinds(), ['domain_renewing'])
    })
  }
})

test('a card that is removed, withdrawn or without auto-renew is not charged, and its owner gets a payment link', async () => {
  for (const [what, stop] of [
    ['removed', (shopper: Shopper, _: string, card: string) => shopper.person.call('DELETE', `/cards/${card}`)],
    ['withdrawn', (shopper: Shopper, name: string) => shopper.person.call('DELETE', `/domains/${name}/renewal-card`)],
    ['turned off', (shopper: Shopper, name: string) => shopper.person.call('DELETE', `/domains/${name}/auto-renew`)],
  ] as const) {
    const shopper = await Shopper.make()
    const name = await shopper.buy(good)
    const [card] = await shopper.cards()
    await daysBefore(30, async () => {
      await remindDue(reminders)
      const stopped = await stop(shopper, name, card.id)
      assert.ok(stopped.status < 300, what)
      if (what === 'removed') assert.deepEqual([stopped.body.domains, stopped.body.domain_count], [[name], 1])
      await settleDue(api, payments)
      assert.deepEqual(await shopper.renewals(), { orders: [`pending_payment ${renewalKobo}`], charges: [] }, what)
      assert.deepEqual(await shopper.kinds(), ['renewal_to_pay'], what)
    })
  }
})

test('a card that is removed during its charge pays that order, and is then deleted at the gateway and here', async () => {
  const shopper = await Shopper.make()
  await shopper.buy(good)
  const [card] = await shopper.cards()
  await daysBefore(30, async () => {
    await remindDue(reminders)
    let code = ''
    const charge: Payments['charge'] = async (wanted) => {
      code = wanted.authorization
      const charged = await payments.charge(wanted)
      assert.equal((await shopper.person.call('DELETE', `/cards/${card.id}`)).status, 200)
      return charged
    }
    await workPayments({ ...work, payments: { ...payments, charge } })
    await settleDue(api, payments)
    assert.deepEqual(await shopper.renewals(), {
      orders: [`completed ${renewalKobo}`],
      charges: [`success ${renewalKobo}`],
    })
    assert.deepEqual(await shopper.cards(), [])
    // Removes the cards of other tests.
    await sql`delete from cards where removed_at is not null and id <> ${card.id}`.execute(db)
    gateway.behaviours.set({ status: 502, times: 1 }, 'deactivate')
    await runJob(jobs, 'deactivate-cards', database)
    assert.equal(gateway.books.authorization(code)?.isActive, true)
    await sql`update cards set step_at = app_now() where step_at is not null`.execute(db)
    await runJob(jobs, 'deactivate-cards', database)
    assert.equal(gateway.books.authorization(code)?.isActive, false)
    const { rows } = await sql`select 1 from cards where id = ${card.id}`.execute(db)
    assert.deepEqual(rows, [])
  })
})

test('the owner of a card is notified once before it expires, and an expired card is not charged', async () => {
  const shopper = await Shopper.make()
  const name = await shopper.buy(expiresSoon)
  const [card] = await shopper.cards()
  // On the first day of a long month, the end of the month is more than 30 days away.
  const minutesLeft = (Date.UTC(card.expiry_year, card.expiry_month) - Date.now()) / 60_000
  await moveClock(database, `${Math.round(minutesLeft) - 31 * 24 * 60} minutes`)
  await runJob(jobs, 'remind-of-cards', database)
  assert.deepEqual(await shopper.mails(), [])
  await moveClock(database, `${Math.round(minutesLeft) - 29 * 24 * 60} minutes`)
  await runJob(jobs, 'remind-of-cards', database)
  await runJob(jobs, 'remind-of-cards', database)
  await moveClock(database, '0 seconds')
  const [told, ...more] = await shopper.mails()
  assert.deepEqual([told?.kind, more], ['card_expiring', []])
  assert.match(told?.text ?? '', new RegExp(name.replaceAll('.', '\\.')))
  await daysBefore(30, async () => {
    const [expired] = await shopper.cards()
    assert.equal(expired.expired, true)
    assert.deepEqual(codeOf(await shopper.allow(name, card.id)), [409, 'conflict'])
    await remindDue(reminders)
    await settleDue(api, payments)
    assert.deepEqual(await shopper.renewals(), { orders: [`pending_payment ${renewalKobo}`], charges: [] })
    assert.deepEqual(await shopper.kinds(), ['card_expiring', 'renewal_to_pay'])
    assert.match((await shopper.mails()).at(-1)?.text ?? '', /but your saved card, Visa ending in 0013, has expired\./)
  })
})

test('an order by a key charges no card', async () => {
  const shopper = await Shopper.make()
  const name = await shopper.buy(good)
  const key = await api.key(shopper.accountId)
  const quote = await api.call('POST', '/quotes', { key, body: { kind: 'renew', name } })
  const placed = await api.call('POST', '/orders', { key, body: { quote_id: quote.body.id } })
  assert.equal(placed.status, 201)
  await settleDue(api, payments)
  assert.deepEqual(await shopper.renewals(), { orders: [`pending_payment ${renewalKobo}`], charges: [] })
  assert.equal(placed.body.due_kobo, renewalKobo)
  // Auto-renew does not pay it either: its owner must pay or cancel the order.
  await daysBefore(30, async () => {
    await remindDue(reminders)
    await settleDue(api, payments)
    assert.deepEqual((await shopper.renewals()).charges, [])
  })
})

test('an account saves at most ten cards, and deleting the account removes its cards', async () => {
  const shopper = await Shopper.make()
  const name = await shopper.buy(good)
  await sql`
    insert into cards select (jsonb_populate_record(k, jsonb_build_object('id', 'card_more' || n, 'signature', 'SIG_more' || n))).*
    from cards k cross join generate_series(1, 9) n where k.account_id = ${shopper.accountId}`.execute(db)
  assert.equal((await shopper.person.call('GET', '/cards')).body.can_save, false)
  const quote = await shopper.person.call('POST', '/quotes', { body: { kind: 'renew', name } })
  const { id } = (await shopper.person.call('POST', '/orders', { body: { quote_id: quote.body.id } })).body
  const refused = await shopper.person.call('POST', `/orders/${id}/checkout`, { body: { save_card: true } })
  assert.deepEqual(codeOf(refused), [409, 'conflict'])
  assert.equal((await shopper.person.call('POST', `/orders/${id}/checkout`)).status, 200)
  await sql`delete from cards where id like 'card_more%'`.execute(db)
  assert.equal((await shopper.person.call('POST', `/orders/${id}/cancel`)).status, 200)
  const left = { password: shopper.person.password, let_go: true }
  assert.equal((await shopper.person.call('DELETE', '/account', { body: left })).status, 204)
  const { rows } =
    await sql`select removed_at is not null as removed from cards where account_id = ${shopper.accountId}`.execute(db)
  assert.deepEqual(rows, [{ removed: true }])
})
