// The service is killed at every step of an order. The order ends correctly, with one command at the registry and one movement of the money.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import pg from 'pg'
import { cards, eventually, payAt, RegistryOffice, Shopper, VirtualClock, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const shopper = await Shopper.at(world)
const office = await RegistryOffice.of(world)
const clock = new VirtualClock(world)
const price = 1_250_000
const leaseS = 121
await world.admin('credit', 'grant', world.facts.account.email, String(20 * price), 'for the kills')
const database = new pg.Pool({ connectionString: world.ownerUrl, max: 2 })
// The world ends first, with its own PostgreSQL if it has one.
database.on('error', () => undefined)
after(() => database.end())

/** Kills the service as a power cut would, and waits until the next process is ready. */
async function killService(): Promise<void> {
  const { service } = world.programs
  const { pid } = service
  assert.ok(pid !== undefined && pid > 1)
  process.kill(pid, 'SIGKILL')
  await eventually('another one is started', async () => service.pid !== pid)
  await service.ready()
}

/** Locks an order's row, so that a process that records a result waits. Releases it once `meanwhile` is over. */
async function holding(order: string, meanwhile: () => Promise<void>): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query('select 1 from orders where id = $1 for update', [order])
    assert.equal(rowCount, 1)
    await meanwhile()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const byCredit = { order: { use_credit: true } }

/** Checks that the domain is ours after exactly these commands at the registry, and that all money is in the right books, and none in the order's. */
async function endedRight(id: string, name: string, sent: readonly string[]): Promise<void> {
  assert.equal((await office.domain(name))?.sponsor, 'zonewright')
  assert.deepEqual(await ordered(name), sent)
  assert.deepEqual(await books(id), { credit: -price, sales: price })
}

/** The commands of the order. The lock of the new domain, a change of its own, may follow them once. */
async function ordered(name: string): Promise<string[]> {
  const commands = (await office.sent(name)).map(({ command }) => command)
  return commands.at(-1) === 'domain:update' ? commands.slice(0, -1) : commands
}

async function books(id: string): Promise<Record<string, number>> {
  const { rows } = await database.query<{ book: string; held: string }>(
    `select book, sum(amount) as held from (
       select to_book as book, amount_kobo as amount from ledger_entries where order_id = $1
       union all select from_book, -amount_kobo from ledger_entries where order_id = $1) lines
     group by book having sum(amount) <> 0`,
    [id],
  )
  return Object.fromEntries(rows.map(({ book, held }) => [book, Number(held)]))
}

test('after a kill before anything is sent, the next process sends the command', async () => {
  const name = 'kill-before.test'
  const quote = await shopper.quote(name)
  // No login succeeds: the command is recorded, and waits for a session.
  await office.behave('greeting', '', { answer: 'hang' })
  await office.closeSessions()
  const { id } = await shopper.place(quote, byCredit.order)
  await writtenDown(id, 'contact')
  await killService()
  await office.behave('greeting', '', {})
  await office.closeSessions()
  await clock.pass(leaseS)
  await inTheEnd(id, 'completed')
  await endedRight(id, name, ['domain:create'])
})

test('after a kill between storing a command and its arrival, the command is sent again after two lookups', async () => {
  const name = 'kill-unsent.test'
  // It never arrives: the registry does nothing and sends no response.
  await office.once('domain:create', name, { skip: true, answer: 'hang' })
  const { id } = await shopper.order(name, byCredit)
  await office.untilSent(name, 'domain:create')
  await killService()
  await clock.pass(leaseS)
  await eventually('it is looked for', async () => (await shopper.read(id)).stage === 'checking')
  assert.equal((await office.sent(name)).length, 1, 'one look is not enough')
  await clock.pass(61)
  await inTheEnd(id, 'completed')
  await endedRight(id, name, ['domain:create', 'domain:create'])
})

test('after a kill while it waits for a response, the service finds the domain and repeats nothing', async () => {
  const name = 'kill-unanswered.test'
  await office.once('domain:create', name, { answer: 'hang' })
  const { id } = await shopper.order(name, byCredit)
  await office.untilSent(name, 'domain:create')
  await killService()
  await clock.pass(leaseS)
  await inTheEnd(id, 'completed')
  await endedRight(id, name, ['domain:create'])
})

test('after a kill between a response and its storage, the service finds the domain and repeats nothing', async () => {
  const name = 'kill-answered.test'
  await office.once('domain:create', name, { delayMs: 4_000 })
  const { id } = await shopper.order(name, byCredit)
  await writtenDown(id, 'create')
  await holding(id, async () => {
    await office.untilSent(name, 'domain:create')
    await waitingForLock()
    await killService()
  })
  await clock.pass(leaseS)
  await inTheEnd(id, 'completed')
  await endedRight(id, name, ['domain:create'])
})

test('after a kill between a payment’s success and its storage, the payment counts once', async () => {
  const name = 'kill-paying.test'
  const { id } = await shopper.order(name)
  const page = await shopper.checkout(id)
  await holding(id, async () => {
    await payAt(page, cards.success)
    await waitingForLock()
    await killService()
  })
  await clock.pass(leaseS)
  await inTheEnd(id, 'completed')
  assert.deepEqual(await ordered(name), ['domain:create'])
  assert.deepEqual(await books(id), { card: -price, sales: price })
})

test('after a kill between posting a refund and its response, the refund is found and not repeated', async () => {
  const name = 'kill-refund.test'
  const { id } = await shopper.order(name)
  await office.once('domain:create', name, { code: 2306 })
  await shopper.onceAtGateway('refund', { answer: 'hang' })
  await shopper.pay(id, cards.neverTold)
  // There is no webhook for this card or its refund. The service queries the gateway itself, half a minute later.
  await clock.pass(31)
  const { payments } = await shopper.until(id, 'failed')
  const reference = payments[0]?.reference ?? ''
  const refunds = () => shopper.refundsAtGateway(reference)
  await eventually('the refund is posted', async () => (await refunds()).length === 1)
  await killService()
  await clock.pass(leaseS)
  await inTheEnd(id, 'refunded')
  assert.deepEqual(
    (await refunds()).map(({ amount, status }) => [amount, status]),
    [[price, 'processed']],
  )
  assert.deepEqual(await books(id), {})
})

test('after repeated random kills, every order ends with one domain and its money accounted for', async () => {
  const names = Array.from({ length: 10 }, (_, i) => `kill-random-${i}.test`)
  const ids: string[] = []
  for (const [i, name] of names.entries()) {
    ids.push((await shopper.order(name, byCredit)).id)
    if (i % 4 === 3) await killService()
  }
  await clock.pass(leaseS)
  for (const [i, id] of ids.entries()) {
    await inTheEnd(id, 'completed')
    await endedRight(id, names[i] ?? '', ['domain:create'])
  }
})

/** Waits for an order's end while time passes, minute by minute, because a check that failed by chance is repeated after some minutes. */
async function inTheEnd(id: string, status: string): Promise<void> {
  for (let minutes = 0; minutes < 6; minutes++) {
    const order = await shopper.until(id, status, 3_000).catch(() => undefined)
    if (order !== undefined) return
    await clock.pass(61)
  }
  await shopper.until(id, status)
}

/** Waits until a command of an order is about to be sent. */
async function writtenDown(id: string, command: string): Promise<void> {
  await eventually(`${command} is written down`, async () => {
    const { rowCount } = await database.query(
      `select 1 from registry_commands where order_id = $1 and command = $2 and state = 'sending'`,
      [id, command],
    )
    return rowCount === 1
  })
}

/** Waits until a statement of the service waits for a locked row. */
async function waitingForLock(): Promise<void> {
  await eventually('a statement waits for the row', async () => {
    const { rowCount } = await database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and application_name like 'zonewright%'`,
    )
    return (rowCount ?? 0) > 0
  })
}
