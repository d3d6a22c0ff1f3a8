import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChangeCommand, RecordedCommand } from '#modules/registry-commands/index.ts'
import type { DomainInfo } from '#ports/registry.ts'
import { shop } from '#testing/registry-readings.ts'
import type { Sight, Wish } from './domain-change.ts'
import { isHostOf } from './hosts.ts'
import { lockStatuses, nextStep, type Underway } from './plan-change.ts'

const { name } = shop
const hostPool = [
  'shop.test',
  'ns1.shop.test',
  'ns2.shop.test',
  'ns1.example.net',
  'ns2.example.net',
  'ns3.example.net',
]
const ada = {
  ...{ name: 'Ada', organization: '', email: 'ada@example.net', phone: '+2348012345678' },
  ...{ address1: '1 Marina', address2: '', city: 'Lagos', state: '', postalCode: '', country: 'NG', extra: {} },
}

const anySight: fc.Arbitrary<Sight> = fc
  .record({
    statuses: fc.subarray([...lockStatuses]),
    nameservers: fc.subarray(hostPool),
    isSigned: fc.boolean(),
    glue: fc.subarray(hostPool.slice(0, 3)),
    registrant: fc.constantFrom('C1', 'C2'),
    hasContact: fc.boolean(),
  })
  .map(({ statuses, nameservers, isSigned, glue, registrant, hasContact }) => {
    const below = [...new Set([...glue, ...nameservers.filter((host) => isHostOf(name, host))])].sort()
    const info: DomainInfo = {
      ...shop,
      statuses: statuses.length === 0 ? ['ok'] : statuses,
      registrant,
      contacts: [{ type: 'admin', id: registrant }],
      nameservers: [...nameservers].sort(),
      subordinateHosts: below,
      isSigned,
    }
    return {
      info,
      hosts: new Map(below.map((host) => [host, ['192.0.2.1']])),
      hasContact,
      hasCode: false,
      transfer: null,
    }
  })

const anyWish: fc.Arbitrary<Wish> = fc.oneof(
  fc.tuple(fc.subarray(hostPool, { minLength: 2 }), fc.boolean()).map(
    ([nameservers, isUnsigned]): Wish => ({
      kind: 'nameservers',
      nameservers,
      isUnsigned,
      hosts: nameservers
        .filter((host) => isHostOf(name, host))
        .map((host) => ({ name: host, addresses: ['192.0.2.2'] })),
    }),
  ),
  fc.constantFrom<Wish>({ kind: 'lock' }, { kind: 'unlock' }),
  fc.constant<Wish>({ kind: 'contacts', contact: ada, registrantId: 'C2', formerId: 'C1' }),
)

const unsent = {
  ...{ clTrid: '', sentAt: new Date(0), sentForS: 1 },
  ...{ replyCode: null, reply: '', missedForS: null },
}

/** Runs a change to its end. Only the command with this number is refused. Returns what the registry has, and the commands. */
function run(wish: Wish, start: Sight, refusedAt = -1): { sight: Sight; taken: string[] } {
  let change: Underway = { name, wish, relock: false, failure: null, code: 'code' }
  let sight = start
  const operations: RecordedCommand<ChangeCommand>[] = []
  for (;;) {
    const next = nextStep(change, sight, operations)
    if (next === null || !('command' in next)) return { sight, taken: operations.map(({ command }) => command) }
    const { command, subject } = next
    const isProhibited = sight.info.statuses.includes('clientUpdateProhibited')
    if (command !== 'allow_updates' && /^(set_|remove_ds|lock|unlock)/.test(command))
      assert.ok(!isProhibited, `${command} while updates are prohibited`)
    if (command === 'set_nameservers' && wish.kind === 'nameservers' && wish.isUnsigned)
      assert.ok(!sight.info.isSigned, 'no nameservers that do not sign while resolvers want signatures')
    if (command === 'allow_updates') change = { ...change, relock: true }
    const isRefused = operations.length === refusedAt
    const state = isRefused ? 'refused' : 'done'
    operations.push({
      id: operations.length,
      command,
      subject,
      state,
      ...unsent,
    })
    if (isRefused) change = { ...change, failure: { code: 'conflict', message: 'no' } }
    else sight = next.leaves ?? sight
    assert.ok(operations.length < 20, 'it comes to an end')
  }
}

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

test('from any state of a domain, a change reaches the wanted state and the original lock, and a repeat sends nothing', () => {
  fc.assert(
    fc.property(anyWish, anySight, (wish, start) => {
      const { sight } = run(wish, start)
      const { info } = sight
      if (wish.kind === 'nameservers') {
        assert.deepEqual(info.nameservers, sorted(wish.nameservers))
        for (const host of wish.hosts) assert.deepEqual(sight.hosts.get(host.name), host.addresses)
        assert.equal(info.isSigned, start.info.isSigned && !wish.isUnsigned)
      } else if (wish.kind === 'contacts') {
        assert.equal(info.registrant, 'C2')
        assert.deepEqual(sorted(info.contacts.map(({ type, id }) => `${type} ${id}`)), [
          'admin C2',
          'billing C2',
          'tech C2',
        ])
      }
      const isLocked = wish.kind === 'lock' ? sorted(lockStatuses) : wish.kind === 'unlock' ? [] : undefined
      const kept = start.info.statuses.filter((status) => status !== 'ok')
      assert.deepEqual(sorted(info.statuses.filter((status) => status !== 'ok')), isLocked ?? sorted(kept))
      const again = run(wish, sight).taken.filter((step) => !/^delete_/.test(step))
      assert.deepEqual(again, [])
    }),
    { numRuns: 500 },
  )
})

test('a contact id in another letter case is the same contact, so it is not requested again', () => {
  const wish: Wish = { kind: 'contacts', contact: ada, registrantId: 'zW-c2', formerId: null }
  const [start] = fc.sample(anySight, 1)
  assert.ok(start)
  const contacts = (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: 'ZW-C2' }))
  assert.deepEqual(run(wish, { ...start, info: { ...start.info, registrant: 'ZW-C2', contacts } }).taken, [])
})

test('if any one command of a change is refused, updates stay prohibited if they were', () => {
  fc.assert(
    fc.property(anyWish, anySight, fc.nat(6), (wish, start, refusedAt) => {
      fc.pre(start.info.statuses.includes('clientUpdateProhibited'))
      const { sight, taken } = run(wish, start, refusedAt)
      // An unlock without a refusal allows updates permanently.
      if (wish.kind === 'unlock' && refusedAt >= taken.length) return
      // If the last step is refused, the driver repeats it.
      if (taken[refusedAt] === 'prohibit_updates') return
      assert.ok(sight.info.statuses.includes('clientUpdateProhibited'))
    }),
    { numRuns: 500 },
  )
})

test('a transfer is decided once: without a pending one, there is nothing to decide', () => {
  const [start] = fc.sample(anySight, 1)
  assert.ok(start)
  const transfer = {
    ...{ name, status: 'pending' as const, requestedBy: 'rival', actor: 'us', expiresAt: null },
    ...{ requestedAt: new Date(0), actBy: new Date(1) },
  } as const
  for (const [kind, step] of [
    ['approve_transfer', 'approve'],
    ['reject_transfer', 'reject'],
  ] as const) {
    assert.deepEqual(run({ kind }, { ...start, transfer }).taken, [step])
    const change: Underway = { name, wish: { kind }, relock: false, failure: null, code: 'code' }
    const refusal = { code: 'conflict', message: `No transfer of ${name} is waiting for a decision.` }
    assert.deepEqual(nextStep(change, { ...start, transfer: null }, []), refusal)
    const cancelled = { ...transfer, status: 'clientCancelled' } as const
    assert.deepEqual(nextStep(change, { ...start, transfer: cancelled }, []), refusal)
  }
})

test('clean-up commands are sent once, and again only if the first one was not executed', () => {
  const [start] = fc.sample(anySight, 1)
  assert.ok(start)
  const subject = 'ns1.shop.test'
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  const sight = { ...start, info: { ...start.info, statuses: ['ok'], nameservers, subordinateHosts: [subject] } }
  const wish: Wish = { kind: 'nameservers', nameservers, hosts: [], isUnsigned: false }
  const change: Underway = { name, wish, relock: false, failure: null, code: 'code' }
  for (const [state, next] of [
    ['not_done', { command: 'delete_host', subject, leaves: sight }],
    ['refused', null],
    ['done', null],
    ['unknown', null],
  ] as const)
    assert.deepEqual(
      nextStep(change, sight, [{ id: 1, command: 'delete_host', subject, state, ...unsent }]),
      next,
      state,
    )
})
