import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import {
  type DomainName,
  extendedErrorsOf,
  InfoCode,
  parseMessage,
  parseName,
  Rcode,
  type Rrset,
  RrType,
  type Zone,
} from '@zonewright/dns'
import type { Endpoint } from '../endpoint.ts'
import { openStoreWriter } from '../store/store-writer.ts'
import { Tables } from '../tables/tables.ts'
import { ask, queryFor, sendUdp } from '../testing/ask.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import {
  addressAt,
  runPrimary,
  runSecondary,
  serialAt,
  temporaryDirectory,
  untilRcode,
  untilSerial,
} from '../testing/run-secondary.ts'
import { catalogName, type Fault, testKey } from '../testing/scripted-primary.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { PrimaryLink } from './primary-link.ts'
import { Secondary } from './secondary.ts'
import { SecondaryZone } from './secondary-zone.ts'
import { usualQueueLimits } from './transfer-queue.ts'

const zone = 'example.'

async function following(test: TestContext) {
  const primary = await runPrimary(test)
  primary.publish(zone, 1, ['www A 192.0.2.1', 'old A 192.0.2.9'])
  primary.list(zone)
  const store = temporaryDirectory(test)
  const secondary = await runSecondary(test, primary, store)
  await untilSerial(secondary.endpoint, zone, 1)
  primary.asked.length = 0
  return { primary, secondary, store, at: secondary.endpoint }
}

/** An expired zone whose primary is down. */
async function expired(test: TestContext) {
  const primary = await runPrimary(test)
  primary.publish(zone, 1, ['www A 192.0.2.1'], { refresh: 1, retry: 1, expire: 2 })
  primary.list(zone)
  const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
  await untilSerial(endpoint, zone, 1)
  await primary.stop()
  await untilRcode(endpoint, zone, 'SERVFAIL')
  return { primary, endpoint }
}

describe('following zones', () => {
  it('members of the catalog are transferred as a whole over one connection, and served', async (test) => {
    const primary = await runPrimary(test)
    for (const name of ['a.example.', 'b.example.', 'c.example.']) {
      primary.publish(name, 5, ['www A 192.0.2.1'])
      primary.list(name)
    }
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    for (const name of ['a.example.', 'b.example.', 'c.example.']) {
      await untilSerial(endpoint, name, 5)
      assert.equal(await addressAt(endpoint, `www.${name}`), '192.0.2.1')
    }
    assert.equal(primary.connections, 1)
  })

  it('a NOTIFY with a newer serial directly triggers an IXFR', async (test) => {
    const { primary, at } = await following(test)
    primary.publish(zone, 2, ['www A 192.0.2.2', 'new A 192.0.2.3'])
    const answer = await primary.notify(at, zone)
    assert.equal(answer.rcode, Rcode.NOERROR)
    await untilSerial(at, zone, 2)
    assert.equal(await addressAt(at, 'www.example.'), '192.0.2.2')
    assert.equal(await addressAt(at, 'new.example.'), '192.0.2.3')
    assert.equal(await addressAt(at, 'old.example.'), `rcode ${Rcode.NXDOMAIN}`)
    assert.deepEqual(primary.asked, ['IXFR example.'])
  })

  it('a NOTIFY over TCP also works', async (test) => {
    const { primary, at } = await following(test)
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    await primary.notify(at, zone, { tcp: true })
    await untilSerial(at, zone, 2)
  })

  it('a NOTIFY of the current serial has no effect', async (test) => {
    const { primary, at } = await following(test)
    await primary.notify(at, zone)
    primary.publish('other.', 1, [])
    primary.list('other.')
    await primary.notifyCatalog(at)
    await untilSerial(at, 'other.', 1)
    assert.ok(!primary.asked.includes('IXFR example.') && !primary.asked.includes('SOA example.'), primary.asked.join())
  })

  it('only NOTIFY messages signed with our key have an effect', async (test) => {
    const { primary, at } = await following(test)
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    const stranger = { ...testKey, secret: new Uint8Array(32) }
    assert.equal((await primary.notify(at, zone, { key: 'none' })).rcode, Rcode.REFUSED)
    assert.equal((await primary.notify(at, zone, { key: stranger })).rcode, Rcode.NOTAUTH)
    assert.deepEqual(primary.asked, [])
    assert.equal(await serialAt(at, zone), 1)
  })

  it('several versions at once are applied in one step', async (test) => {
    const { primary, at } = await following(test)
    primary.publish(zone, 2, ['www A 192.0.2.2', 'brief A 192.0.2.5'])
    primary.publish(zone, 3, ['www A 192.0.2.1', 'old A 192.0.2.9', 'last TXT "x"'])
    await primary.notify(at, zone)
    await untilSerial(at, zone, 3)
    assert.equal(await addressAt(at, 'www.example.'), '192.0.2.1')
    assert.equal(await addressAt(at, 'brief.example.'), `rcode ${Rcode.NXDOMAIN}`)
    assert.deepEqual(primary.asked, ['IXFR example.'])
  })

  it('NOTIFY messages during a transfer cause exactly one more transfer, and none is lost', async (test) => {
    const { primary, secondary, at } = await following(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName(zone), promise)
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    await primary.notify(at, zone, { hint: false })
    await eventually('the transfer runs', () => primary.asked.length === 1)
    for (let round = 0; round < 5; round++) await primary.notify(at, zone, { hint: false })
    resolve()
    await untilSerial(at, zone, 2)
    await eventually('one more transfer', () => primary.asked.length === 2)
    primary.publish(zone, 3, ['www A 192.0.2.3'])
    await primary.notify(at, zone)
    await untilSerial(at, zone, 3)
    assert.deepEqual(primary.asked, ['IXFR example.', 'IXFR example.', 'IXFR example.'])
    assert.deepEqual(
      secondary.lines.filter(({ msg }) => msg === 'zone not refreshed'),
      [],
    )
  })

  it('the refresh timer of the SOA finds a change that was not announced', async (test) => {
    const primary = await runPrimary(test)
    primary.publish(zone, 1, ['www A 192.0.2.1'], { refresh: 1, retry: 1 })
    primary.list(zone)
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    await untilSerial(endpoint, zone, 1)
    primary.publish(zone, 2, ['www A 192.0.2.2'], { refresh: 1, retry: 1 })
    await untilSerial(endpoint, zone, 2)
    assert.ok(primary.asked.includes('SOA example.'))
  })

  it('a zone that expires without contact gets SERVFAIL until the primary is back', async (test) => {
    const { primary, endpoint } = await expired(test)
    await primary.start()
    await untilSerial(endpoint, zone, 1)
  })

  it('an expired zone is served again, even if a NOTIFY of its serial arrives before the primary is back', async (test) => {
    const { primary, endpoint } = await expired(test)
    await primary.notify(endpoint, zone)
    await primary.start()
    await untilSerial(endpoint, zone, 1)
  })

  it('a zone that expired because the clock was ahead is served again once the clock is right', async (test) => {
    const { primary, secondary, at } = await following(test)
    // Its timer makes the agenda check soon, and not within a minute.
    primary.publish('soon.', 1, [], { refresh: 1, retry: 1 })
    primary.list('soon.')
    await primary.notifyCatalog(at)
    await untilSerial(at, 'soon.', 1)
    primary.faults.set(parseName(zone), 'servfail')
    const { now } = Date
    let aheadMs = 30 * 86_400_000
    test.mock.method(Date, 'now', () => now() + aheadMs)
    await untilRcode(at, zone, 'SERVFAIL')
    await eventually('it is put off', () => secondary.lines.some(({ msg }) => msg === 'zone not refreshed'))
    aheadMs = 0
    primary.faults.clear()
    await untilSerial(at, zone, 1)
  })

  it('a start serves the store immediately if no primary can be reached, and after 2 s if it is silent', async (test) => {
    const directory = temporaryDirectory(test)
    const primary = await runPrimary(test)
    primary.publish('example.', 1, ['www A 192.0.2.1'])
    primary.list('example.')
    const first = await runSecondary(test, primary, directory)
    await untilSerial(first.endpoint, 'example.', 1)
    await first.stop()
    const startMs = async (): Promise<number> => {
      const beganMs = performance.now()
      const nameserver = await runSecondary(test, primary, directory)
      const tookMs = performance.now() - beganMs
      assert.equal(await addressAt(nameserver.endpoint, 'www.example.'), '192.0.2.1')
      await nameserver.stop()
      return tookMs
    }
    primary.faults.set(parseName('example.'), 'silent')
    const silentMs = await startMs()
    assert.ok(silentMs >= 2_000)
    await primary.stop()
    // Other work on the machine slows down both, and one start more than another.
    let quickestMs = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5 && quickestMs >= silentMs - 1_000; i++) quickestMs = Math.min(quickestMs, await startMs())
    assert.ok(quickestMs < silentMs - 1_000, `${quickestMs} ms, and ${silentMs} ms if it is silent`)
  })

  it('changes made while the primary is away are transferred when it is back', async (test) => {
    const { primary, at } = await following(test)
    await primary.stop()
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    assert.equal(await addressAt(at, 'www.example.'), '192.0.2.1')
    await primary.start()
    await untilSerial(at, zone, 2)
  })

  it('a connection lost during a transfer is reopened, and the transfer is repeated', async (test) => {
    const { primary, at } = await following(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName(zone), promise)
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    await primary.notify(at, zone)
    await eventually('the transfer runs', () => primary.asked.length === 1)
    primary.hangUp()
    resolve()
    await untilSerial(at, zone, 2)
  })

  it('a transfer triggered by a NOTIFY without a serial is also repeated after a lost connection', async (test) => {
    const { primary, at } = await following(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName(zone), promise)
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    await primary.notify(at, zone, { hint: false })
    await eventually('the transfer runs', () => primary.asked.length === 1)
    primary.hangUp()
    resolve()
    await untilSerial(at, zone, 2)
  })

  it('a zone whose transfer breaks the connection waits longer each time, while the others continue', async (test) => {
    const { primary, at } = await following(test)
    primary.publish('other.', 1, [])
    primary.list('other.')
    await primary.notifyCatalog(at)
    await untilSerial(at, 'other.', 1)
    primary.asked.length = 0
    primary.faults.set(parseName(zone), 'truncated')
    primary.publish(zone, 2, ['www A 192.0.2.2'])
    await primary.notify(at, zone)
    await eventually('the others are asked about again', () => primary.asked.includes('SOA other.'))
    assert.deepEqual(
      primary.asked.filter((line) => line.endsWith(` ${zone}`)),
      ['IXFR example.'],
    )
    primary.faults.clear()
    await untilSerial(at, zone, 2)
  })

  it('a change made while the primary is away is found, even if an outdated NOTIFY still waits its turn', async (test) => {
    const { primary, at } = await following(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    const other = Promise.withResolvers<void>()
    // One more than the limit, in addition to the zone.
    const others = Array.from({ length: usualQueueLimits.transfers }, (_, index) => `other${index}.`)
    for (const name of others) {
      primary.publish(name, 1, [])
      primary.list(name)
    }
    await primary.notifyCatalog(at)
    for (const name of others) await untilSerial(at, name, 1)
    primary.asked.length = 0
    const notify = async (name: string, serial: number): Promise<void> => {
      primary.publish(name, serial, [])
      await primary.notify(at, name)
    }
    primary.holds.set(parseName(zone), promise)
    await notify(zone, 2)
    await eventually('the transfer runs', () => primary.asked.length === 1)
    await notify(zone, 3)
    for (const name of others) {
      primary.holds.set(parseName(name), other.promise)
      await notify(name, 2)
    }
    resolve()
    await untilSerial(at, zone, 3)
    await eventually('the last place is taken', () => primary.asked.includes(`IXFR ${others.at(-1)}`))
    assert.deepEqual(
      primary.asked.filter((line) => line.endsWith(` ${zone}`)),
      [`IXFR ${zone}`],
      'its second run waits',
    )
    primary.publish(zone, 4, [])
    primary.asked.length = 0
    primary.hangUp()
    await eventually('others are asked about again', () => primary.asked.some((line) => line.startsWith('IXFR other')))
    assert.ok(primary.asked.includes(`SOA ${zone}`), primary.asked.join())
    other.resolve()
    await untilSerial(at, zone, 4)
  })
})

describe('following the catalog', () => {
  it('an added member is served, and a removed one is REFUSED', async (test) => {
    const { primary, at } = await following(test)
    primary.publish('new.', 1, ['www A 192.0.2.7'])
    primary.list('new.')
    await primary.notifyCatalog(at)
    await untilSerial(at, 'new.', 1)
    primary.unlist(zone)
    await primary.notifyCatalog(at)
    await untilRcode(at, zone, 'REFUSED')
    assert.equal(await addressAt(at, 'www.new.'), '192.0.2.7')
  })

  it('a removed member is not queried again, and stays REFUSED past its expiry', async (test) => {
    const primary = await runPrimary(test)
    for (const name of ['gone.', 'kept.']) {
      primary.publish(name, 1, [], { refresh: 1, retry: 1, expire: 2 })
      primary.list(name)
    }
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    for (const name of ['gone.', 'kept.']) await untilSerial(endpoint, name, 1)
    primary.unlist('gone.')
    await primary.notifyCatalog(endpoint)
    await untilRcode(endpoint, 'gone.', 'REFUSED')
    primary.asked.length = 0
    await eventually(
      'the other one is asked for until that one has expired',
      () => primary.asked.filter((question) => question === 'SOA kept.').length >= 3,
    )
    assert.ok(!primary.asked.includes('SOA gone.'))
    assert.equal((await ask(endpoint, 'gone.', 'SOA')).rcode, Rcode.REFUSED)
  })

  it('a NOTIFY for an unknown zone triggers a check of the catalog', async (test) => {
    const { primary, at } = await following(test)
    primary.publish('new.', 1, [])
    primary.list('new.')
    await primary.notify(at, 'new.')
    await untilSerial(at, 'new.', 1)
  })

  it('a member with a new label starts over: it is transferred as a whole, even with an older serial', async (test) => {
    const { primary, at } = await following(test)
    primary.publish(zone, 100, ['www A 192.0.2.2'])
    await primary.notify(at, zone)
    await untilSerial(at, zone, 100)
    primary.publish(zone, 50, ['www A 192.0.2.50'])
    primary.list(zone, 'another-label')
    await primary.notifyCatalog(at)
    await untilSerial(at, zone, 50)
    assert.equal(primary.asked.at(-1), 'AXFR example.')
  })

  it('a broken catalog is not followed, but the next valid one is', async (test) => {
    const { primary, at, secondary } = await following(test)
    const breakings = [
      (rrsets: Rrset[]) => rrsets.filter(({ type }) => type !== RrType.PTR && type !== RrType.TXT),
      (rrsets: Rrset[]) =>
        rrsets.flatMap((rrset) =>
          rrset.type === RrType.PTR ? [rrset, { ...rrset, name: parseName('twice.zones.catalog.test.') }] : rrset,
        ),
    ]
    for (const breaking of breakings) {
      primary.publishCatalog(breaking)
      await primary.notifyCatalog(at)
      await untilSerial(at, 'catalog.test.', primary.catalogSerial)
      assert.equal(await addressAt(at, 'www.example.'), '192.0.2.1')
    }
    assert.equal(secondary.lines.filter(({ msg }) => msg.startsWith('catalog is broken')).length, breakings.length)
    primary.publish('new.', 1, [])
    primary.list('new.')
    await primary.notifyCatalog(at)
    await untilSerial(at, 'new.', 1)
    assert.equal(await addressAt(at, 'www.example.'), '192.0.2.1')
  })

  it('a catalog that lists itself, from the start or later, stays private and is still followed', async (test) => {
    const primary = await runPrimary(test)
    primary.publish(zone, 1, [])
    primary.list(catalogName)
    primary.list(zone)
    const { endpoint, lines } = await runSecondary(test, primary, temporaryDirectory(test))
    const follows = async (name: string) => {
      primary.publish(name, 1, [])
      primary.list(name)
      await primary.notifyCatalog(endpoint)
      await untilSerial(endpoint, name, 1)
      const version = await ask(endpoint, `version.${catalogName}`, 'TXT')
      assert.deepEqual([version.rcode, version.answers], [Rcode.REFUSED, []])
      assert.equal(await serialAt(endpoint, catalogName), primary.catalogSerial)
    }
    await untilSerial(endpoint, zone, 1)
    await follows('new.')
    // From now on, it is transferred by IXFR, as a difference.
    primary.unlist(catalogName)
    await follows('newer.')
    primary.list(catalogName, 'again')
    await follows('newest.')
    assert.deepEqual(
      primary.asked.filter((line) => line === `AXFR ${catalogName}`),
      [`AXFR ${catalogName}`],
    )
    assert.deepEqual(
      lines.filter(({ level }) => level === 'warn'),
      [],
    )
  })

  it('a thousand members are all transferred', async (test) => {
    const primary = await runPrimary(test)
    const names = Array.from({ length: 1000 }, (_, index) => `z${index}.example.`)
    for (const name of names) {
      primary.publish(name, 1, ['www A 192.0.2.1'])
      primary.list(name)
    }
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    for (const name of names) await untilSerial(endpoint, name, 1)
    assert.equal(primary.asked.filter((line) => line.startsWith('AXFR z')).length, names.length)
  })
})

describe('the extended error of a zone that is not served (RFC 8914)', () => {
  /** The extended error codes of the SERVFAIL. */
  async function whyNot(at: Endpoint): Promise<number[]> {
    const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] }
    const { rcode, edns: its } = parseMessage(await sendUdp(at, queryFor(zone, 'A', { edns })))
    return rcode === Rcode.SERVFAIL ? extendedErrorsOf(its).map(({ infoCode }) => infoCode) : []
  }

  async function untilWhy(at: Endpoint, infoCode: number): Promise<void> {
    await eventually(`the code is ${infoCode}`, async () => (await whyNot(at)).includes(infoCode))
  }

  for (const [fault, infoCode] of [
    ['servfail', InfoCode.INVALID_DATA],
    ['wrong_tsig', InfoCode.INVALID_DATA],
    ['out_of_zone', InfoCode.INVALID_DATA],
    ['looping', InfoCode.INVALID_DATA],
    ['truncated', InfoCode.NETWORK_ERROR],
  ] as const) {
    it(`${fault.replaceAll('_', ' ')} at the first transfer: ${infoCode} until a transfer succeeds`, async (test) => {
      const primary = await runPrimary(test)
      primary.publish(zone, 1, ['www A 192.0.2.1'])
      primary.list(zone)
      primary.faults.set(parseName(zone), fault)
      const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
      await untilWhy(endpoint, infoCode)
      primary.faults.clear()
      await primary.notify(endpoint, zone)
      await untilSerial(endpoint, zone, 1)
      assert.deepEqual(await whyNot(endpoint), [])
    })
  }

  it('is Not Ready while the first transfer waits, and No Reachable Authority once the primary hangs up', async (test) => {
    const primary = await runPrimary(test)
    primary.publish(zone, 1, ['www A 192.0.2.1'])
    primary.list(zone)
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName(zone), promise)
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    await untilWhy(endpoint, InfoCode.NOT_READY)
    await eventually('the transfer runs', () => primary.asked.includes(`AXFR ${zone}`))
    primary.hangUp()
    await untilWhy(endpoint, InfoCode.NO_REACHABLE_AUTHORITY)
    resolve()
    await untilSerial(endpoint, zone, 1)
  })

  it('is Invalid Data once the zone has expired', async (test) => {
    const { primary, endpoint } = await expired(test)
    assert.deepEqual(await whyNot(endpoint), [InfoCode.INVALID_DATA])
    await primary.start()
    await untilSerial(endpoint, zone, 1)
  })
})

describe('broken transfers', () => {
  const broken: readonly Fault[] = ['wrong_tsig', 'unsigned_end', 'truncated', 'out_of_zone', 'looping', 'servfail']
  for (const fault of broken) {
    it(`${fault.replaceAll('_', ' ')}: the old zone is served until a transfer succeeds`, async (test) => {
      const { primary, at } = await following(test)
      primary.faults.set(parseName(zone), fault)
      primary.publish(zone, 2, ['www A 192.0.2.2', 'more TXT "a"', 'most TXT "b"'])
      await primary.notify(at, zone)
      await eventually('asked twice', () => primary.asked.length >= 2)
      assert.equal(await addressAt(at, 'www.example.'), '192.0.2.1')
      primary.faults.delete(parseName(zone))
      await primary.notify(at, zone)
      await untilSerial(at, zone, 2)
      assert.equal(await addressAt(at, 'www.example.'), '192.0.2.2')
    })
  }

  for (const fault of ['no_ixfr', 'misfit_ixfr'] as const) {
    it(`${fault.replaceAll('_', ' ')}: the whole zone is transferred instead`, async (test) => {
      const { primary, at } = await following(test)
      primary.faults.set(parseName(zone), fault)
      primary.publish(zone, 2, ['www A 192.0.2.2'])
      await primary.notify(at, zone)
      await untilSerial(at, zone, 2)
      assert.equal(await addressAt(at, 'www.example.'), '192.0.2.2')
      assert.equal(await addressAt(at, 'old.example.'), `rcode ${Rcode.NXDOMAIN}`)
      assert.deepEqual(primary.asked, ['IXFR example.', 'AXFR example.'])
    })
  }
})

describe('zones from the last process', () => {
  const version = 'version TXT "2"'
  const member = (label: string, name: string) => `${label}.zones PTR ${name}`

  /** Restores zones, each with its label and, if it was not confirmed just now, the time of its confirmation. The primary is down. */
  async function takenOver(test: TestContext, zones: readonly [Zone, label: string | undefined, agoMs?: number][]) {
    const tables = new Tables()
    const restored = new Map<DomainName, SecondaryZone>()
    for (const [content, label, agoMs = 0] of zones) {
      const each = new SecondaryZone(content.origin, label)
      tables.publish(content.origin, content.rrsets(), each.isCatalog)
      each.hold(content.soa)
      each.contactAtMs = Date.now() - agoMs
      restored.set(content.origin, each)
    }
    const log = keptLog()
    const writer = await openStoreWriter(join(temporaryDirectory(test), 'zones.sqlite'))
    const link = new PrimaryLink([{ host: '127.0.0.1', port: 1 }], testKey, log)
    const secondary = new Secondary({ tables, link, catalog: catalogName, restored, writer, log })
    test.after(() => secondary.stop())
    return { tables, restored, log, secondary }
  }

  it('are still followed, except those that their catalog does not list, which are dropped', async (test) => {
    const { restored, tables } = await takenOver(test, [
      [zoneOf(catalogName, 1, [version, member('a', 'kept.'), member('b', 'came.')]), undefined],
      [zoneOf('kept.', 5, []), 'a'],
      [zoneOf('gone.', 5, []), 'c'],
    ])
    assert.deepEqual([...restored.keys()].sort(), ['came.', catalogName, 'kept.'].sort())
    assert.equal(restored.get(parseName('kept.'))?.serial, 5)
    assert.equal(restored.get(parseName('came.'))?.serial, undefined)
    assert.equal(tables.zone(parseName('gone.')), undefined)
  })

  it('are dropped if they are of another catalog', async (test) => {
    const other = parseName('other-catalog.test.')
    const { restored, tables, secondary } = await takenOver(test, [
      [zoneOf(other, 1, [version, member('a', 'theirs.')]), undefined],
      [zoneOf('theirs.', 5, []), 'a'],
    ])
    assert.deepEqual([...restored.keys()], [catalogName])
    assert.deepEqual([tables.zone(other), tables.zone(parseName('theirs.'))], [undefined, undefined])
    assert.equal(secondary.notified(parseName('theirs.'), undefined), false)
  })

  it('are dropped if their catalog was a member of another one', async (test) => {
    const { restored, tables } = await takenOver(test, [
      [zoneOf(catalogName, 1, [version, member('a', 'kept.')]), 'a-label'],
      [zoneOf('kept.', 5, []), 'a'],
    ])
    assert.deepEqual([...restored.keys()], [catalogName])
    assert.equal(restored.get(catalogName)?.isCatalog, true)
    assert.equal(tables.zone(parseName('kept.')), undefined)
  })

  it('include no second catalog', async (test) => {
    const other = parseName('other-catalog.test.')
    const { restored, tables } = await takenOver(test, [
      [zoneOf(catalogName, 1, [version, member('a', 'kept.')]), undefined],
      [zoneOf(other, 1, [version]), undefined],
      [zoneOf('kept.', 5, []), 'a'],
    ])
    assert.deepEqual([...restored.keys()].sort(), [catalogName, 'kept.'].sort())
    assert.equal(tables.zone(other), undefined)
  })

  it('expire immediately if the primary confirmed them too long ago', async (test) => {
    const expireMs = 1_209_600_000
    const { restored } = await takenOver(test, [
      [zoneOf(catalogName, 1, [version, member('a', 'old.'), member('b', 'young.')]), undefined],
      [zoneOf('old.', 5, []), 'a', expireMs],
      [zoneOf('young.', 5, []), 'b', expireMs - 60_000],
    ])
    assert.equal(restored.get(parseName('old.'))?.isExpired, true)
    assert.equal(restored.get(parseName('young.'))?.isExpired, false)
  })
})
