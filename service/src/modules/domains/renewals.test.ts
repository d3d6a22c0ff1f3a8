import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGateway } from '@zonewright/sandbox'
import fc from 'fast-check'
import { createPaystack } from '#adapters/paystack/index.ts'
import { grantCredit, kobo } from '#modules/billing/index.ts'
import { advanceOrder, takeOrders } from '#modules/orders/advance-order.ts'
import { expireOrders } from '#modules/orders/expire-orders.ts'
import { renewByItself } from '#modules/orders/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi, testNameservers, testOrigin } from '#testing/test-api.ts'
import { settleDue } from '#testing/test-buyer.ts'
import { TestOwner } from '#testing/test-owner.ts'
import { type RemindWork, remindDue } from './remind.ts'
import { dueNotice, noticeDays } from './renewal-rules.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const secretKey = 'sk_test_renewals'
const gateway = await startGateway({ httpListen: '127.0.0.1:0', secretKey })
const payments = createPaystack({ url: `http://${gateway.address}`, secretKey, timeoutMs: 5_000 })
after(async () => {
  await payments.close()
  await gateway.close()
})
const api = await startTestApi({ registry: server, payments })
const { database } = api
const { db } = database
const { registries, secrets, log } = api.orders
const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)
const parts = { database, tlds, registries, secrets, nameservers: testNameservers, site: testOrigin, savedCards: true }
const work: RemindWork = { database, secrets, log, site: testOrigin, renewByItself: renewByItself(parts) }
const renewal = 1_400_000
const year = 365

let owners = 0
const newOwner = (): Promise<TestOwner> => TestOwner.make(api, server, `owner${++owners}@example.net`)

/** Sets the clock of the database to this many days before the domain expires. The clock is set back when the test ends. */
async function daysBefore(days: number): Promise<void> {
  await moveClock(database, `${Math.round((year - days) * 24 * 60) + 1} minutes`)
}
async function mails(owner: TestOwner): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from mails where to_address = ${owner.person.email} and kind in ('domain_expired', 'domain_expiring', 'domain_renewing', 'renewal_to_pay')
    order by queued_at, id`.execute(db)
  return rows.map(({ kind }) => kind)
}
async function ordersOf(owner: TestOwner): Promise<string[]> {
  const { rows } = await sql<{ kind: string; status: string; due: number }>`
    select kind, status, amount_kobo - credit_kobo - promo_kobo as due from orders where account_id = ${owner.accountId} order by id`.execute(
    db,
  )
  return rows.map(({ kind, status, due }) => `${kind} ${status} ${due}`)
}
async function workOrders(): Promise<void> {
  const orders = await database.transact((tx) => takeOrders(tx, api.orders, 50))
  for (const order of orders) await advanceOrder(api.orders, order)
}
function grant(owner: TestOwner, amount: number): Promise<unknown> {
  const given = { accountId: owner.accountId, amountKobo: kobo(amount), note: '' }
  return database.transact((tx) => grantCredit(tx, actorNamed('operator', 'test'), given))
}
async function autoRenewed(owner: TestOwner, tld = 'test'): Promise<string> {
  const name = await owner.domain({ prefix: `renewed${owners}-`, tld })
  assert.equal((await owner.call('POST', `${name}/auto-renew`)).status, 200)
  return name
}
/** Runs a part of a test. Afterwards, sets the clock back and removes its domains, so that they do not affect the next part. */
async function inTime(owner: TestOwner, part: () => Promise<void>): Promise<void> {
  try {
    await part()
  } finally {
    await sql`update domains set state = 'gone', sync_at = null where account_id = ${owner.accountId}`.execute(db)
    await moveClock(database, '0 seconds')
  }
}

test('a notice is due once on each of its days and at the expiry, and a missed one is not sent later', () => {
  assert.deepEqual(
    [31, 30, 29.5, 14, 7.01, 7, 1, 0.01, 0, -3].map((left) => dueNotice(left, null)),
    [undefined, 30, 30, 14, 14, 7, 1, 1, 0, 0],
  )
  fc.assert(
    fc.property(fc.array(fc.double({ min: -5, max: 60, noNaN: true }), { maxLength: 40 }), (looks) => {
      const told: number[] = []
      // The time may be read any number of times and may jump ahead by any amount.
      for (const left of looks.toSorted((a, b) => b - a)) {
        const due = dueNotice(left, told.at(-1) ?? null)
        if (due !== undefined) told.push(due)
      }
      assert.deepEqual(
        told,
        noticeDays.filter((days) => told.includes(days)),
        'in their order, none twice',
      )
      const last = looks.toSorted((a, b) => a - b)[0]
      if (last !== undefined && last <= 30) assert.equal(told.at(-1), dueNotice(last, null), 'the latest one is told')
    }),
  )
})

test('an owner is reminded 30, 14, 7 and 1 days before the expiry and once after it, once each, however many runs and workers there are', async () => {
  const owner = await newOwner()
  await owner.domain({ prefix: 'reminded' })
  await inTime(owner, async () => {
    for (const [days, sent] of [
      [31, 0],
      [30, 1],
      [29, 1],
      [14, 2],
      [7, 3],
      [6.5, 3],
      [1, 4],
      [0.2, 4],
      [-1, 4],
    ] as const) {
      await daysBefore(days)
      await Promise.all([remindDue(work), remindDue(work), remindDue(work)])
      assert.equal((await mails(owner)).length, sent, `${days} days ahead`)
    }
    assert.deepEqual(
      new Set(await mails(owner)),
      new Set(['domain_expiring']),
      'its registry has not said that it expired',
    )
    await owner.workNow()
    await Promise.all([remindDue(work), remindDue(work), remindDue(work)])
    assert.deepEqual((await mails(owner)).slice(4), ['domain_expired'])
    await daysBefore(-3)
    await owner.workNow()
    await remindDue(work)
    assert.equal((await mails(owner)).length, 5)
    assert.deepEqual(await ordersOf(owner), [])
  })
})

test('a service that was down for weeks sends one reminder, the one that is due now', async () => {
  const owner = await newOwner()
  await owner.domain({ prefix: 'slept' })
  await inTime(owner, async () => {
    await daysBefore(5)
    await remindDue(work)
    await remindDue(work)
    assert.equal((await mails(owner)).length, 1)
    await daysBefore(0.5)
    await remindDue(work)
    assert.equal((await mails(owner)).length, 2)
  })
})

test('auto-renew pays by credit, once for each expiry, and the new expiry comes from the registry', async () => {
  const owner = await newOwner()
  await grant(owner, renewal + 5)
  const name = await autoRenewed(owner)
  const before = staff.domain(name)?.expiresAt ?? 0
  // A year ago, the domain was renewed as many days before its expiry.
  await sql`
    update domains set noticed_expiry = expires_at - interval '1 year', noticed_days = 30, tried_days = 30
    where name = ${name}`.execute(db)
  await inTime(owner, async () => {
    await daysBefore(30)
    await Promise.all([remindDue(work), remindDue(work)])
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'])
    await workOrders()
    assert.deepEqual(await ordersOf(owner), ['renew completed 0'])
    assert.ok((staff.domain(name)?.expiresAt ?? 0) > before + 364 * 86_400_000)
    const { body } = await owner.call('GET', name)
    assert.equal(Date.parse(body.expires_at), staff.domain(name)?.expiresAt)
    for (const days of [14, 7, 1]) {
      await daysBefore(days)
      await remindDue(work)
    }
    assert.deepEqual(await ordersOf(owner), ['renew completed 0'], 'it expires a year later now')
    assert.deepEqual(await mails(owner), ['domain_renewing'])
  })
})

test('an owner is notified that a domain has expired unless the registry is deleting it, and it is no longer renewed automatically', async () => {
  const owner = await newOwner()
  await grant(owner, renewal)
  const name = await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(-1)
    await owner.workNow()
    const setStatus = (status: string) =>
      sql`update domains set statuses = ${[status]} where name = ${name}`.execute(db)
    const setDeleted = (isDeleted: boolean) =>
      sql`
      update accounts set deleted_at = case when ${isDeleted} then app_now() end where id = ${owner.accountId}`.execute(
        db,
      )
    await setStatus('pendingDelete')
    await remindDue(work)
    await setStatus('ok')
    await setDeleted(true)
    await remindDue(work)
    assert.deepEqual(await mails(owner), [])
    await setDeleted(false)
    await remindDue(work)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], ['domain_expired']])
  })
})

test('auto-renew that is turned off while the registry is queried orders nothing, and its owner is reminded', async () => {
  const owner = await newOwner()
  await grant(owner, renewal)
  const name = await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(29)
    const slow: RemindWork = {
      ...work,
      renewByItself: async (...about) => {
        const place = await work.renewByItself(...about)
        assert.equal((await owner.call('DELETE', `${name}/auto-renew`)).status, 200)
        return place
      },
    }
    await remindDue(slow)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], []])
    await remindDue(work)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], ['domain_expiring']])
  })
})

test('a domain with a transfer to another registrar is not renewed automatically, and its owner is reminded', async () => {
  const owner = await newOwner()
  await grant(owner, renewal)
  const name = await autoRenewed(owner)
  const asked = { requestedBy: 'rival', requestedAt: '2026-01-01T00:00:00.000Z', actBy: '2026-01-06T00:00:00.000Z' }
  await sql`update domains set transfer_out = ${JSON.stringify(asked)}::jsonb where name = ${name}`.execute(db)
  await inTime(owner, async () => {
    await daysBefore(29)
    await remindDue(work)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], ['domain_expiring']])
  })
})

test('without enough credit, auto-renew places an order and emails the owner a payment link for the rest', async () => {
  const owner = await newOwner()
  await grant(owner, 400_000)
  await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(30)
    await remindDue(work)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), ['renew pending_payment 1000000'])
    assert.deepEqual(await mails(owner), ['renewal_to_pay'])
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pay_links`.execute(db)
    assert.deepEqual(rows, [{ n: 1 }])
    // No one has paid the order, so a new one replaces it, with a payment link that works.
    await daysBefore(14)
    await Promise.all([remindDue(work), remindDue(work)])
    assert.deepEqual(await ordersOf(owner), ['renew cancelled 1000000', 'renew pending_payment 1000000'])
    assert.deepEqual(await mails(owner), ['renewal_to_pay', 'renewal_to_pay'])
  })
})

test('credit that arrives after auto-renew has placed an order pays it at the next notice', async () => {
  const owner = await newOwner()
  const name = await autoRenewed(owner)
  const before = staff.domain(name)?.expiresAt ?? 0
  await inTime(owner, async () => {
    await daysBefore(7)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), [`renew pending_payment ${renewal}`])
    await grant(owner, renewal)
    await daysBefore(1)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), [`renew cancelled ${renewal}`, 'renew processing 0'])
    await workOrders()
    assert.ok((staff.domain(name)?.expiresAt ?? 0) > before + 364 * 86_400_000)
    assert.deepEqual(await mails(owner), ['renewal_to_pay', 'domain_renewing'])
  })
})

test('auto-renew that is turned on after the last notice renews immediately', async () => {
  const owner = await newOwner()
  await grant(owner, renewal)
  const name = await owner.domain({ prefix: 'late' })
  const before = staff.domain(name)?.expiresAt ?? 0
  await inTime(owner, async () => {
    await daysBefore(0.9)
    await remindDue(work)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], ['domain_expiring']])
    assert.equal((await owner.call('POST', `${name}/auto-renew`)).status, 200)
    await Promise.all([remindDue(work), remindDue(work)])
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'])
    await workOrders()
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), ['renew completed 0'])
    assert.ok((staff.domain(name)?.expiresAt ?? 0) > before + 364 * 86_400_000)
    assert.deepEqual(await mails(owner), ['domain_expiring', 'domain_renewing'])
  })
})

test('however often it is turned off and on, auto-renew orders once for each notice, and sends one email each', async () => {
  const owner = await newOwner()
  const name = await owner.domain({ prefix: 'wavering' })
  const turn = async (method: 'POST' | 'DELETE') =>
    assert.equal((await owner.call(method, `${name}/auto-renew`)).status, 200)
  const toldAndOrdered = async () => [(await mails(owner)).length, (await ordersOf(owner)).length]
  await inTime(owner, async () => {
    for (const [days, soFar] of [
      [6, 0],
      [1, 1],
    ] as const) {
      await daysBefore(days)
      await remindDue(work)
      assert.deepEqual(await toldAndOrdered(), [2 * soFar + 1, soFar], 'it is off')
      for (let n = 0; n < 3; n++) {
        await turn('POST')
        await remindDue(work)
        assert.deepEqual(await toldAndOrdered(), [2 * soFar + 2, soFar + 1])
        await turn('DELETE')
        await remindDue(work)
      }
      assert.deepEqual(await toldAndOrdered(), [2 * soFar + 2, soFar + 1])
    }
    assert.deepEqual(await ordersOf(owner), [`renew cancelled ${renewal}`, `renew pending_payment ${renewal}`])
    assert.deepEqual(await mails(owner), ['domain_expiring', 'renewal_to_pay', 'domain_expiring', 'renewal_to_pay'])
  })
})

/** Opens the gateway's page for an owner's only unpaid order, and returns the payment's reference. */
async function checkout(owner: TestOwner): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where account_id = ${owner.accountId} and status = 'pending_payment'`.execute(db)
  const opened = await owner.person.call('POST', `/orders/${rows[0]?.id}/checkout`)
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  return decodeURIComponent(new URL(opened.body.url).pathname.split('/').at(-1) ?? '')
}

test('auto-renew does not replace its own card-paid order until the gateway reports that it is not paid', async () => {
  const owner = await newOwner()
  const name = await autoRenewed(owner)
  const before = staff.domain(name)?.expiresAt ?? 0
  await inTime(owner, async () => {
    await daysBefore(7)
    await remindDue(work)
    const reference = await checkout(owner)
    await settleDue(api, payments)
    // No webhook arrives.
    await gateway.pay(reference, '4000000000000001')
    await grant(owner, renewal)
    await daysBefore(1)
    await remindDue(work)
    await expireOrders(database)
    assert.deepEqual(await ordersOf(owner), [`renew pending_payment ${renewal}`])
    await settleDue(api, payments)
    assert.deepEqual(await ordersOf(owner), [`renew completed ${renewal}`])
    await remindDue(work)
    await settleDue(api, payments)
    assert.equal((await ordersOf(owner)).length, 1)
    const transaction = gateway.books.transaction(reference) ?? assert.fail()
    assert.deepEqual(gateway.books.refundsOf(transaction.id), [])
    assert.ok((staff.domain(name)?.expiresAt ?? 0) < before + 367 * 86_400_000, 'renewed once')
  })
})

test('the slower of two concurrent runs does not touch an order of the other one that someone is paying', async () => {
  const owner = await newOwner()
  await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(7)
    let reference = ''
    const slower: RemindWork = {
      ...work,
      renewByItself: async (...about) => {
        await remindDue(work)
        reference = await checkout(owner)
        return work.renewByItself(...about)
      },
    }
    await remindDue(slower)
    assert.notEqual(reference, '')
    // A day later, the emailed payment link works.
    await daysBefore(6)
    await expireOrders(database)
    await settleDue(api, payments)
    await expireOrders(database)
    assert.deepEqual(await ordersOf(owner), [`renew pending_payment ${renewal}`])
    assert.deepEqual(await mails(owner), ['renewal_to_pay'])
    await gateway.pay(reference, '4000000000000001')
    await daysBefore(5)
    await settleDue(api, payments)
    assert.deepEqual(await ordersOf(owner), [`renew completed ${renewal}`])
  })
})

test('an auto-renew order that the payer abandoned at the gateway is replaced once the gateway was queried', async () => {
  const owner = await newOwner()
  await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(7)
    await remindDue(work)
    await checkout(owner)
    await settleDue(api, payments)
    await grant(owner, renewal)
    await daysBefore(1)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), [`renew pending_payment ${renewal}`])
    await expireOrders(database)
    await settleDue(api, payments)
    await expireOrders(database)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), [`renew cancelled ${renewal}`, 'renew processing 0'])
  })
})

test('auto-renew does not touch a renewal that the owner has ordered and not paid', async () => {
  const owner = await newOwner()
  const name = await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(8)
    const quote = await owner.person.call('POST', '/quotes', { body: { kind: 'renew', name } })
    const placed = await owner.person.call('POST', '/orders', { body: { quote_id: quote.body.id } })
    assert.equal(placed.status, 201, JSON.stringify(placed.body))
    await grant(owner, renewal)
    await daysBefore(7)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), [`renew pending_payment ${renewal}`])
    assert.deepEqual(await mails(owner), ['domain_expiring'])
  })
})

test('the owner learns what prevents an auto-renewal; an unavailable registry, or one that does not know the domain, is queried again', async () => {
  const owner = await newOwner()
  await grant(owner, 2 * renewal)
  const name = await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(30)
    for (const code of [2400, 2303, 2201]) {
      staff.once('domain:info', { code }, name)
      await remindDue(work)
      assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], []], `${code}`)
    }
    staff.once('domain:info', { code: 2306 }, name)
    await remindDue(work)
    assert.deepEqual([await ordersOf(owner), await mails(owner)], [[], ['domain_expiring']])
    await daysBefore(14)
    staff.once('domain:info', { code: 2303 }, name)
    await remindDue(work)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'], 'the next pass places it')
  })
})

test('if a domain cannot be read until half a day before its expiry, its owner is notified once, and the attempts continue', async () => {
  const owner = await newOwner()
  await grant(owner, renewal)
  const name = await autoRenewed(owner)
  await inTime(owner, async () => {
    server.epp.behaviours.set({ code: 2400 }, 'domain:info', name)
    await daysBefore(1)
    await remindDue(work)
    assert.deepEqual(await mails(owner), [])
    await daysBefore(0.4)
    await remindDue(work)
    await remindDue(work)
    assert.deepEqual(await mails(owner), ['domain_expiring'])
    staff.behave(name)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'])
  })
})

const asked = (): string[] =>
  server.epp.noted
    .filter(({ registrar, command }) => registrar === 'zonewright' && command === 'domain:info')
    .map(({ subject }) => subject)

test('a registry that fails for three domains in a row is skipped for that run: other TLDs and plain reminders do not wait for it', async () => {
  const owner = await newOwner()
  await grant(owner, 10 * renewal)
  const silent = [await autoRenewed(owner), await autoRenewed(owner), await autoRenewed(owner)]
  const same = await autoRenewed(owner)
  const other = await autoRenewed(owner, 'com.test')
  await owner.domain({ prefix: 'reminded' })
  await inTime(owner, async () => {
    await daysBefore(30)
    for (const name of silent) staff.once('domain:info', { code: 2400 }, name)
    const before = asked().length
    const laggards = await remindDue(work)
    assert.deepEqual(asked().slice(before), [...silent, other])
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'])
    assert.deepEqual(await mails(owner), ['domain_renewing', 'domain_expiring'])
    assert.deepEqual(await remindDue(work, laggards), [])
    assert.deepEqual(asked().slice(before + 4), [same, ...silent], 'the next pass asks it again, for others first')
    assert.equal((await ordersOf(owner)).length, 5)
  })
})

test('one domain that its registry cannot report on does not prevent renewals of other domains of its TLD', async () => {
  const owner = await newOwner()
  await grant(owner, 2 * renewal)
  const broken = await autoRenewed(owner)
  await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(30)
    staff.once('domain:info', { code: 2400 }, broken)
    await remindDue(work)
    assert.deepEqual(await ordersOf(owner), ['renew processing 0'])
  })
})

test('many unreadable domains do not prevent renewals: they come last in the next run until they are readable', async () => {
  const owner = await newOwner()
  await grant(owner, 10 * renewal)
  const broken: string[] = []
  for (let n = 0; n < 7; n++) broken.push(await autoRenewed(owner))
  await autoRenewed(owner)
  await inTime(owner, async () => {
    await daysBefore(30)
    for (const name of broken) server.epp.behaviours.set({ code: 2400 }, 'domain:info', name)
    let laggards: readonly number[] = []
    const inPass = async (): Promise<number> => {
      laggards = await remindDue(work, laggards)
      return (await ordersOf(owner)).length
    }
    assert.deepEqual([await inPass(), await inPass(), await inPass()], [0, 0, 1])
    staff.behave(broken[6] ?? '')
    assert.deepEqual([await inPass(), await inPass()], [1, 2])
    for (const name of broken) staff.behave(name)
    assert.equal(await inPass(), 8)
    assert.deepEqual(laggards, [])
  })
})
