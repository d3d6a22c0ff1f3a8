import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import type { Outcome, RegistryMessage } from '#ports/registry.ts'
import { eventually } from '#testing/eventually.ts'
import { done, register, registrationOf, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { createEppRegistries, type EppSettings } from './index.ts'

const server = await startSandboxRegistry()
const ours = server.connect('zonewright')
const rival = server.connect('rival')
beforeEach(() => server.epp.behaviours.set({}))

const kindOf = ({ kind }: Outcome<unknown>): string => kind

for (const answer of ['drop', 'cut', 'doctype', 'oversize', 'garbage', 'stranger'] as const) {
  test(`after an unusable answer (${answer}) the outcome is unknown, and a lookup reveals it`, async () => {
    const name = `${answer}.test`
    const registration = await registrationOf(ours, name)
    server.epp.behaviours.set({ answer, times: 1 }, 'domain:create')
    const outcome = await ours.domains.create(registration, trid())
    assert.equal(outcome.kind, 'unknown', JSON.stringify(outcome))
    assert.equal(done(await ours.domains.info(name)).sponsor, ours.registrarId)
    server.epp.behaviours.set({ answer, skip: true, times: 1 }, 'domain:delete')
    assert.equal(kindOf(await ours.domains.delete(name, trid())), 'unknown')
    assert.equal(done(await ours.domains.info(name)).name, name, 'it was not done this time')
  })
}

test('waits for a hanging registry until the time limit, and closes the connection before it reports that', async () => {
  const hasty = server.connect('zonewright', { commandTimeoutMs: 400 })
  const registration = await registrationOf(ours, 'hang.test')
  server.epp.behaviours.set({ answer: 'hang', times: 1 }, 'domain:create')
  const outcome = await hasty.domains.create(registration, trid())
  assert.deepEqual([outcome.kind, outcome.kind === 'unknown' && outcome.why], ['unknown', 'No response within 0.4 s.'])
  assert.equal(done(await hasty.domains.info('hang.test')).sponsor, ours.registrarId)
})

test('a late answer is never taken for the answer to the next command', async () => {
  const hasty = server.connect('zonewright', { commandTimeoutMs: 300, sessions: 1 })
  await register(ours, 'late.test')
  server.epp.behaviours.set({ delayMs: 600, times: 1 }, 'domain:info')
  assert.equal(kindOf(await hasty.domains.info('late.test')), 'unknown')
  await register(ours, 'next.test')
  assert.equal(done(await hasty.domains.info('next.test')).name, 'next.test')
})

for (const [answer, next] of [
  // The second response arrives with the first. The session is then unusable, and nothing was written to it yet.
  ['twice', 'done'],
  // It arrives like a response to the next command, whose outcome is then unknown.
  ['again', 'unknown'],
] as const)
  test(`a repeated answer (${answer}) is never taken for the answer to the next command`, async () => {
    await withSettings({ sessions: 1 }, async (registry) => {
      const names = [1, 2, 3, 4].map((n) => `${answer}-${n}.test`)
      const [first = '', second = '', third = '', fourth = ''] = names
      for (const name of [first, second]) await register(registry, name)
      server.epp.behaviours.set({ answer, times: 1 }, 'domain:info')
      assert.equal(done(await registry.domains.info(first)).name, first)
      const info = await registry.domains.info(second)
      assert.deepEqual([info.kind, info.kind === 'done' && info.value.name], [next, next === 'done' && second])
      assert.equal(done(await registry.domains.info(second)).name, second)
      // This refusal would otherwise mean that the next domain is not registered.
      server.epp.behaviours.set({ code: 2302, answer, times: 1 }, 'domain:create')
      assert.equal(kindOf(await registry.domains.create(await registrationOf(ours, third), trid())), 'refused')
      const created = await registry.domains.create(await registrationOf(ours, fourth), trid())
      assert.equal(created.kind, next)
      assert.equal(done(await registry.domains.info(fourth)).sponsor, registry.registrarId)
    })
  })

test('unreadable messages do not block the queue: they are passed on with their text and the reason', async () => {
  for (const name of ['hollow-1.test', 'hollow-2.test']) {
    await register(ours, name)
    await rival.domains.requestTransfer({ name, authInfo: 'transfer-Secret1' }, trid())
  }
  server.epp.behaviours.set({ answer: 'hollow' }, 'poll')
  const heard: RegistryMessage[] = []
  const listener = ours.messages.listen(async (message) => void heard.push(message))
  await eventually('both are heard', async () => heard.length === 2).finally(() => listener.close())
  for (const { text, news } of heard) {
    assert.equal(text, 'Transfer requested')
    assert.match(news.kind === 'other' ? (news.unread ?? '') : '', /lacks/)
  }
  assert.equal(done(await ours.messages.next()), null)
})

test('after 24xx and 25xx, failures of the registry itself, the outcome is unknown', async () => {
  for (const code of [2400, 2500, 2501, 2502]) {
    server.epp.behaviours.set({ code, reason: 'Out of order', times: 1 }, 'domain:create')
    const outcome = await ours.domains.create(await registrationOf(ours, `trouble-${code}.test`), trid())
    assert.equal(outcome.kind, 'unknown', String(code))
    assert.equal(outcome.kind === 'unknown' && outcome.reply?.code, code)
  }
})

test('a refusal has the registry’s code and text, and no effect', async () => {
  for (const code of [2004, 2302, 2304, 2306, 2308]) {
    server.epp.behaviours.set({ code, reason: 'We would rather not', times: 1 }, 'domain:create', `no-${code}.test`)
    const outcome = await ours.domains.create(await registrationOf(ours, `no-${code}.test`), trid())
    assert.ok(outcome.kind === 'refused' && outcome.reply.code === code, JSON.stringify(outcome))
    assert.match(outcome.reply.message, /: We would rather not$/)
    assert.notEqual(outcome.reply.svTrid, '')
  }
})

test('an empty account is our fault, not the customer’s, and temporary', async () => {
  const setBalance = (balance: string) =>
    fetch(`http://${server.httpAddress}/epp/registrars/zonewright`, {
      method: 'PUT',
      body: JSON.stringify({ balance }),
    })
  const registration = await registrationOf(ours, 'poor.test')
  assert.equal((await setBalance('4999.99')).status, 200)
  const outcome = await ours.domains.create(registration, trid())
  assert.deepEqual([outcome.kind, outcome.kind === 'fault' && outcome.fault], ['fault', 'balance'])
  assert.equal((await setBalance('5000.00')).status, 200)
  const { charged } = done(await ours.domains.create(registration, trid()))
  assert.deepEqual(charged.balance, { amount: '0.00', currency: 'NGN' })
  assert.equal((await setBalance('100000000.00')).status, 200)
})

test('a pending command is reported, and its decision arrives as a message with the command’s clTRID', async () => {
  for (const wasDone of [true, false]) {
    const name = `pending-${wasDone}.test`
    const clTrid = trid()
    server.epp.behaviours.set({ pending: true, times: 1 }, 'domain:create')
    const outcome = await ours.domains.create(await registrationOf(ours, name), clTrid)
    assert.equal(outcome.kind, 'pending')
    assert.deepEqual(done(await ours.domains.info(name)).statuses.includes('pendingCreate'), true)
    const decision = { method: 'POST', body: JSON.stringify({ done: wasDone }) }
    assert.equal((await fetch(`http://${server.httpAddress}/epp/decisions/${name}`, decision)).status, 200)
    const message = await nextDecision()
    assert.deepEqual(
      message.news.kind === 'decided' && [message.news.domain, message.news.wasDone, message.news.clTrid],
      [name, wasDone, clTrid],
    )
    const info = await ours.domains.info(name)
    assert.equal(info.kind === 'done' ? info.value.statuses.join() : kindOf(info), wasDone ? 'ok' : 'refused')
  }
})

async function nextDecision(): Promise<RegistryMessage> {
  const message = done(await ours.messages.next())
  assert.ok(message)
  done(await ours.messages.acknowledge(message.id))
  return message
}

test('waits for a slow registry', async () => {
  server.epp.behaviours.set({ delayMs: 300, times: 1 }, 'domain:check')
  assert.equal(done(await ours.domains.check(['slow.test']))[0]?.isAvailable, true)
})

test('replaces sessions that the registry has ended, without losing or repeating a command', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((label) => ours.domains.check([`${label}.test`])))
  server.epp.closeSessions()
  const before = server.epp.noted.length
  await eventually('commands go through again', async () => (await ours.domains.check(['again.test'])).kind === 'done')
  const answered = server.epp.noted.slice(before).filter(({ command }) => command === 'domain:check')
  assert.ok(answered.length >= 1)
  assert.equal(new Set(answered.map(({ cl_trid }) => cl_trid)).size, answered.length)
})

/** A separate connection with other settings, closed after the test. */
async function withSettings<T>(more: Partial<EppSettings>, use: (outcome: typeof ours) => Promise<T>): Promise<T> {
  const registries = createEppRegistries([{ ...server.settingsOf('zonewright'), ...more }], {
    info: () => undefined,
    warn: () => undefined,
  })
  const [registry] = registries.all
  assert.ok(registry)
  try {
    return await use(registry)
  } finally {
    await registries.close()
  }
}

test('a listener for messages knows how long the registry has been away, and when it is back', async () => {
  const listener = ours.messages.listen(async () => undefined)
  try {
    await eventually('it answers', async () => listener.awayForS() === 0)
    for (const behaviour of [{ answer: 'drop' }, { code: 2400 }] as const) {
      server.epp.behaviours.set(behaviour, 'poll')
      const first = await eventually('it is away', async () => listener.awayForS() || undefined)
      await eventually('it is so for longer', async () => listener.awayForS() > first)
      server.epp.behaviours.set({})
      await eventually('it is back', async () => listener.awayForS() === 0)
    }
  } finally {
    await listener.close()
  }
})

test('if nothing listens, nothing is sent, and this is reported immediately', async () => {
  const port = await unusedPort()
  const outcome = await withSettings({ port }, async (registry) =>
    registry.domains.create(await registrationOf(ours, 'unheard.test'), trid()),
  )
  assert.equal(outcome.kind, 'not_sent')
})

async function unusedPort(): Promise<number> {
  const { createServer } = await import('node:net')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a wrong password is our fault, and no other login is tried until the retry pause is over', async () => {
  const logins = () => server.epp.noted.filter(({ command }) => command === 'login').length
  const before = logins()
  await withSettings({ password: 'not-this-one', loginRetryMs: 600_000 }, async (registry) => {
    for (let time = 0; time < 5; time++) {
      const outcome = await registry.domains.check(['let-me-in.test'])
      assert.deepEqual([outcome.kind, outcome.kind === 'fault' && outcome.fault], ['fault', 'login'])
      assert.ok(outcome.kind === 'fault' && outcome.reply.code === 2200)
    }
  })
  assert.equal(logins() - before, 1)
})

test("another registrar's certificate gives no access, and nothing is sent to a server that is not the registry", async () => {
  const { cert, key } = server.settingsOf('rival')
  const stolen = await withSettings({ cert, key }, (registry) => registry.domains.check(['x.test']))
  assert.equal(kindOf(stolen), 'fault')
  const misnamed = await withSettings({ serverName: 'epp.elsewhere.example' }, (registry) =>
    registry.domains.check(['x.test']),
  )
  assert.equal(kindOf(misnamed), 'not_sent')
  const untrusted = await withSettings({ ca: server.settingsOf('rival').cert }, (registry) =>
    registry.domains.check(['x.test']),
  )
  assert.equal(kindOf(untrusted), 'not_sent')
})

test('nothing is sent after a login that is refused for lack of room, or without a greeting', async () => {
  server.epp.behaviours.set({ code: 2502, times: 1 }, 'login')
  assert.equal(kindOf(await withSettings({}, (registry) => registry.domains.check(['x.test']))), 'not_sent')
  server.epp.behaviours.set({ answer: 'hang', times: 1 }, 'greeting')
  const hasty = { connectTimeoutMs: 300 }
  assert.equal(kindOf(await withSettings(hasty, (registry) => registry.domains.check(['x.test']))), 'not_sent')
})

test('commands share a few sessions, with one in flight in each; one that waits too long is not sent', async () => {
  await withSettings({ sessions: 2, queueTimeoutMs: 20_000 }, async (registry) => {
    const names = Array.from({ length: 30 }, (_, i) => `many-${i}.test`)
    const checks = await Promise.all(names.map((name) => registry.domains.check([name])))
    assert.ok(checks.every(({ kind }) => kind === 'done'))
    assert.ok(server.epp.sessionsOf('zonewright') <= 2 + 4, 'two here, four of the other tests')
  })
  await withSettings({ sessions: 1, queueTimeoutMs: 500 }, async (registry) => {
    await eventually('it is logged in', async () => (await registry.domains.check(['x.test'])).kind === 'done')
    server.epp.behaviours.set({ delayMs: 1_500, times: 1 }, 'domain:check', 'first.test')
    const both = await Promise.all(['first.test', 'second.test'].map((name) => registry.domains.check([name])))
    assert.deepEqual(both.map(kindOf), ['done', 'not_sent'])
  })
})

test('an idle session says hello; if the registry then ends it, it is replaced, and no command is lost', async () => {
  const heard = (what: string): number => server.epp.noted.filter(({ command }) => command === what).length
  await withSettings({ sessions: 1, helloEveryMs: 40 }, async (registry) => {
    done(await registry.domains.check(['x.test']))
    const [hellos, logins] = [heard('hello'), heard('login')]
    await eventually('it has said hello twice', async () => heard('hello') >= hellos + 2)
    assert.equal(heard('login'), logins)
    server.epp.behaviours.set({ answer: 'drop', times: 1 }, 'hello')
    await eventually('it has said hello again', async () => heard('hello') >= hellos + 3)
    assert.equal(kindOf(await registry.domains.check(['y.test'])), 'done')
  })
})

test('the registry keeps its objects across a restart, and we reconnect automatically', async () => {
  const before = await register(ours, 'kept.test')
  await server.restart()
  await eventually('the registry is there again', async () => (await ours.domains.info('kept.test')).kind === 'done')
  assert.deepEqual(done(await ours.domains.info('kept.test')), before)
})

test('an expired domain is held, then deleted, restored with a report, and finally gone', async () => {
  const setClock = (days: number) =>
    fetch(`http://${server.httpAddress}/epp/clock`, { method: 'PUT', body: JSON.stringify({ ahead_days: days }) })
  after(() => setClock(0))
  await register(ours, 'old.test')
  const statuses = async () => {
    const { statuses, graceStatuses } = done(await ours.domains.info('old.test'))
    return [...statuses, ...graceStatuses]
  }
  assert.equal((await setClock(366)).status, 200)
  assert.deepEqual(await statuses(), ['serverHold'])
  assert.equal(server.zones.delegations()['old.test'], undefined)
  await setClock(366 + 31)
  assert.deepEqual(await statuses(), ['pendingDelete', 'redemptionPeriod'])
  done(await ours.domains.restore('old.test', trid()))
  assert.deepEqual(await statuses(), ['pendingDelete', 'pendingRestore'])
  const report = {
    before: 'old.test',
    after: 'old.test',
    deletedAt: new Date(),
    restoredAt: new Date(),
    reason: 'Registrant asked',
    statements: ['For the registrant.', 'This is true.'],
  } as const
  done(await ours.domains.reportRestore('old.test', report, trid()))
  assert.deepEqual(await statuses(), ['ok'])
  const refused = await ours.domains.restore('old.test', trid())
  assert.ok(refused.kind === 'refused' && refused.reply.code === 2304)
  await setClock(366 + 31 + 365 + 31 + 66)
  const gone = await ours.domains.info('old.test')
  assert.ok(gone.kind === 'refused' && gone.reply.code === 2303)
})

test('a transfer that no one decides succeeds after five days', async () => {
  const setClock = (days: number) =>
    fetch(`http://${server.httpAddress}/epp/clock`, { method: 'PUT', body: JSON.stringify({ ahead_days: days }) })
  after(() => setClock(0))
  await register(rival, 'undecided.test')
  await ours.domains.requestTransfer({ name: 'undecided.test', authInfo: 'transfer-Secret1' }, trid())
  await setClock(6)
  assert.equal(done(await ours.domains.queryTransfer('undecided.test')).status, 'serverApproved')
  assert.equal(done(await ours.domains.info('undecided.test')).sponsor, ours.registrarId)
})

test('a client without a certificate of the registry’s authority does not even get a greeting', async () => {
  const { host, port } = server.settingsOf('zonewright')
  const socket = connect(port, host)
  socket.write('GET / HTTP/1.1\r\n\r\n')
  let said = ''
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
  })
  await Promise.race([once(socket, 'close'), once(socket, 'error')])
  assert.ok(!said.includes('greeting'))
})

test('passwords and transfer codes are never logged', async () => {
  const lines: string[] = []
  const note = (fields: object, message: string): void => {
    lines.push(JSON.stringify(fields), message)
  }
  const settings = server.settingsOf('zonewright')
  const registries = createEppRegistries([settings], { info: note, warn: note })
  const [registry] = registries.all
  assert.ok(registry)
  await register(registry, 'discreet.test')
  server.epp.behaviours.set({ answer: 'garbage', times: 1 }, 'domain:info')
  await registry.domains.info('discreet.test', 'transfer-Secret1')
  await registry.domains.info('discreet.test', 'wrong-Secret1')
  await registries.close()
  assert.ok(lines.some((line) => line.includes('domain:create')))
  const said = lines.join('\n')
  for (const secret of [settings.password, 'transfer-Secret1', 'wrong-Secret1', 'contact-Secret1'])
    assert.ok(!said.includes(secret), secret)
})

test('an acknowledged message that the registry keeps is taken twice, and then only at the polling interval', async () => {
  await register(ours, 'kept.test')
  await rival.domains.requestTransfer({ name: 'kept.test', authInfo: 'transfer-Secret1' }, trid())
  const { messages } = server.connect('zonewright', { pollEveryMs: 3_600_000 })
  let taken = 0
  const listener = messages.listen(async () => {
    taken++
    // For the next poll command, which acknowledges this message.
    server.epp.behaviours.set({ code: 2304, times: 1 }, 'poll')
  })
  await eventually('it has come again', () => taken >= 2)
  for (let n = 0; n < 30; n++) done(await ours.domains.info('kept.test'))
  await listener.close()
  assert.equal(taken, 2)
})

test('a registration is not sent if creating its nameservers exceeds the worker’s lease; a retry creates the others', async () => {
  // Half a second of the worker's lease of the order remains to create hosts.
  const hasty = { queueTimeoutMs: 10_000, connectTimeoutMs: 10_000, commandTimeoutMs: 89_500 }
  await withSettings(hasty, async (registry) => {
    const hosts = ['ns1.slow.example', 'ns2.slow.example', 'ns3.slow.example']
    const registration = await registrationOf(registry, 'in-time.test', { nameservers: hosts })
    const sent = (): string[] =>
      server.epp.noted
        .filter(({ command, subject }) => /:create$/.test(command) && [...hosts, 'in-time.test'].includes(subject))
        .map(({ command, subject }) => `${command} ${subject}`)
    server.epp.behaviours.set({ delayMs: 600, times: 1 }, 'host:create', 'ns2.slow.example')
    const late = await registry.domains.create(registration, trid())
    assert.equal(late.kind, 'not_sent', JSON.stringify(late))
    assert.ok(!sent().includes('domain:create in-time.test'))
    assert.ok(!sent().includes('host:create ns3.slow.example'))
    server.epp.behaviours.set({})
    await eventually('its nameservers are made in time', async () => {
      const { kind } = await registry.domains.create(registration, trid())
      return kind === 'done'
    })
    assert.deepEqual(sent(), [...hosts.map((host) => `host:create ${host}`), 'domain:create in-time.test'])
  })
})
