import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { statusesAt, TestOwner, workDomains } from '#testing/test-owner.ts'
import { codeOf } from '#testing/test-zones.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { arrive, dropArriving } from './bring-domain.ts'
import { startChange } from './start-change.ts'
import { claimSyncs, domainNamed, markGone } from './store.ts'
import { syncDomain } from './sync-domain.ts'
import { takeRegistryNews } from './take-news.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const api = await startTestApi({ registry: server })
const { database } = api
const { db } = database
const owner = await TestOwner.make(api, server)
const guest = await TestOwner.make(api, server, 'guest@example.net')
const dayMs = 86_400_000

async function mailsTo({ person }: TestOwner): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from mails where to_address = ${person.email} and kind in ('transfer_requested', 'domain_in_redemption', 'domain_gone') order by queued_at, id`.execute(
    db,
  )
  return rows.map(({ kind }) => kind)
}
/** Requests a transfer as another registrar that has the transfer code. */
async function askFor(name: string): Promise<void> {
  const authInfo = staff.domain(name)?.authInfo ?? ''
  assert.equal((await staff.rival.domains.requestTransfer({ name, authInfo }, trid())).kind, 'pending')
}
/** Handles every message of the registry twice. */
async function hear(): Promise<void> {
  for (;;) {
    const message = done(await owner.registry.messages.next())
    if (message === null) return
    for (let n = 0; n < 2; n++) await takeRegistryNews({ database }, message)
    done(await owner.registry.messages.acknowledge(message.id))
  }
}
/** Moves the first lookup that found nothing back by this many minutes. */
async function longMissing(name: string, minutes = 60): Promise<void> {
  await sql`
    update domains set missing_since = missing_since - make_interval(mins => ${minutes}) where name = ${name}`.execute(
    db,
  )
}
/** Seconds until the domain is checked. */
async function dueIn(name: string): Promise<number> {
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from sync_at - app_now())::float8 as "inS" from domains
    where name = ${name} and state = 'held'`.execute(db)
  return rows[0]?.inS ?? assert.fail('it is not looked at any more')
}
const isDue = async (name: string): Promise<boolean> => {
  const { rows } = await sql`select from domains where name = ${name} and sync_at <= app_now()`.execute(db)
  return rows.length > 0
}
const shown = async (name: string) => (await owner.call('GET', name)).body
/** Makes another account a manager of a domain, adds the domain to one of its keys, and invites a third person. Returns the key. */
async function share(name: string, by = owner): Promise<string> {
  await sql`insert into domain_managers (domain_id, account_id)
    select id, ${guest.accountId} from domains where name = ${name}`.execute(db)
  const invited = await by.call('POST', `${name}/managers`, { email: 'third@example.net' })
  assert.equal(invited.status, 201)
  const key = await api.key(guest.accountId, { permissions: ['domains:read'], picks: [{ kind: 'domain', name }] })
  assert.equal((await guest.call('GET', name)).status, 200)
  assert.deepEqual(await partsIn(name), ['invitation', 'key', 'manager'])
  return key
}
/** The access of others to a domain. */
async function partsIn(name: string): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select part from domains d join (
      select 'manager' as part, domain_id from domain_managers
      union all select 'invitation', domain_id from domain_invitations
      union all select 'key', domain_id from api_key_domains) parts on parts.domain_id = d.id
    where d.name = ${name} order by part`.execute(db)
  return rows.map(({ part }) => part)
}

test('the daily check finds what others changed at the registry: nameservers, lock, expiry', async () => {
  const name = await owner.domain()
  const { expiresAt } = await shown(name)
  done(
    await owner.registry.domains.update(
      name,
      {
        nameservers: { add: ['ns1.example.net'], remove: ['ns1.zonewright.test'] },
        statuses: { add: ['clientTransferProhibited'], remove: [] },
      },
      trid(),
    ),
  )
  const info = done(await owner.registry.domains.info(name))
  done(await owner.registry.domains.renew({ name, years: 1, expiresAt: info.expiresAt ?? new Date() }, trid()))
  await sql`
    update zone_delegations d set due_at = app_now() + interval '6 hours'
    from zones z where z.id = d.zone_id and z.name = ${name}`.execute(db)
  await owner.workNow()
  const found = await shown(name)
  assert.deepEqual([found.locked, found.nameservers], [true, ['ns1.example.net', 'ns2.zonewright.test']])
  assert.notEqual(found.expires_at, expiresAt)
  assert.equal(Date.parse(found.expires_at), staff.domain(name)?.expiresAt)
  assert.deepEqual(await owner.audit(name), ['domain.nameservers_found registry'])
  const { rows } = await sql`
    select from zone_delegations d join zones z on z.id = d.zone_id where z.name = ${name} and d.due_at <= app_now()`.execute(
    db,
  )
  assert.equal(rows.length, 1, 'its delegation is checked')
  assert.equal(await isDue(name), false, 'the next look is a day away')
})

test('after the registrant was changed at the registry, the former one is no longer shown', async () => {
  const name = await owner.domain()
  const { id } = (await owner.person.call('POST', '/contacts', { body: testContact })).body
  assert.equal(
    (await owner.call('PUT', `${name}/contacts`, { contact_id: id })).body.contacts.registrant.name,
    testContact.name,
  )
  const other = await owner.domain()
  const { registrant } = done(await owner.registry.domains.info(other))
  done(await owner.registry.domains.update(name, { registrant: registrant ?? '' }, trid()))
  await owner.workNow()
  assert.equal((await shown(name)).contacts.registrant, null)
  assert.equal((await owner.audit(name)).at(-1), 'domain.contacts_found registry')
})

test('a transfer requested by another registrar is shown and emailed once, and the owner can reject it', async () => {
  const name = await owner.domain()
  const before = (await mailsTo(owner)).length
  await askFor(name)
  await hear()
  assert.equal(await isDue(name), true, 'its message makes it looked at now')
  await owner.workNow()
  await owner.workNow()
  const asked = await shown(name)
  assert.deepEqual([asked.status, asked.transfer_out.requested_by], ['transferring_out', 'rival'])
  assert.match(asked.status_message, /registrar rival has requested a transfer/)
  assert.deepEqual((await mailsTo(owner)).slice(before), ['transfer_requested'])
  const kept = await owner.call('POST', `${name}/transfer-out/reject`)
  assert.deepEqual([kept.status, kept.body.status, kept.body.transfer_out], [200, 'active', null])
  assert.equal(staff.domain(name)?.sponsor, 'zonewright')
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/transfer-out/reject`)), [409, 'conflict'])
  await askFor(name)
  await hear()
  await owner.workNow()
  assert.equal((await mailsTo(owner)).length, before + 2, 'another request is another mail')
})

test('an owner approves a transfer: the domain is at the other registrar, its managers lose access, and its zone stays', async () => {
  const name = await owner.domain()
  const { zone_id: zoneId } = await shown(name)
  const key = await share(name)
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/transfer-out/approve`)), [409, 'conflict'])
  assert.equal((await partsIn(name)).length, 3, 'nobody leaves a domain that stays')
  await askFor(name)
  // The response is lost: the command is looked up, and not resent.
  staff.loseAnswer('domain:transfer approve', name)
  assert.equal((await owner.call('POST', `${name}/transfer-out/approve`)).status, 204)
  assert.equal(staff.domain(name)?.sponsor, 'rival')
  assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
  assert.deepEqual(codeOf(await guest.call('GET', name)), [404, 'not_found'])
  assert.deepEqual(codeOf(await api.call('GET', `/domains/${name}`, { key })), [404, 'not_found'])
  assert.deepEqual(await partsIn(name), [])
  assert.deepEqual(await owner.audit(name), [
    'manager.invited owner@example.net',
    'domain.transfer_approved owner@example.net',
    'domain.transferred owner@example.net',
  ])
  assert.equal((await owner.person.call('GET', `/zones/${zoneId}`)).body.state, 'live')
})

test('a transfer away that the registry has not decided is not reported as done: the domain stays until the decision', async () => {
  const name = await owner.domain()
  await askFor(name)
  await owner.workNow()
  staff.once('domain:transfer approve', { code: 1001 }, name)
  const answer = await owner.call('POST', `${name}/transfer-out/approve`)
  assert.deepEqual([answer.status, answer.body.name, answer.body.change?.kind], [202, name, 'approve_transfer'])
  await owner.workNow()
  assert.equal((await shown(name)).change?.kind, 'approve_transfer')
  done(await owner.registry.domains.approveTransfer(name, trid()))
  await hear()
  await owner.workNow()
  assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
})

test('a domain that left without our approval is gone, and its owner is notified once', async () => {
  const name = await owner.domain()
  await share(name)
  const before = (await mailsTo(owner)).length
  await askFor(name)
  done(await owner.registry.domains.approveTransfer(name, trid()))
  await hear()
  await owner.workNow()
  await owner.workNow()
  assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
  assert.deepEqual((await mailsTo(owner)).slice(before), ['domain_gone'])
  assert.deepEqual(await partsIn(name), [])
  assert.deepEqual(await owner.audit(name), ['manager.invited owner@example.net', 'domain.transferred registry'])
})

test('an expired domain can be renewed, then is in redemption, and then is deleted, as the registry reports', async () => {
  // The registry's clock is moved for every domain, so this test has an owner without domains of other tests.
  const holder = await TestOwner.make(api, server, 'holder@example.net')
  const name = await holder.domain({ prefix: 'aging' })
  await share(name, holder)
  const before = (await mailsTo(holder)).length
  try {
    for (const [days, status, message] of [
      [366, 'expired', /expired on .* Renew it now/],
      [366 + 31, 'redemption', /can be restored for a fee/],
      [366 + 62, 'deleting', /It cannot be restored/],
    ] as const) {
      server.epp.registry.setAhead(days * dayMs)
      // The service's clock moves too, so that an expiry is the same for both.
      await sql`update domains set expires_at = app_now() - interval '1 day' where name = ${name}`.execute(db)
      for (let look = 0; look < 2; look++) await holder.workNow()
      await sql`update domains set expires_at = app_now() - interval '1 day' where name = ${name}`.execute(db)
      const { body } = await holder.call('GET', name)
      assert.equal(body.status, status)
      assert.match(body.status_message, message)
      const quote = await holder.person.call('POST', '/quotes', { body: { kind: 'renew', name } })
      assert.equal(quote.body.error?.code, status === 'expired' ? undefined : 'not_renewable', status)
    }
    server.epp.registry.setAhead((366 + 70) * dayMs)
    await holder.workNow()
    assert.equal((await holder.call('GET', name)).status, 200, 'one look that finds nothing is not enough')
    await longMissing(name)
    await holder.workNow()
    assert.deepEqual(codeOf(await holder.call('GET', name)), [404, 'not_found'])
    assert.deepEqual(await partsIn(name), [])
    assert.deepEqual(await holder.audit(name), [
      'manager.invited holder@example.net',
      'domain.redemption_begun registry',
      'domain.deleted registry',
    ])
    const told = (await mailsTo(holder)).slice(before)
    assert.deepEqual(
      told.toSorted(),
      ['domain_gone', 'domain_in_redemption'],
      'once each, however often it is looked at',
    )
  } finally {
    server.epp.registry.setAhead(0)
  }
})

test('a registry that does not respond changes nothing and is queried again after a quarter of an hour', async () => {
  const name = await owner.domain()
  const facts = await shown(name)
  staff.once('domain:info', { code: 2400 }, name)
  await owner.workNow()
  assert.deepEqual(await shown(name), facts)
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from sync_at - app_now())::int as "inS" from domains where name = ${name}`.execute(db)
  assert.ok(Math.abs((rows[0]?.inS ?? 0) - 900) < 60, JSON.stringify(rows))
})

test('if a registry does not know a domain or shows nothing, it is queried again an hour later before the domain counts as gone', async () => {
  for (const code of [2303, 2201]) {
    const name = await owner.domain()
    const before = (await mailsTo(owner)).length
    const findNothing = async (): Promise<void> => {
      staff.once('domain:info', { code }, name)
      await owner.workNow()
    }
    await findNothing()
    assert.equal((await owner.call('GET', name)).status, 200)
    assert.ok(Math.abs((await dueIn(name)) - 3_600) < 60, `${code}: ${await dueIn(name)}`)
    await findNothing()
    assert.equal((await owner.call('GET', name)).status, 200, 'nor are two within the hour')
    // After a lookup finds the domain, the count starts again.
    await owner.workNow()
    await longMissing(name)
    await findNothing()
    assert.equal((await owner.call('GET', name)).status, 200)
    assert.deepEqual((await mailsTo(owner)).slice(before), [])
    await longMissing(name)
    await findNothing()
    assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
    assert.deepEqual((await mailsTo(owner)).slice(before), ['domain_gone'])
  }
})

test('the hour after which a domain is gone begins with the first check that did not find it', async () => {
  const name = await owner.domain()
  for (const status of [200, 200, 404]) {
    staff.once('domain:info', { code: 2303 }, name)
    await owner.workNow()
    assert.equal((await owner.call('GET', name)).status, status)
    await longMissing(name, 30)
  }
})

test('a lookup that started before a change never overwrites the result of the change', async () => {
  const name = await owner.domain()
  await sql`update domains set sync_at = app_now() where name = ${name}`.execute(db)
  const [claimed] = await database.transact((tx) => claimSyncs(tx, 10, 600))
  assert.equal(claimed?.name, name)
  // The lookup is slow: the change is made while the lookup waits for its turn to be stored.
  const info = await owner.registry.domains.info(name)
  const slowed = {
    ...owner.registry,
    domains: {
      ...owner.registry.domains,
      info: async () => {
        assert.equal((await owner.call('POST', `${name}/lock`)).status, 200)
        return info
      },
    },
  }
  await syncDomain(withRegistry(owner.work, slowed), claimed ?? assert.fail())
  assert.equal((await shown(name)).locked, true)
  assert.notDeepEqual(statusesAt(staff, name), [])
  assert.equal((await domainNamed(db, name))?.statuses.includes('clientTransferProhibited'), true)
})

test('a check of a domain that left in the meantime does not affect the next domain of that name', async () => {
  const name = await owner.domain()
  await sql`update domains set sync_at = app_now() where name = ${name}`.execute(db)
  const [claimed] = await database.transact((tx) => claimSyncs(tx, 10, 600))
  assert.equal(claimed?.name, name)
  const slow = aroundCalls(owner.registry, async (_method, _args, call) => {
    await database.transact((tx) => markGone(tx, name, 'transferred'))
    await owner.take(name)
    return call()
  })
  await syncDomain(withRegistry(owner.work, slow), claimed ?? assert.fail())
  const dueS = await dueIn(name)
  assert.ok(dueS > 86_000, `${dueS} s`)
})

test('a domain that has arrived is checked at once, unless an operator has completed its transfer', async () => {
  const actor = actorNamed('system', 'test')
  for (const isByHand of [false, true]) {
    const expiresAt = isByHand ? null : new Date('2031-05-06T00:00:00Z')
    const name = await owner.domain()
    await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
    const { accountId } = owner
    await database.transact((tx) => arrive(tx, api.orders.giveZone, actor, { accountId, name, expiresAt }, isByHand))
    assert.equal(await isDue(name), !isByHand)
    assert.equal((await dueIn(name)) > 86_000, isByHand)
  }
})

test('a domain arrives once, even if two workers see its transfer complete', async () => {
  const actor = actorNamed('system', 'test')
  const name = await owner.domain()
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  const { accountId } = owner
  const arriving = () =>
    database.transact((tx) => arrive(tx, api.orders.giveZone, actor, { accountId, name, expiresAt: null }, false))
  await Promise.all([arriving(), arriving()])
  assert.deepEqual(await owner.audit(name), ['domain.transferred_in test'])
})

test('a domain that arrived by transfer is checked first, and then shows its data', async () => {
  const name = await owner.domain()
  done(
    await owner.registry.domains.update(name, { statuses: { add: ['clientTransferProhibited'], remove: [] } }, trid()),
  )
  await sql`update domains set nameservers = '{}', statuses = '{}' where name = ${name}`.execute(db)
  await owner.workNow()
  const { locked, nameservers } = await shown(name)
  assert.deepEqual([locked, nameservers], [true, ['ns1.zonewright.test', 'ns2.zonewright.test']])
  assert.deepEqual(await owner.audit(name), [], 'nobody has changed them')
})

test('the message about a decision of the registry makes the change that waits for it continue at once', async () => {
  const name = await owner.domain()
  staff.once('domain:update', { pending: true }, name)
  assert.equal((await owner.call('POST', `${name}/lock`)).status, 202)
  await staff.decide(name, true)
  await workDomains(owner.work)
  assert.equal((await shown(name)).change?.kind, 'lock', 'nothing is due yet')
  await hear()
  await workDomains(owner.work)
  const { change, locked } = await shown(name)
  assert.deepEqual([change, locked], [null, true])
})

test('a transfer away that a check finds completed is done; if the domain was deleted instead, it is not', async () => {
  for (const isMade of [true, false]) {
    const name = await owner.domain()
    await askFor(name)
    await owner.workNow()
    staff.once('domain:transfer approve', { code: 1001 }, name)
    assert.equal((await owner.call('POST', `${name}/transfer-out/approve`)).status, 202)
    // Only the check is due.
    const look = async (): Promise<void> => {
      await sql`update domains set sync_at = app_now() where name = ${name}`.execute(db)
      await workDomains(owner.work)
    }
    if (isMade) {
      done(await owner.registry.domains.approveTransfer(name, trid()))
      await look()
    } else
      for (let n = 0; n < 2; n++) {
        staff.once('domain:info', { code: 2303 }, name)
        await look()
        await longMissing(name)
      }
    assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
    const { rows } = await sql<{ state: string }>`
      select a.state from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name}`.execute(db)
    assert.deepEqual(rows, [{ state: isMade ? 'done' : 'refused' }])
    assert.deepEqual(await owner.operations(name), [`approve ${isMade ? 'done' : 'refused'}`])
  }
})

test('a domain is not checked while a change of it is in progress', async () => {
  const name = await owner.domain()
  const isClaimed = async (): Promise<boolean> => {
    await sql`update domains set sync_at = app_now() where name = ${name}`.execute(db)
    return (await database.transact((tx) => claimSyncs(tx, 1_000, 600))).some((domain) => domain.name === name)
  }
  const during: boolean[] = []
  const watched = aroundCalls(owner.registry, async (method, _, call) => {
    if (method === 'update') during.push(await isClaimed())
    return call()
  })
  const wanted = { name, wish: { kind: 'lock' }, actor: actorNamed('system', 'test') } as const
  assert.equal(await startChange(withRegistry(owner.work, watched), wanted), 'done')
  assert.deepEqual(during, [false])
  assert.equal(await isClaimed(), true)
})

test('after a rejected transfer to us, no one has access to the domain', async () => {
  const name = await owner.domain()
  await share(name)
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  const { accountId } = owner
  await database.transact((tx) => dropArriving(tx, actorNamed('system', 'test'), { accountId, name }))
  assert.deepEqual(await partsIn(name), [])
})

test('if a domain leaves after its account was erased, no contact is kept', async () => {
  const former = await TestOwner.make(api, server, 'former@example.net')
  for (const isErased of [false, true]) {
    const name = await former.domain({ prefix: 'former' })
    await sql`update domains set contact = ${JSON.stringify(testContact)}::jsonb where name = ${name}`.execute(db)
    if (isErased)
      await sql`update accounts set deleted_at = app_now(), erased_at = app_now() where id = ${former.accountId}`.execute(
        db,
      )
    await askFor(name)
    done(await owner.registry.domains.approveTransfer(name, trid()))
    await owner.workNow()
    const { rows } = await sql<{ state: string; isKept: boolean }>`
      select state, contact is not null as "isKept" from domains where name = ${name}`.execute(db)
    assert.deepEqual(rows, [{ state: 'gone', isKept: !isErased }])
  }
})
