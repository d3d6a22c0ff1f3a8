import assert from 'node:assert/strict'
import { cards, eventually, newcomer, Shopper, type World } from '../../world/index.ts'

/** Uses every part of an installation once, so that its tables have rows. */
export async function useInstallation(world: World): Promise<void> {
  const { api, facts } = world
  const { email } = facts.account
  await world.admin('credit', 'grant', email, '15000000', 'a gift')
  await world.admin('promo', 'create', 'HALF', '--percent', '50', '--repeatable')
  await world.admin('promo', 'create', 'ONCE', '--percent', '25')
  await world.admin('zone', 'add', email, 'shared.example', 'released.example', 'deleted.example')
  await world.admin('account', 'create', 'parent@example.net', 'Parent')
  await world.admin('zone', 'add', 'parent@example.net', 'free.example.net')
  const shopper = await Shopper.at(world)
  const owner = shopper.dashboard
  const byOwner = async (method: string, path: string, body?: object): Promise<void> => {
    const { status, body: answer } = await owner.call(method, `/api/v1${path}`, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  }
  const byKey = async (method: string, path: string, body?: unknown, headers = {}): Promise<void> => {
    const { status, body: answer } = await api.call(method, path, body, headers)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  }

  await byKey('POST', '/webhooks', { url: `${facts.receiver_url}?fails`, events: ['zone.deleted'] })
  await api.put('example.test', '@', 'A', ['192.0.2.1'])
  await api.put('example.test', 'txt', 'TXT', ['"it works" "bücher"'])
  await byKey('POST', '/zones/example.test/import?mode=merge', 'ftp 300 IN A 192.0.2.9\n', {
    'idempotency-key': 'import-1',
  })
  await byKey('POST', '/zones/example.test/presets/zonewright.no-mail', { parameters: {} })
  await byKey('POST', '/zones/example.test/versions/3/restore')
  await byKey('POST', '/zones', { name: 'pending-zone.test' })
  await byOwner('POST', '/free-subdomains', { name: 'petals.free.example.net' })
  await byOwner('DELETE', '/zones/deleted.example', { name: 'deleted.example' })
  await byOwner('POST', '/zones/shared.example/managers', { email: 'invited@example.net' })
  const manager = await newcomer(world, 'manager@example.net')
  await manager.call('POST', '/api/auth/sign-in/email', { email: 'manager@example.net', password: 'a wrong guess' })
  await manager.call('POST', '/api/auth/request-password-reset', { email: 'manager@example.net' })
  await manager.call('POST', '/api/auth/sign-up/email', { email: 'not-yet@example.net' })

  const paid = await shopper.order('card-shop.test')
  await shopper.pay(paid.id, cards.success)
  const half = await shopper.order('credit-shop.test', { quote: { promo_code: 'HALF' }, order: { use_credit: true } })
  const declined = await shopper.order('declined.test', { quote: { promo_code: 'ONCE' } })
  await shopper.pay(declined.id, cards.declined)
  await byOwner('POST', `/orders/${declined.id}/pay-link`)
  const cancelled = await shopper.order('cancelled.test')
  await byKey('POST', `/orders/${cancelled.id}/cancel`)
  for (const [name, card, end] of [
    ['refunded.test', cards.success, 'refunded'],
    ['credited.test', cards.refundFails, 'credited'],
  ] as const) {
    await refuse(world, 'domain:create', name)
    const { id } = await shopper.order(name)
    await shopper.pay(id, card)
    await shopper.until(id, end)
  }
  for (const { id } of [paid, half]) await shopper.until(id, 'completed')
  const renewal = { quote: { kind: 'renew' }, order: { use_credit: true, contact_id: undefined } }
  await shopper.until((await shopper.order('card-shop.test', renewal)).id, 'completed')

  await byKey('POST', '/domains/credit-shop.test/lock')
  await byKey('PUT', '/domains/credit-shop.test/nameservers', { nameservers: ['ns1.example.net', 'ns2.example.net'] })
  for (const who of ['manager@example.net', 'invited@example.net'])
    await byOwner('POST', '/domains/credit-shop.test/managers', { email: who })
  const key = { name: 'for one', zones: ['card-shop.test'], permissions: ['records:read'], expires_in: '90d' }
  await byOwner('POST', '/api-keys', { ...key, code: await shopper.code() })

  await eventually(
    'every mail is sent',
    async () => (await world.mailbox.list({ to: 'manager@example.net' })).length >= 3,
  )
}

/** Makes the registry refuse the next of these commands about a name. */
async function refuse({ facts }: World, command: string, name: string): Promise<void> {
  const url = `${facts.registry.url}epp/behaviour?${new URLSearchParams({ command, name })}`
  const body = JSON.stringify({ code: 2306, reason: 'Reserved for somebody', times: 1 })
  assert.equal((await fetch(url, { method: 'PUT', body })).status, 200)
}
