import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, RrType, rdataToText } from '@zonewright/dns'
import type { Outcome, RegistryMessage } from '#ports/registry.ts'
import { eventually } from '#testing/eventually.ts'
import { done, register, registrationOf, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { createEppRegistries } from './index.ts'

const server = await startSandboxRegistry()
const ours = server.connect('zonewright')
const rival = server.connect('rival')

const codeOf = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'refused' ? `refused ${outcome.reply.code}` : outcome.kind

/** The response of the registry's DNS servers for a name. */
function inDns(name: string, type: 'NS' | 'DS' | 'A' | 'AAAA'): string[] {
  const found = server.zones.lookup(parseName(`${name}.`), RrType[type])
  const rrsets = [...(found?.answers ?? []), ...(found?.authorities ?? []), ...(found?.additionals ?? [])]
  return rrsets
    .filter((rrset) => rrset.name === `${name}.` && rrset.type === RrType[type])
    .flatMap((rrset) => rrset.data.map((data) => rdataToText(rrset.type, data)))
}

test('a check reports which names are available, why others are not, and the prices', async () => {
  await register(ours, 'taken.test')
  const names = [
    'free.test',
    'taken.test',
    'nic.test',
    'premium-one.com.test',
    'a.b.test',
    'xn--caf-dma.com.test',
    'free.example',
  ]
  const checks = done(await ours.domains.check(names, 2))
  assert.deepEqual(
    checks.map(({ name, isAvailable, reason, isPremium }) => [name, isAvailable, reason, isPremium.create]),
    [
      ['free.test', true, null, false],
      ['taken.test', false, 'In use', false],
      ['nic.test', false, 'Reserved', false],
      ['premium-one.com.test', true, null, true],
      ['a.b.test', false, 'Not directly below a TLD', false],
      ['xn--caf-dma.com.test', false, 'No IDNs in this TLD', false],
      ['free.example', false, 'Not one of our TLDs', false],
    ],
  )
  assert.deepEqual(checks[0]?.fees, {
    create: { amount: '10000.00', currency: 'NGN' },
    renew: { amount: '10000.00', currency: 'NGN' },
    transfer: { amount: '10000.00', currency: 'NGN' },
    restore: { amount: '20000.00', currency: 'NGN' },
  })
})

test('checks more names than the registry’s limit in several commands, in the requested order', async () => {
  const small = server.connect('zonewright', { namesInCheck: 2 })
  const names = ['one.test', 'two.test', 'nic.test', 'four.test', 'five.test']
  const sent = (): string[] =>
    server.epp.noted.filter(({ command }) => command === 'domain:check').map(({ subject }) => subject)
  const before = sent().length
  const checks = done(await small.domains.check(names))
  assert.deepEqual(sent().slice(before), ['one.test', 'nic.test', 'five.test'], 'the first name of each command')
  assert.deepEqual(
    checks.map(({ name }) => name),
    names,
  )
  assert.deepEqual(
    checks.map(({ isAvailable }) => isAvailable),
    [true, true, false, true, true],
  )
  assert.deepEqual(done(await small.domains.check([])), [])
  assert.equal(sent().length, before + 3, 'no name is no command')
  assert.equal(done(await small.domains.check(names.slice(0, 2))).length, 2)
  assert.equal(sent().length, before + 4, 'as many as it takes are one')
})

test('a registration is stored at the registry as requested, paid, and delegated in the DNS', async () => {
  const registration = await registrationOf(ours, 'shop.com.test', { years: 2 })
  const registered = done(await ours.domains.create(registration, trid()))
  const yearsLater = new Date(registered.createdAt)
  yearsLater.setUTCFullYear(yearsLater.getUTCFullYear() + 2)
  // The anniversary of 29 February is the last day of that month.
  if (yearsLater.getUTCMonth() !== registered.createdAt.getUTCMonth()) yearsLater.setUTCDate(0)
  assert.equal(registered.expiresAt?.toISOString().slice(0, 10), yearsLater.toISOString().slice(0, 10))
  assert.deepEqual(registered.charged.fee, { amount: '10000.00', currency: 'NGN' })
  assert.equal(registered.charged.balance?.currency, 'NGN')
  const info = done(await ours.domains.info('shop.com.test'))
  assert.deepEqual(
    [info.sponsor, info.registrant, info.contacts, info.nameservers, info.statuses, info.graceStatuses, info.authInfo],
    [
      ours.registrarId,
      registration.registrant,
      registration.contacts,
      registration.nameservers,
      ['ok'],
      ['addPeriod'],
      registration.authInfo,
    ],
  )
  assert.deepEqual(inDns('shop.com.test', 'NS'), ['ns1.zonewright.test.', 'ns2.zonewright.test.'])
})

test('a second registration is refused with 2302, whoever sends it', async () => {
  const registration = await registrationOf(ours, 'once.test')
  done(await ours.domains.create(registration, trid()))
  assert.equal(codeOf(await ours.domains.create(registration, trid())), 'refused 2302')
  assert.equal(codeOf(await rival.domains.create(await registrationOf(rival, 'once.test'), trid())), 'refused 2302')
})

test('what the registry rejects is refused with its code and its own text', async () => {
  const create = async (name: string, more = {}) => ours.domains.create(await registrationOf(ours, name, more), trid())
  const outcome = await create('nic.test')
  assert.deepEqual(outcome.kind === 'refused' && [outcome.reply.code, outcome.reply.message], [
    2306,
    'Parameter value policy error: Reserved',
  ])
  assert.equal(codeOf(await create('bad_name.test')), 'refused 2005')
  assert.equal(codeOf(await create('stranger.test', { registrant: 'NOBODY-1' })), 'refused 2303')
  assert.equal(codeOf(await create('long.test', { years: 11 })), 'refused 2004')
  assert.equal(codeOf(await ours.domains.info('nothing-there.test')), 'refused 2303')
})

test('a value that EPP cannot carry is refused before it is sent', async () => {
  const outcome = await ours.domains.create(await registrationOf(ours, 'odd.test', { authInfo: 'two\nlines' }), trid())
  assert.deepEqual(
    [codeOf(outcome), server.epp.noted.some(({ subject }) => subject === 'odd.test')],
    ['refused 2005', false],
  )
})

test('a premium name is registered only for the fee that the check returned', async () => {
  const [check] = done(await ours.domains.check(['premium-gold.test']))
  assert.deepEqual(check?.isPremium, { create: true, renew: true, transfer: true })
  assert.ok(check.fees.create !== null)
  const registration = await registrationOf(ours, 'premium-gold.test')
  assert.equal((await ours.domains.create(registration, trid())).kind, 'fault', 'without a fee')
  const cheap = { amount: '5000.00', currency: 'NGN' }
  assert.equal(codeOf(await ours.domains.create({ ...registration, fee: cheap }, trid())), 'refused 2004')
  const { charged } = done(await ours.domains.create({ ...registration, fee: check.fees.create }, trid()))
  assert.deepEqual(charged.fee, check.fees.create)
})

test('a name can be premium for registration, and have standard prices for renewal and transfer', async () => {
  const [check] = done(await ours.domains.check(['golden-gate.test']))
  assert.deepEqual(check?.isPremium, { create: true, renew: false, transfer: false })
  assert.deepEqual(check.fees.create, { amount: '50000.00', currency: 'NGN' })
  assert.deepEqual(check.fees.renew, { amount: '5000.00', currency: 'NGN' })
})

test('a renewal moves the expiry once; repeating it with the previous expiry is refused', async () => {
  const { expiresAt } = await register(ours, 'renewed.test')
  assert.ok(expiresAt)
  const renewal = { name: 'renewed.test', expiresAt, years: 1 }
  const renewed = done(await ours.domains.renew(renewal, trid()))
  assert.equal(renewed.expiresAt?.getUTCFullYear(), expiresAt.getUTCFullYear() + 1)
  assert.equal(codeOf(await ours.domains.renew(renewal, trid())), 'refused 2306')
  const after = done(await ours.domains.info('renewed.test'))
  assert.deepEqual(after.expiresAt, renewed.expiresAt)
  assert.equal(
    codeOf(await rival.domains.renew({ ...renewal, expiresAt: renewed.expiresAt ?? expiresAt }, trid())),
    'refused 2201',
  )
})

test('changes nameservers, locks, contacts, transfer code and DS records, each separately', async () => {
  await register(ours, 'changed.test')
  const update = async (change: Parameters<typeof ours.domains.update>[1]) =>
    done(await ours.domains.update('changed.test', change, trid()))
  await update({ nameservers: { add: ['ns.outside.example'], remove: ['ns2.zonewright.test'] } })
  await update({ authInfo: 'another-Secret2' })
  const other = (await registrationOf(ours, 'unused.test')).registrant
  await update({ registrant: other, contacts: { add: [{ type: 'billing', id: other }], remove: [] } })
  const ds = { keyTag: 12345, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) }
  await update({ dsRecords: { add: [ds], remove: [] } })
  const info = done(await ours.domains.info('changed.test'))
  assert.deepEqual(info.nameservers, ['ns.outside.example', 'ns1.zonewright.test'])
  assert.deepEqual([info.authInfo, info.registrant, info.dsRecords], ['another-Secret2', other, [ds]])
  assert.deepEqual(inDns('changed.test', 'DS'), [`12345 13 2 ${ds.digest.toLowerCase()}`])
  assert.ok(info.contacts.some(({ type, id }) => type === 'billing' && id === other))
  await update({ dsRecords: { add: [], remove: [ds] }, nameservers: { add: ['ns2.zonewright.test'], remove: [] } })
  assert.deepEqual(done(await ours.domains.info('changed.test')).dsRecords, [])
  await update({ dsRecords: { add: [ds, { ...ds, keyTag: 2 }], remove: [] } })
  assert.equal(done(await ours.domains.info('changed.test')).isSigned, true)
  await update({ dsRecords: 'none' })
  const { isSigned, dsRecords } = done(await ours.domains.info('changed.test'))
  assert.deepEqual([isSigned, dsRecords], [false, []])
})

test('a locked domain accepts only its unlocking', async () => {
  await register(ours, 'locked.test')
  const locks = ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited'] as const
  const lock = { statuses: { add: locks, remove: [] } }
  const unlock = { statuses: { add: [], remove: locks } }
  done(await ours.domains.update('locked.test', lock, trid()))
  assert.deepEqual(done(await ours.domains.info('locked.test')).statuses, locks)
  const nameservers = { add: [], remove: ['ns2.zonewright.test'] }
  assert.equal(codeOf(await ours.domains.update('locked.test', { nameservers }, trid())), 'refused 2304')
  assert.equal(codeOf(await ours.domains.update('locked.test', { ...unlock, nameservers }, trid())), 'refused 2304')
  assert.equal(codeOf(await ours.domains.delete('locked.test', trid())), 'refused 2304')
  const request = { name: 'locked.test', authInfo: 'transfer-Secret1' }
  assert.equal(codeOf(await rival.domains.requestTransfer(request, trid())), 'refused 2304')
  done(await ours.domains.update('locked.test', unlock, trid()))
  done(await ours.domains.update('locked.test', { nameservers }, trid()))
})

test('a host below a domain has its addresses in the DNS; an outside host is created when a domain needs it', async () => {
  await register(ours, 'glue.test')
  const host = { name: 'ns1.glue.test', addresses: ['192.0.2.53', '2001:db8::53'] }
  done(await ours.hosts.create(host, trid()))
  assert.equal(codeOf(await ours.hosts.create(host, trid())), 'refused 2302')
  assert.equal(codeOf(await rival.hosts.create({ ...host, name: 'ns2.glue.test' }, trid())), 'refused 2201')
  done(await ours.domains.update('glue.test', { nameservers: { add: [host.name], remove: [] } }, trid()))
  assert.deepEqual(done(await ours.domains.info('glue.test')).subordinateHosts, [host.name])
  assert.deepEqual([inDns(host.name, 'A'), inDns(host.name, 'AAAA')], [['192.0.2.53'], ['2001:db8::53']])
  const moved = { addresses: { add: ['192.0.2.54'], remove: ['192.0.2.53'] } }
  done(await ours.hosts.update(host.name, moved, trid()))
  assert.deepEqual(done(await ours.hosts.info(host.name)).addresses, ['2001:db8::53', '192.0.2.54'])
  assert.equal(codeOf(await ours.hosts.delete(host.name, trid())), 'refused 2305')
  assert.equal(codeOf(await ours.hosts.info('ns9.nowhere.example')), 'refused 2303')
  await register(ours, 'outside.test', { nameservers: ['ns9.nowhere.example'] })
  assert.deepEqual(done(await ours.hosts.info('ns9.nowhere.example')).addresses, [])
})

test('refuses an unknown nameserver below a TLD of the registry, because it needs addresses first', async () => {
  const outcome = await ours.domains.create(
    await registrationOf(ours, 'early.test', { nameservers: ['ns1.early.test'] }),
    trid(),
  )
  assert.equal(codeOf(outcome), 'refused 2303')
  assert.equal(codeOf(await ours.domains.info('early.test')), 'refused 2303')
})

test('creates a host again if it was deleted in the meantime, and the registration succeeds', async () => {
  await register(ours, 'first-user.test', { nameservers: ['ns.vanishing.example'] })
  done(
    await ours.domains.update(
      'first-user.test',
      { nameservers: { add: [], remove: ['ns.vanishing.example'] } },
      trid(),
    ),
  )
  done(await ours.hosts.delete('ns.vanishing.example', trid()))
  const info = await register(ours, 'second-user.test', { nameservers: ['ns.vanishing.example'] })
  assert.deepEqual(info.nameservers, ['ns.vanishing.example'])
})

test('stores a contact as given, in any script, and changes it', async () => {
  const { registrant: id } = await registrationOf(ours, 'unused.test')
  const contact = {
    id,
    name: 'Adé Ọbí',
    organization: 'Ọjà & Sons <Ltd>',
    street: ['1 Marina', 'Floor 2', 'Room 3'],
    city: 'Ìbàdàn',
    state: 'Ọ̀yọ́',
    postalCode: '200001',
    country: 'NG',
    phone: '+234.8099999999',
    phoneExtension: '0042',
    email: 'ade@example.net',
  }
  done(await ours.contacts.update(contact, trid()))
  const first = done(await ours.contacts.info(id))
  assert.deepEqual(
    [first.phone, first.phoneExtension, first.email, first.sponsor],
    [contact.phone, '0042', contact.email, ours.registrarId],
  )
  done(await ours.contacts.update({ ...contact, phoneExtension: '' }, trid()))
  assert.equal(done(await ours.contacts.info(id)).phoneExtension, '')
  const other = { ...contact, id: `${id}x` }
  done(await ours.contacts.create(other, 'contact-Secret1', trid()))
  const { roid: _, statuses: __, sponsor: ___, ...told } = done(await ours.contacts.info(other.id))
  assert.deepEqual(told, other)
  assert.equal(codeOf(await ours.contacts.create(other, 'contact-Secret1', trid())), 'refused 2302')
  assert.equal(codeOf(await ours.contacts.info('NOBODY-1')), 'refused 2303')
  done(await ours.contacts.delete(other.id, trid()))
  assert.equal(
    codeOf(await ours.contacts.create({ ...other, country: 'N' }, 'contact-Secret1', trid())),
    'refused 2005',
  )
})

/** The next message about a domain. Acknowledges messages of other tests on the way. */
async function messageAbout(registry: typeof ours, domain: string): Promise<RegistryMessage> {
  let found: RegistryMessage | undefined
  await eventually(`a message about ${domain}`, async () => {
    const message = done(await registry.messages.next())
    if (message === null) return false
    const { news } = message
    const about = news.kind === 'transfer' ? news.transfer.name : news.kind === 'decided' ? news.domain : ''
    if (about === domain) found = message
    done(await registry.messages.acknowledge(message.id))
    return found !== undefined
  })
  assert.ok(found)
  return found
}

test('a transfer is requested, reported to both registrars in messages, approved by the loser, and renews the domain', async () => {
  const before = await register(rival, 'moving.test')
  const request = { name: 'moving.test', authInfo: 'transfer-Secret1' }
  assert.equal(
    codeOf(await ours.domains.requestTransfer({ ...request, authInfo: 'wrong-Secret1' }, trid())),
    'refused 2202',
  )
  const asked = await ours.domains.requestTransfer(request, trid())
  assert.equal(asked.kind, 'pending')
  assert.deepEqual(asked.kind === 'pending' && [asked.value?.status, asked.value?.requestedBy, asked.value?.actor], [
    'pending',
    'zonewright',
    'rival',
  ])
  assert.equal(codeOf(await ours.domains.requestTransfer(request, trid())), 'refused 2300')
  assert.equal(done(await ours.domains.queryTransfer('moving.test')).status, 'pending')
  const told = await messageAbout(rival, 'moving.test')
  assert.equal(told.news.kind === 'transfer' && told.news.transfer.status, 'pending')
  assert.equal(codeOf(await ours.domains.approveTransfer('moving.test', trid())), 'refused 2201')
  assert.equal(done(await rival.domains.approveTransfer('moving.test', trid())).status, 'clientApproved')
  const approved = await messageAbout(ours, 'moving.test')
  assert.equal(approved.news.kind === 'transfer' && approved.news.transfer.status, 'clientApproved')
  const info = done(await ours.domains.info('moving.test'))
  assert.equal(info.sponsor, ours.registrarId)
  assert.equal(info.expiresAt?.getUTCFullYear(), (before.expiresAt?.getUTCFullYear() ?? 0) + 1)
  assert.equal(codeOf(await rival.domains.approveTransfer('moving.test', trid())), 'refused 2301')
})

test('after the loser rejects a transfer, or its requester cancels it, the domain stays', async () => {
  await register(ours, 'staying.test')
  const request = { name: 'staying.test', authInfo: 'transfer-Secret1' }
  assert.equal((await rival.domains.requestTransfer(request, trid())).kind, 'pending')
  assert.equal(done(await ours.domains.rejectTransfer('staying.test', trid())).status, 'clientRejected')
  assert.equal((await rival.domains.requestTransfer(request, trid())).kind, 'pending')
  assert.equal(done(await rival.domains.cancelTransfer('staying.test', trid())).status, 'clientCancelled')
  assert.equal(done(await rival.domains.queryTransfer('staying.test')).status, 'clientCancelled')
  assert.equal(done(await ours.domains.info('staying.test')).sponsor, ours.registrarId)
})

test("another registrar's domain shows little, and everything with its transfer code", async () => {
  await register(rival, 'theirs.test')
  const shut = done(await ours.domains.info('theirs.test'))
  assert.deepEqual([shut.sponsor, shut.registrant, shut.expiresAt, shut.nameservers], ['rival', null, null, []])
  const open = done(await ours.domains.info('theirs.test', 'transfer-Secret1'))
  assert.equal(open.nameservers.length, 2)
  assert.equal(codeOf(await ours.domains.info('theirs.test', 'wrong-Secret')), 'refused 2202')
  assert.equal(codeOf(await ours.domains.update('theirs.test', { authInfo: 'stolen-Secret9' }, trid())), 'refused 2201')
})

test('passes on messages one by one, acknowledges each once it is processed, and repeats it after a failure', async () => {
  for (const name of ['heard-1.test', 'heard-2.test']) {
    await register(ours, name)
    await rival.domains.requestTransfer({ name, authInfo: 'transfer-Secret1' }, trid())
  }
  const heard: string[] = []
  let refusals = 2
  const listener = ours.messages.listen(async ({ news }) => {
    if (news.kind !== 'transfer' || !news.transfer.name.startsWith('heard-')) return
    if (refusals-- > 0) throw new Error('the database is away')
    heard.push(news.transfer.name)
  })
  await eventually('both are heard', async () => heard.length === 2)
  await listener.close()
  assert.deepEqual(heard, ['heard-1.test', 'heard-2.test'])
  assert.equal(codeOf(await ours.messages.acknowledge('999999')), 'refused 2303')
})

test('the registry of a name is the one with the longest TLD above it', () => {
  const settings = server.settingsOf('zonewright')
  const registries = createEppRegistries(
    [
      { ...settings, id: 'test', tlds: ['test'] },
      { ...settings, id: 'com.test', tlds: ['com.test'] },
    ],
    { info: () => undefined, warn: () => undefined },
  )
  assert.equal(registries.registryOf('a.test')?.id, 'test')
  assert.equal(registries.registryOf('a.com.test')?.id, 'com.test')
  assert.equal(registries.registryOf('com.test')?.id, 'test')
  assert.equal(registries.registryOf('a.example'), undefined)
  assert.equal(registries.registryOf('atest'), undefined)
})
