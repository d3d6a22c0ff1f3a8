import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { type TcpProxy, tcpProxy } from '#testing/tcp-proxy.ts'
import { createLogger } from '../log.ts'
import { Wake } from './wake.ts'

const database = await cloneDatabase()
const log = createLogger('test', 'silent')
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
})

function newWake(url: string): Wake {
  const wake = new Wake(url, log)
  closers.push(() => wake.close())
  return wake
}

async function started(url = database.url): Promise<Wake> {
  const wake = newWake(url)
  await wake.start()
  return wake
}

async function door(): Promise<TcpProxy> {
  const proxy = await tcpProxy(database.url)
  closers.push(() => proxy.close())
  return proxy
}

/** What a listener hears, one entry per notification. */
function heardBy(wake: Wake): string[][] {
  const heard: string[][] = []
  wake.on('zones_changed', (items) => heard.push(items))
  return heard
}

/** Sends wake-ups until one is heard: a LISTEN that is still in progress may miss the first. */
async function settled(from: Wake, to: string[][]): Promise<void> {
  await eventually('the listener listens', () => {
    from.tell('zones_changed', 'ready?')
    return to.length > 0
  })
  await eventually('the last of them arrived', () => {
    from.tell('zones_changed', 'ready!')
    return to.flat().includes('ready!')
  })
  to.length = 0
}

/** Long enough to show that no one else connects: a wake-up connection that lost its server has tried twice to reconnect. */
async function anotherKnocksTwice(): Promise<void> {
  const proxy = await door()
  await started(proxy.url)
  proxy.shut()
  const before = proxy.knocks()
  await eventually('it knocks', () => proxy.knocks() - before >= 2)
}

test('every process hears what one process sends, including the sender', async () => {
  const [a, b] = [await started(), await started()]
  const [heardA, heardB] = [heardBy(a), heardBy(b)]
  await settled(a, heardA)
  await settled(b, heardB)
  a.tell('zones_changed', 'zone-1')
  for (const heard of [heardA, heardB]) await eventually('the wake-up arrives', () => heard.flat().includes('zone-1'))
})

test('wake-ups on a channel that a process keeps stay in it until it releases the channel; it still hears others', async () => {
  const [leader, other] = [await started(), await started()]
  const [heardByLeader, heardByOther] = [heardBy(leader), heardBy(other)]
  await settled(leader, heardByLeader)
  await settled(other, heardByOther)
  const letGo = leader.keep('zones_changed')
  leader.tell('zones_changed', 'kept')
  await eventually('it hears itself', () => heardByLeader.flat().includes('kept'))
  other.tell('zones_changed', 'others')
  await eventually('it hears the other', () => heardByLeader.flat().includes('others'))
  letGo()
  leader.tell('zones_changed', 'told')
  await eventually('the other hears it again', () => heardByOther.flat().includes('told'))
  assert.ok(!heardByOther.flat().includes('kept'))
})

test('a listener of one channel hears nothing of another', async () => {
  const wake = await started()
  const heard = heardBy(wake)
  await settled(wake, heard)
  wake.tell('events_ready')
  wake.tell('zones_changed', 'z')
  await eventually('the wake-up arrives', () => heard.flat().includes('z'))
  assert.ok(heard.every((items) => items.every((item) => item === 'z' || item.startsWith('ready'))))
})

test('wake-ups that are sent together arrive together, each item once', async () => {
  const wake = await started()
  const heard = heardBy(wake)
  await settled(wake, heard)
  for (let i = 0; i < 300; i++) wake.tell('zones_changed', `zone-${i % 100}`)
  await eventually('all of them arrive', () => heard.flat().includes('zone-99'))
  // Late wake-ups from `settled` may also be there.
  const told = heard.map((items) => items.filter((item) => item.startsWith('zone-')).length)
  assert.deepEqual(
    told.filter((count) => count > 0),
    [100],
  )
})

test('more items than a notification holds, or a wake-up without an item, mean "check everything"', async () => {
  const wake = await started()
  const heard = heardBy(wake)
  await settled(wake, heard)
  for (let i = 0; i < 500; i++) wake.tell('zones_changed', `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)
  await eventually('it arrives', () => heard.some((items) => items.length === 0))
  heard.length = 0
  wake.tell('zones_changed', 'z')
  wake.tell('zones_changed')
  await eventually('it arrives', () => heard.some((items) => items.length === 0))
})

test('when its connection is killed, it reconnects, checks everything, and continues', async () => {
  const wake = await started()
  const heard = heardBy(wake)
  await settled(wake, heard)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'zonewright wake' and datname = current_database()`,
  )
  await eventually('it looks everywhere', () => heard.some((items) => items.length === 0))
  wake.tell('zones_changed', 'after')
  await eventually('it goes on', () => heard.flat().includes('after'))
})

test('wake-ups sent while PostgreSQL is away are delivered on its return, and reconnects keep a steady pace', async () => {
  const proxy = await door()
  const wake = await started(proxy.url)
  const other = await started()
  const heard = heardBy(other)
  await settled(other, heard)
  proxy.shut()
  const shutAt = performance.now()
  const before = proxy.knocks()
  wake.tell('zones_changed', 'told-while-away')
  await eventually('it has knocked eight times', () => proxy.knocks() - before >= 8)
  const perSecond = (proxy.knocks() - before) / ((performance.now() - shutAt) / 1000)
  assert.ok(perSecond < 8, `${perSecond.toFixed(1)} connections tried a second`)
  proxy.open()
  await eventually('it is told', () => heard.flat().includes('told-while-away'))
})

test('when its server disappears silently, it reconnects, checks everything, and continues', async () => {
  const proxy = await door()
  const wake = await started(proxy.url)
  const heard = heardBy(wake)
  await settled(wake, heard)
  proxy.freeze()
  wake.tell('zones_changed', 'into the void')
  await eventually('it looks everywhere', () => heard.some((items) => items.length === 0))
  wake.tell('zones_changed', 'after')
  await eventually('it goes on', () => heard.flat().includes('after'))
})

test('a start that fails throws, and leaves nothing behind that retries', async () => {
  const proxy = await door()
  proxy.shut()
  const wake = newWake(proxy.url)
  await assert.rejects(wake.start())
  await anotherKnocksTwice()
  assert.equal(proxy.knocks(), 1)
})

test('closing sends what is waiting, and leaves no connection while it reconnects', async () => {
  const listener = await started()
  const heard = heardBy(listener)
  await settled(listener, heard)
  const wake = newWake(database.url)
  await wake.start()
  wake.tell('zones_changed', 'last-words')
  await wake.close()
  await eventually('the last words arrive', () => heard.flat().includes('last-words'))

  const proxy = await door()
  const lost = newWake(proxy.url)
  await lost.start()
  proxy.shut()
  const before = proxy.knocks()
  await eventually('it tries to come back', () => proxy.knocks() > before)
  proxy.open()
  await lost.close()
  // An attempt in progress when it closed may still arrive, and is given up at once.
  await eventually('no connection is left', () => proxy.connections() === 0)
  const knocked = proxy.knocks()
  await anotherKnocksTwice()
  assert.equal(proxy.knocks(), knocked)
})
