import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAccount } from '#modules/accounts/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createLogger } from '#platform/log.ts'
import { SecretBox } from '#platform/secrets.ts'
import { indexForDomainTrials } from '#testing/domain-invariants.ts'
import { type Deed, type DomainGround, DomainTrial, type Racer } from '#testing/domain-trial.ts'
import { asAnotherProcess, cloneDatabase } from '#testing/platform/test-database.ts'
import type { CommandMishap, ReadMishap } from '#testing/trial-registry.ts'

// `npm run bench domain-changes-invariants` runs ten thousand.
const sequences = Number(process.env['DOMAIN_SEQUENCES'] ?? 150)
const seed = Number(process.env['DOMAIN_SEED'] ?? Date.now() % 2 ** 31)
/** The number of the only sequence to run, for example to reproduce a failure. */
const only = process.env['DOMAIN_SEQUENCE']
/** Trials that run at the same time, each on its own database. */
const atOnce = Math.min(4, sequences)

/** Most steps kill no worker. */
const killAt = fc.oneof(
  { arbitrary: fc.constant(0), weight: 3 },
  { arbitrary: fc.integer({ min: 1, max: 40 }), weight: 2 },
)
const outside = fc.constantFrom(
  'lock',
  'unlock',
  'nameservers',
  'sign',
  'registrant',
  'ask_transfer',
  'ask_transfer',
  'cancel_transfer',
  'end_transfer',
  'delete',
  'delete',
  'purge',
  'leave',
)
const company = fc.oneof(
  { arbitrary: fc.constant(null), weight: 6 },
  {
    arbitrary: fc.record({
      at: fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8),
      isLate: fc.boolean(),
      seconds: fc.constantFrom(1, 70, 100, 130, 130),
      killAt: fc.constantFrom(0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      outside: fc.oneof(
        { arbitrary: fc.constant(null), weight: 4 },
        { arbitrary: fc.constantFrom('renewal' as const, 'retry' as const, 'change' as const), weight: 2 },
        { arbitrary: outside, weight: 1 },
      ),
    }),
    weight: 2,
  },
)
const mishap: fc.Arbitrary<CommandMishap> = fc.oneof(
  fc.record({
    kind: fc.constant('refused' as const),
    code: fc.constantFrom(2201, 2301, 2302, 2303, 2304, 2305, 2306, 2308),
  }),
  fc.record({
    kind: fc.constant('fault' as const),
    fault: fc.constantFrom('balance' as const, 'login' as const, 'protocol' as const),
  }),
  fc.constantFrom<CommandMishap>(
    { kind: 'not_sent' },
    { kind: 'command_lost' },
    { kind: 'answer_lost' },
    { kind: 'answer_lost' },
    { kind: 'pending' },
    { kind: 'pending_lost' },
    { kind: 'late' },
  ),
)
/** `null`: the command succeeds. */
const mishaps = fc.array(fc.oneof({ arbitrary: fc.constant(null), weight: 1 }, { arbitrary: mishap, weight: 1 }), {
  minLength: 1,
  maxLength: 4,
})
const misread: fc.Arbitrary<ReadMishap> = fc.oneof(
  fc.record({ kind: fc.constant('absent' as const), code: fc.constantFrom(2303 as const, 2201 as const) }),
  fc.record({ kind: fc.constant('refused' as const), code: fc.constantFrom(2202, 2306) }),
  fc.constantFrom<ReadMishap>({ kind: 'fault' }, { kind: 'not_sent' }, { kind: 'unknown' }, { kind: 'unknown' }),
)
const changed = fc.record({
  do: fc.constant('change' as const),
  kind: fc.constantFrom(
    'nameservers' as const,
    'nameservers' as const,
    'nameservers' as const,
    'lock' as const,
    'unlock' as const,
    'contacts' as const,
    'contacts' as const,
    'transfer_code' as const,
    'approve_transfer' as const,
    'reject_transfer' as const,
    'restore' as const,
  ),
  variant: fc.nat(13),
  killAt,
  company,
})
const operated = fc.record({
  do: fc.constant('operator' as const),
  what: fc.constantFrom('done' as const, 'refused' as const, 'retry' as const),
})
/** Only these two run at the same time. */
const alone = fc.constant(null)
const racer: fc.Arbitrary<Racer> = fc.oneof(
  { arbitrary: changed.map((change) => ({ ...change, company: null })), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant('work' as const), killAt, company: alone }), weight: 2 },
  { arbitrary: operated, weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('news' as const) }), weight: 1 },
)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { arbitrary: changed, weight: 8 },
  { arbitrary: fc.record({ do: fc.constant('work' as const), killAt, company }), weight: 5 },
  {
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      seconds: fc.constantFrom(20, 61, 130, 700, 3_700, 90_000),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ do: fc.constant('mishap' as const), mishaps }), weight: 7 },
  {
    arbitrary: fc.record({
      do: fc.constant('misread' as const),
      mishaps: fc.array(fc.oneof(misread, fc.constant(null)), { minLength: 1, maxLength: 3 }),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constant('decide' as const), isDone: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('news' as const) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('outside' as const), what: outside }), weight: 2 },
  { arbitrary: operated, weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant('at_once' as const),
      first: racer,
      commit: fc.constantFrom(1, 1, 2, 3, 4, 5, 6),
      second: racer,
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant('register_again' as const) }), weight: 1 },
)
const calmly = (kind: Extract<Deed, { do: 'change' }>['kind']): Deed => ({
  do: 'change',
  kind,
  variant: 0,
  killAt: 0,
  company: null,
})
const unlocked: Deed = { do: 'outside', what: 'unlock' }
const asked: Deed[] = [unlocked, { do: 'outside', what: 'ask_transfer' }]
const deleted: Deed = { do: 'outside', what: 'delete' }
/** Steps that some kinds of changes need beforehand to have an effect, and kinds that are otherwise rare. */
const begun: fc.Arbitrary<Deed[]> = fc.constantFrom<Deed[]>(
  [],
  [],
  [],
  [deleted],
  asked,
  [deleted, calmly('restore'), { do: 'work', killAt: 0, company: null }],
  [...asked, calmly('approve_transfer')],
  [...asked, calmly('reject_transfer')],
  [unlocked, calmly('transfer_code')],
)
const sequence = fc.record({
  setup: fc.record({
    isNew: fc.boolean(),
    isLocked: fc.boolean(),
    isSigned: fc.boolean(),
    showsCode: fc.boolean(),
    wantsReport: fc.boolean(),
    hidesOthers: fc.boolean(),
  }),
  isPurged: fc.boolean(),
  deeds: fc
    .tuple(begun, fc.array(deed, { minLength: 4, maxLength: 20 }))
    .map(([first, others]): Deed[] => [...first, ...others]),
})

async function makeGround(): Promise<DomainGround> {
  const database = await cloneDatabase()
  await indexForDomainTrials(database.db)
  const log = createLogger('domains', process.env['LOG_LEVEL'] ?? 'silent')
  const account = (email: string): Promise<string> =>
    database.transact(async (tx) => (await createAccount(tx, actorNamed('operator', 'test'), { email, name: '' })).id)
  return {
    elsewhere: asAnotherProcess(database.url),
    work: { database, log, secrets: new SecretBox(randomBytes(32)), site: 'http://dashboard.test' },
    accountId: await account('owner@example.net'),
    managerId: await account('manager@example.net'),
  }
}

const grounds = await Promise.all(Array.from({ length: only === undefined ? atOnce : 1 }, makeGround))

test(`in any sequence of domain changes, and wherever a worker is killed, no command is sent twice or forgotten (${sequences} sequences)`, async () => {
  const all = fc.sample(sequence, { numRuns: sequences, seed }).map((each, number) => ({ ...each, number }))
  const waiting = only === undefined ? all : all.filter(({ number }) => number === Number(only))
  const ends: Record<string, number> = {}
  let done = 0
  const runAll = async (ground: DomainGround): Promise<void> => {
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      const { setup, deeds, isPurged, number } = each
      const story: Deed[] = []
      try {
        const trial = await DomainTrial.make(ground, setup)
        for (const one of deeds) {
          story.push(one)
          await trial.perform(one)
        }
        await trial.end(isPurged)
        for (const end of trial.checks.ends) ends[end] = (ends[end] ?? 0) + 1
      } catch (error) {
        waiting.length = 0
        const again = `DOMAIN_SEED=${seed} DOMAIN_SEQUENCES=${sequences} DOMAIN_SEQUENCE=${number}`
        throw new Error(`${again}, ${JSON.stringify({ setup, isPurged, deeds: story })}`, { cause: error })
      }
      if (++done % 500 === 0) process.stderr.write(`seed ${seed}: ${done} of ${sequences} sequences\n`)
    }
  }
  await Promise.all(grounds.map(runAll))
  if (only !== undefined) return
  // A run that never reaches one of the final states proves nothing about it. In a short run, some kinds may never be refused.
  const kinds = [
    'default lock',
    ...'nameservers lock unlock contacts transfer_code approve_transfer reject_transfer restore'.split(' '),
  ]
  for (const kind of kinds) {
    if (sequences >= 150) assert.ok((ends[`${kind} done`] ?? 0) > 0, `no ${kind} was done: ${JSON.stringify(ends)}`)
    if (sequences >= 2_000)
      assert.ok((ends[`${kind} refused`] ?? 0) > 0, `no ${kind} was refused: ${JSON.stringify(ends)}`)
  }
})
