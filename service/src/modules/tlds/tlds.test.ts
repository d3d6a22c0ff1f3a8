import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import type { DomainCheck } from '#ports/registry.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf } from '#testing/test-zones.ts'
import { parseOfferedName } from './domain-name.ts'
import { priceOf } from './prices.ts'

const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)
const [test0] = tlds
const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ registry })
const key = await api.key(await api.account('buyer@example.net'))
const check = async (body: object) => (await api.call('POST', '/domains/check', { key, body })).body.data

test('an offered name is one label below a TLD that is sold; the longest matching TLD counts', () => {
  const read = (text: string): string => {
    try {
      const { name, tld } = parseOfferedName(text, tlds)
      return `${name} ${tld.tld}`
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.code
    }
  }
  for (const [text, expected] of [
    ['shop.test', 'shop.test test'],
    ['SHOP.Test.', 'shop.test test'],
    ['shop.com.test', 'shop.com.test com.test'],
    ['bücher.test', 'xn--bcher-kva.test test'],
    ['XN--BCHER-KVA.test', 'xn--bcher-kva.test test'],
    ['bücher.com.test', 'validation_failed'],
    ['bücher.test/x.com.test', 'validation_failed'],
    ['xn--zzzzzz-.test', 'validation_failed'],
    ['xn--abc.test', 'validation_failed'],
    ['ab--cd.test', 'validation_failed'],
    ['test', 'validation_failed'],
    ['com.test', 'validation_failed'],
    ['www.shop.test', 'validation_failed'],
    ['-shop.test', 'validation_failed'],
    ['shop_.test', 'validation_failed'],
    [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test test`],
    [`${'a'.repeat(64)}.test`, 'validation_failed'],
    ['', 'validation_failed'],
    ['shop.example', 'tld_unsupported'],
    ['shop', 'tld_unsupported'],
  ] as const)
    assert.equal(read(text), expected, text)
})

test('a domain with a name of the service is not for sale in any spelling', async () => {
  const names = ['zonewright.test', 'ZoneWright.Test.', 'ｚonewright.test', 'shop.test']
  const answers = (await check({ names })) as { available: boolean; reason: string | null }[]
  assert.deepEqual(
    answers.map(({ available, reason }) => [available, reason]),
    [
      [false, 'reserved'],
      [false, 'reserved'],
      [false, 'reserved'],
      [true, null],
    ],
  )
})

test('a premium price is the registry’s fee at the TLD’s rate, rounded up; without a rate the name is not sold', () => {
  assert.ok(test0)
  const kobo = (amount: string, currency = 'NGN') =>
    priceOf(test0, checked({ create: true }, { create: { amount, currency } }), 'register', 2).kobo
  assert.equal(kobo('12.555'), 1_507, 'the fee is that of the whole term')
  assert.equal(kobo('100000'), 12_000_000)
  assert.equal(kobo('12', 'USD'), undefined)
  assert.equal(kobo('a lot'), undefined)
})

test('a premium order costs the registry’s fee for its own command, never the fee of another command', () => {
  assert.ok(test0)
  const fee = { amount: '50000.00', currency: 'NGN' }
  const usual = { amount: '5000.00', currency: 'NGN' }
  const dear = checked({ create: true }, { create: fee, renew: usual, transfer: usual })
  const kinds = ['register', 'renew', 'transfer'] as const
  assert.deepEqual(
    kinds.map((kind) => priceOf(test0, dear, kind, 1)),
    [
      { isPremium: true, kobo: 6_000_000, fee },
      { isPremium: false, kobo: test0.renewKobo, fee: null },
      { isPremium: false, kobo: test0.transferKobo, fee: null },
    ],
  )
  const untold = checked({ create: true, renew: true, transfer: true }, { create: fee })
  assert.deepEqual(
    kinds.map((kind) => priceOf(test0, untold, kind, 1).kobo),
    [6_000_000, undefined, undefined],
  )
})

function checked(isPremium: Partial<DomainCheck['isPremium']>, fees: Partial<DomainCheck['fees']>): DomainCheck {
  const none = { create: null, renew: null, transfer: null, restore: null }
  const usual = { create: false, renew: false, transfer: false }
  const can = { name: 'premium-gold.test', isAvailable: true, reason: null }
  return { ...can, isPremium: { ...usual, ...isPremium }, fees: { ...none, ...fees } }
}

test('registrations and renewals are priced per year, and a transfer has a single price', () => {
  assert.ok(test0)
  const { registerKobo, renewKobo, transferKobo } = test0
  assert.deepEqual(
    (['register', 'renew', 'transfer'] as const).map((kind) => priceOf(test0, checked({}, {}), kind, 3).kobo),
    [3 * registerKobo, 3 * renewKobo, transferKobo],
  )
})

test('errors in the REGISTRIES file report their location', () => {
  const entry = sandboxRegistries.registries[0]
  const faulty = (change: object): unknown => ({ registries: [{ ...entry, ...change }] })
  for (const [file, message] of [
    [{}, /^registries: /],
    [faulty({ tlds: ['test', 'other'] }), /the price for other is missing/],
    [faulty({ tlds: ['test', 'test'] }), /test appears twice/],
    [
      faulty({ prices: { test: { register_kobo: 1.5, renew_kobo: 1, transfer_kobo: 1 } } }),
      /^registries\.0\.prices\.test\.register_kobo: /,
    ],
  ] as const)
    assert.throws(() => parseRegistries(file), { message })
})

test('each name has its own result, and labels are checked under every TLD', async () => {
  await staff.put('taken.test')
  const names = ['taken.test', 'premium-gold.test', 'golden-age.test', 'free', 'www.shop.test', 'shop.example']
  const data = await check({ names })
  const told = data.map((each: Record<string, unknown>) => [
    each.name,
    each.available,
    each.reason,
    each.premium,
    each.register_kobo,
    each.renew_kobo,
  ])
  assert.deepEqual(told, [
    ['taken.test', false, 'taken', false, 1_250_000, 1_400_000],
    ['premium-gold.test', true, null, true, 6_000_000, 6_000_000],
    ['golden-age.test', true, null, true, 6_000_000, 1_400_000],
    ['free.com.test', true, null, false, 700_000, 700_000],
    ['free.test', true, null, false, 1_250_000, 1_400_000],
    ['www.shop.test', false, 'bad_name', false, null, null],
    ['shop.example', false, 'tld_unsupported', false, null, null],
  ])
  assert.deepEqual(
    (await check({ names: ['one'], tlds: ['.test'] })).map(({ name }: { name: string }) => name),
    ['one.test'],
  )
})

test('neither a name that its registry reserves nor its transfer is offered', async () => {
  const [reserved] = await check({ names: ['nic.test'] })
  assert.deepEqual(
    [reserved.available, reserved.reason, reserved.message, reserved.transfer_kobo],
    [false, 'reserved', 'The registry has reserved nic.test: Reserved.', null],
  )
})

test('names of a registry that does not respond are reported as unknown, not as available', async () => {
  staff.loseCommand('domain:check')
  const [answer] = await check({ names: ['later.test'] })
  assert.deepEqual([answer.available, answer.reason], [false, 'registry_unavailable'])
})

test('more than fifty names in one request are rejected', async () => {
  const names = Array.from({ length: 26 }, (_, i) => `name${i}`)
  const answer = await api.call('POST', '/domains/check', { key, body: { names } })
  assert.deepEqual(codeOf(answer), [422, 'validation_failed'])
})

test('TLDs are listed with their prices, in pages', async () => {
  const first = await api.call('GET', '/tlds?limit=1', { key })
  const second = await api.call('GET', `/tlds?limit=1&cursor=${first.body.next_cursor}`, { key })
  assert.deepEqual(
    [first.body.data[0].tld, second.body.data[0].tld, second.body.next_cursor],
    ['com.test', 'test', null],
  )
  assert.equal(second.body.data[0].renew_kobo, 1_400_000)
})
