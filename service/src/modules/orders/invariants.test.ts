import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cards, startGateway } from '@zonewright/sandbox'
import fc from 'fast-check'
import { createPaystack } from '#adapters/paystack/index.ts'
import { checkEnd, checkInvariants } from '#testing/order-invariants.ts'
import { type Deed, mishaps, OrderTrial, type Racer, type TrialGround } from '#testing/order-trial.ts'
import { indexForTrials } from '#testing/order-trial-store.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'

// `npm run bench orders-invariants` runs ten thousand.
const sequences = Number(process.env['ORDER_SEQUENCES'] ?? 150)
const seed = Number(process.env['ORDER_SEED'] ?? Date.now() % 2 ** 31)
/** Trials that run at the same time. Each has its own account; they share the workers' tables, the registry and the gateway. */
const atOnce = 6

const secretKey = 'sk_test_trials'
const gateway = await startGateway({ httpListen: '127.0.0.1:0', secretKey })
const payments = createPaystack({ url: `http://${gateway.address}`, secretKey, timeoutMs: 10_000 })
after(() => payments.close())
after(() => gateway.close())
const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
await staff.fund()
const api = await startTestApi({ payments, registry })
await indexForTrials(api.database.db)
const elsewhere = asAnotherProcess(api.database.url)
const ground: TrialGround = { api, staff, gateway, payments, secretKey, elsewhere }

const index = fc.nat(5)
const name = fc.constantFrom<0 | 1>(0, 1)
/** Most steps kill no worker. */
const killAt = fc.oneof(
  { arbitrary: fc.constant(0), weight: 2 },
  { arbitrary: fc.integer({ min: 1, max: 24 }), weight: 3 },
)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      what: fc.constantFrom('register', 'register', 'renew', 'transfer'),
      name,
      credit: fc.boolean(),
      promo: fc.boolean(),
      autoRenew: fc.boolean(),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ do: fc.constant('auto_renew' as const), killAt }), weight: 2 },
  {
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      what: fc.constantFrom('remove' as const, 'withdraw' as const, 'allow' as const),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      killAt,
      company: fc.constantFrom('none' as const, 'none' as const, 'other' as const, 'hurried' as const),
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      order: index,
      card: fc.constantFrom(...cards.map(({ number }) => number)),
      killAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
      extraKobo: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, -1, 1),
      save: fc.boolean(),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('pay_again' as const),
      payment: index,
      card: fc.constantFrom(...cards.map(({ number }) => number)),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      payment: index,
      event: fc.constantFrom('charge.success', 'charge.success', 'refund.processed', 'refund.failed'),
      times: fc.integer({ min: 1, max: 2 }),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      seconds: fc.constantFrom(1, 35, 61, 130, 3_700, 90_000),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('registry' as const),
      command: fc.constantFrom('create', 'create', 'renew', 'transfer', 'info'),
      mishap: fc.constantFrom(...Object.keys(mishaps)),
      name,
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ do: fc.constant('decide' as const), name, isDone: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('hear' as const), killAt, acknowledge: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('miss' as const) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('cancel' as const), order: index }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('bank_answers' as const), payment: index }), weight: 1 },
  {
    arbitrary: fc.record({ do: fc.constant('part_by_hand' as const), payment: index, isPending: fc.boolean() }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      do: fc.constant('at_once' as const),
      first: fc.constantFrom<Racer>('work', 'work', 'cancel', 'remove', 'expire'),
      commit: fc.integer({ min: 1, max: 4 }),
      second: fc.constantFrom<Racer>('work', 'cancel', 'order', 'remove', 'expire'),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant('expire' as const) }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant('gateway' as const),
      call: fc.constantFrom('initialize', 'verify', 'charge', 'refund', 'refunds'),
    }),
    weight: 1,
  },
)
/** An order is placed: a registration of one name, or a transfer of the other. */
const begun: fc.Arbitrary<Deed[]> = fc
  .record({
    what: fc.constantFrom('register' as const, 'transfer' as const),
    credit: fc.boolean(),
    promo: fc.boolean(),
  })
  .map((order) => [{ do: 'order', name: order.what === 'transfer' ? 1 : 0, ...order }])
/** A renewal of a registered name fails, if the credit covers both. */
const renewed: fc.Arbitrary<Deed[]> = fc.constantFrom(...Object.keys(mishaps)).map((mishap) => [
  { do: 'order', what: 'register', name: 0, credit: true, promo: false },
  { do: 'work', killAt: 0, company: 'hurried' },
  { do: 'order', what: 'renew', name: 0, credit: true, promo: false },
  { do: 'registry', command: 'renew', mishap, name: 0 },
])
/** The registry refuses an order that was paid by card, and the payment is refunded. */
const refused: fc.Arbitrary<Deed[]> = fc
  .constantFrom(...cards.filter(({ pays }) => pays === 'success'))
  .map(({ number }) => [
    { do: 'order', what: 'register', name: 0, credit: false, promo: false },
    { do: 'registry', command: 'create', mishap: 'refused', name: 0 },
    { do: 'pay', order: 0, card: number, killAt: 0, extraKobo: 0 },
    { do: 'work', killAt: 0, company: 'none' },
  ])
const success = '4000000000000001'
const late = '4000000000000007'
const pay = (card: string, extraKobo = 0): Deed => ({ do: 'pay', order: 0, card, killAt: 0, extraKobo })
const heard: Deed = { do: 'tell', payment: 0, event: 'charge.success', times: 1 }
const worked: Deed = { do: 'work', killAt: 0, company: 'none' }
const later: Deed = { do: 'time', seconds: 35 }
const ordered: Deed = { do: 'order', what: 'register', name: 0, credit: true, promo: false }
const spent: Deed = { do: 'order', what: 'transfer', name: 1, credit: true, promo: false }
/** A payment changes state at the same time as another event, or a different amount is paid. */
const crossed: fc.Arbitrary<Deed[]> = fc
  .record({ commit: fc.integer({ min: 1, max: 4 }), isOver: fc.boolean() })
  .chain(({ commit, isOver }) => {
    /** The order expires while its payer is at the bank. */
    const lapsed: Deed[] = [ordered, pay(late), { do: 'time', seconds: 90_000 }, worked, { do: 'expire' }]
    const paidLate: Deed[] = [{ do: 'bank_answers', payment: 0 }, heard]
    return fc.constantFrom<Deed[]>(
      [...lapsed, spent, ...paidLate, worked],
      [...lapsed, ...paidLate, { do: 'at_once', first: 'work', commit: 1, second: 'order' }],
      [ordered, pay(success), heard, { do: 'at_once', first: 'cancel', commit: 1, second: 'work' }],
      [ordered, pay(success), heard, { do: 'at_once', first: 'work', commit, second: 'cancel' }],
      [ordered, pay(success, isOver ? 1 : -1), heard, worked],
      [ordered, pay(success), heard, { do: 'work', killAt: 0, company: 'hurried' }],
      [
        ordered,
        { do: 'registry', command: 'create', mishap: 'refused', name: 0 },
        pay(success),
        heard,
        { do: 'gateway', call: 'refunds' },
        worked,
        { do: 'part_by_hand', payment: 0, isPending: true },
        later,
        worked,
        { do: 'bank_answers', payment: 0 },
        later,
        { do: 'work', killAt: 0, company: 'hurried' },
      ],
    )
  })
/** A name is registered, its card is saved, and its automatic renewal is due. */
const saving = (card: string): Deed[] => [
  { do: 'order', what: 'register', name: 0, credit: false, promo: false, autoRenew: true },
  { do: 'pay', order: 0, card, killAt: 0, extraKobo: 0, save: true },
  heard,
  worked,
  { do: 'auto_renew', killAt: 0 },
]
/** A registered name auto-renews with the saved card that paid it, and something comes in between. */
const autoRenewed: fc.Arbitrary<Deed[]> = fc
  .record({
    card: fc.constantFrom(success, success, '4000000000000010', '4000000000000011', '4000000000000013'),
    killed: fc.integer({ min: 0, max: 12 }),
    commit: fc.integer({ min: 1, max: 4 }),
  })
  .chain(({ card, killed, commit }) => {
    const saved = saving(card)
    const minute: Deed = { do: 'time', seconds: 130 }
    return fc.constantFrom<Deed[]>(
      [...saved, { do: 'work', killAt: killed, company: 'none' }, minute, worked],
      [...saved, { do: 'work', killAt: killed, company: 'hurried' }, minute, worked],
      [...saved, { do: 'work', killAt: killed, company: 'none' }, { do: 'card', what: 'remove' }, minute, worked],
      [...saved, { do: 'card', what: 'remove' }, worked, minute, worked],
      [...saved, { do: 'at_once', first: 'work', commit, second: 'remove' }, minute, worked],
      [...saved, { do: 'at_once', first: 'remove', commit: 1, second: 'work' }, minute, worked],
      [...saved, { do: 'at_once', first: 'work', commit, second: 'work' }, minute, worked],
      [...saved, { do: 'at_once', first: 'work', commit, second: 'cancel' }, minute, worked],
      [...saved, { do: 'gateway', call: 'charge' }, worked, { do: 'auto_renew', killAt: 0 }, minute, worked],
      [...saved, { do: 'gateway', call: 'verify' }, worked, minute, worked, { do: 'auto_renew', killAt: 0 }],
      [...saved, { do: 'registry', command: 'renew', mishap: 'refused', name: 0 }, worked, minute, worked],
      [...saved, worked, { do: 'pay_again', payment: 1, card: success }, minute, worked],
      [
        ...saved,
        worked,
        { do: 'auto_renew', killAt: 0 },
        worked,
        { do: 'card', what: 'withdraw' },
        { do: 'auto_renew', killAt: 0 },
      ],
    )
  })
/** One sequence for each outcome of the charge of a saved card, because few random ones end with a second step that is not taken. */
const always = [success, '4000000000000010', '4000000000000011'].map((card) => ({
  creditKobo: 0,
  percent: 100,
  deeds: [...saving(card), worked],
}))
/** Sequences that have reached a charge of a saved card, by its outcome. */
const charged: Record<string, number> = {}
const sequence = fc.record({
  creditKobo: fc.constantFrom(0, 100_000, 1_250_000, 5_000_000),
  percent: fc.constantFrom(10, 50, 100),
  deeds: fc
    .tuple(
      fc.oneof(
        { arbitrary: begun, weight: 4 },
        { arbitrary: renewed, weight: 2 },
        { arbitrary: refused, weight: 1 },
        { arbitrary: crossed, weight: 2 },
        { arbitrary: autoRenewed, weight: 3 },
      ),
      fc.array(deed, { minLength: 6, maxLength: 24 }),
    )
    .map(([first, others]) => [...first, ...others]),
})

test(`in any sequence of events and wherever a worker is killed, every kobo and every command of an order is accounted for (${sequences} sequences)`, async () => {
  const waiting = [...always, ...fc.sample(sequence, { numRuns: sequences, seed })]
  const ended: Record<string, number> = {}
  let done = 0
  const runOne = async (): Promise<void> => {
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      const told: Deed[] = []
      try {
        const trial = await OrderTrial.make(ground, each)
        for (const deed of each.deeds) {
          told.push(deed)
          await trial.perform(deed)
          await checkInvariants(ground, trial)
        }
        await trial.end()
        await checkEnd(ground, trial)
        for (const { status } of await checkInvariants(ground, trial)) ended[status] = (ended[status] ?? 0) + 1
        for (const { status, reference } of gateway.books.charges())
          if (trial.references.includes(reference)) charged[status] = (charged[status] ?? 0) + 1
      } catch (error) {
        waiting.length = 0
        throw new Error(`seed ${seed}, ${JSON.stringify({ ...each, deeds: told })}`, { cause: error })
      }
      if (++done % 500 === 0) process.stderr.write(`seed ${seed}: ${done} of ${sequences} sequences\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runOne))
  // A run that never reaches one of the final states proves nothing about it.
  for (const status of ['completed', 'cancelled', 'refunded', 'credited'])
    assert.ok((ended[status] ?? 0) > 0, `${status}: ${JSON.stringify(ended)}`)
  for (const status of ['success', 'failed', 'ongoing'])
    assert.ok((charged[status] ?? 0) > 0, `${status}: ${JSON.stringify(charged)}`)
})
