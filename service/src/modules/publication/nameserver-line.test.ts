import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseName } from '@zonewright/dns'
import { createLogger } from '#platform/log.ts'
import { eventually } from '#testing/eventually.ts'
import { soaOfSerial, testKey } from '#testing/primary/test-secondary.ts'
import { TestNameserver } from '#testing/publication/test-nameserver.ts'
import { NameserverLine } from './nameserver-line.ts'
import { NameserverTalk } from './nameserver-talk.ts'
import { Pace } from './pace.ts'
import { UdpRequester } from './udp-requester.ts'

/** More zones than can be announced at once. */
const busyCount = 300

/** An installation that is so busy that constantly changing zones wait 1,999 ms for the beat. All of them were just announced. */
async function busyLine() {
  const nameserver = await TestNameserver.start('ns1.zonewright.test')
  const requester = new UdpRequester(createLogger('test', 'silent'))
  const talk = new NameserverTalk(requester, nameserver.endpoint, testKey)
  const pace = new Pace(() => 10_001)
  for (let i = 0; i < 3_000; i++) pace.changed(0)
  const events = { seen: () => undefined, notified: () => undefined, presence: () => undefined }
  const line = new NameserverLine('ns1.zonewright.test', talk, parseName('catalog.test.'), events, pace)
  after(() => {
    line.stop()
    requester.close()
    nameserver.close()
  })
  const announce = (zone: string, serial: number) => {
    const origin = parseName(`${zone}.`)
    line.announce({ zoneId: zone, origin, serial, soa: () => soaOfSerial(origin, serial) })
  }
  const announceBusy = (serial: number) => {
    for (let i = 0; i < busyCount; i++) announce(`busy${i}.test`, serial)
  }
  announceBusy(1)
  await eventually('the busy zones are served', () => line.zoneCount === 0)
  const toldOf = (serial: number) =>
    nameserver.notifies.filter((told) => told.startsWith('busy') && told.endsWith(` ${serial}`))
  return { line, nameserver, announce, announceBusy, toldOf }
}

test('a zone that changes occasionally waits for no busy zone, however many of those wait for the beat', async () => {
  const { line, nameserver, announce, announceBusy, toldOf } = await busyLine()
  announceBusy(2)
  assert.equal(line.zoneCount, busyCount)
  announce('quiet.test', 1)
  await eventually('the quiet zone is told of', () => nameserver.notifies.includes('quiet.test. 1'))
  assert.deepEqual(toldOf(2), [])
  // Changes that arrive in the meantime are announced together.
  announceBusy(3)
  await eventually('the busy zones are served', () => line.zoneCount === 0)
  assert.deepEqual(toldOf(2), [])
  assert.equal(new Set(toldOf(3)).size, busyCount)
})

test('a transfer of the zone to someone else does not end the wait for the beat', async () => {
  const { line, nameserver, announce, announceBusy, toldOf } = await busyLine()
  announceBusy(2)
  line.hint(parseName('busy7.test.'))
  await nextTurn()
  announce('quiet.test', 1)
  await eventually('the quiet zone is told of', () => nameserver.notifies.includes('quiet.test. 1'))
  assert.deepEqual(toldOf(2), [])
})

test('a zone that waits for the beat counts as being announced, until it is forgotten or the line stops', async () => {
  const { line, announceBusy, toldOf } = await busyLine()
  announceBusy(2)
  const [first, second] = [parseName('busy0.test.'), parseName('busy1.test.')]
  assert.ok(line.isAnnouncing(first) && line.isAnnouncing(second))
  await eventually('it is behind', () => line.lagMs() > 0)
  line.forget(first)
  assert.deepEqual([line.isAnnouncing(first), line.isAnnouncing(second)], [false, true])
  await eventually('the others are served', () => line.zoneCount === 0)
  assert.ok(!toldOf(2).some((told) => told.startsWith('busy0.')))
  announceBusy(3)
  line.stop()
  assert.deepEqual([line.zoneCount, line.isAnnouncing(second)], [0, false])
})
