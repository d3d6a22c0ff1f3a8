import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { parseName, RrType, rdataToText } from '@zonewright/dns'
import type { TableZone } from '../tables/table-zone.ts'
import { Tables } from '../tables/tables.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { runPrimary } from '../testing/run-secondary.ts'
import { testKey } from '../testing/scripted-primary.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { PrimaryLink, usualLinkTimes } from './primary-link.ts'
import { askSerial, type Transferred, transfer } from './transfer.ts'

const origin = parseName('example.')

async function linked(test: TestContext) {
  const primary = await runPrimary(test)
  const link = new PrimaryLink([primary.endpoint], testKey, keptLog(), { ...usualLinkTimes, firstRetryMs: 10 })
  test.after(() => link.close())
  let isUp = false
  link.open({
    up: () => {
      isUp = true
    },
    down: () => {},
  })
  await eventually('the link is up', () => isUp)
  return { primary, link }
}

/** The zone as a secondary has it. */
function held(serial: number, lines: readonly string[] = ['www A 192.0.2.1']): TableZone {
  const tables = new Tables()
  tables.publish(origin, zoneOf(origin, serial, lines).rrsets())
  const zone = tables.zone(origin)
  assert.ok(zone)
  return zone
}

function addressesOf(transferred: Transferred): string[] {
  if (transferred.kind !== 'whole') return []
  return transferred.rrsets
    .filter(({ type }) => type === RrType.A)
    .flatMap(({ type, data }) => data.map((each) => rdataToText(type, each)))
}

describe('a transfer', () => {
  for (const [have, sent] of [
    [100, 50],
    [100, 99],
    [5, 4_294_967_295],
    [2_147_483_648, 1],
  ] as const) {
    it(`of serial ${sent} is rejected if ${have} is held, by AXFR and as a whole zone in answer to IXFR`, async (test) => {
      const { primary, link } = await linked(test)
      primary.publish(origin, sent, ['www A 192.0.2.66'])
      for (const fault of ['no_ixfr', undefined] as const) {
        primary.asked.length = 0
        if (fault) primary.faults.set(origin, fault)
        else primary.faults.clear()
        await assert.rejects(transfer(link, origin, held(have)), {
          name: 'BadAnswer',
          message: `the primary sent serial ${sent}, older than ${have} held`,
        })
        assert.deepEqual(primary.asked, ['IXFR example.', 'AXFR example.'])
      }
    })
  }

  it('of the held serial or a newer one is accepted as a whole zone if IXFR is refused', async (test) => {
    const { primary, link } = await linked(test)
    primary.faults.set(origin, 'no_ixfr')
    for (const [have, sent] of [
      [100, 100],
      [100, 101],
      [4_294_967_295, 3],
    ] as const) {
      primary.publish(origin, sent, ['www A 192.0.2.7'])
      const transferred = await transfer(link, origin, held(have))
      assert.deepEqual(addressesOf(transferred), ['192.0.2.7'])
      assert.match((transferred.kind === 'whole' && transferred.whyNotDiff) || '', /refuses with code 4/)
    }
  })

  it('of a newer serial is accepted from the answer to IXFR if the primary has no difference', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 8, ['www A 192.0.2.8'])
    const transferred = await transfer(link, origin, held(5))
    assert.deepEqual(addressesOf(transferred), ['192.0.2.8'])
    assert.equal(transferred.kind === 'whole' && transferred.whyNotDiff, undefined)
    assert.deepEqual(primary.asked, ['IXFR example.'])
  })

  it('of an unchanged zone changes nothing', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 5, ['www A 192.0.2.1'])
    assert.deepEqual(await transfer(link, origin, held(5)), { kind: 'unchanged' })
  })

  it('of a zone that is not held uses AXFR immediately, for any serial', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 4_000_000_000, ['www A 192.0.2.1'])
    assert.deepEqual(addressesOf(await transfer(link, origin, undefined)), ['192.0.2.1'])
    assert.deepEqual(primary.asked, ['AXFR example.'])
  })

  it('with a wrong signature or a lost connection is not requested again as a whole zone', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 5, ['www A 192.0.2.1'])
    primary.publish(origin, 6, ['www A 192.0.2.2'])
    primary.faults.set(origin, 'wrong_tsig')
    await assert.rejects(transfer(link, origin, held(5)), { name: 'TsigFault' })
    primary.faults.set(origin, 'truncated')
    await assert.rejects(transfer(link, origin, held(5)), { name: 'BrokenOff' })
    assert.deepEqual(primary.asked, ['IXFR example.', 'IXFR example.'])
  })
})

describe('the serial of the primary', () => {
  it('is the one in its SOA, and a refusal is an error', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 4_294_967_295, [])
    assert.equal(await askSerial(link, origin), 4_294_967_295)
    await assert.rejects(askSerial(link, parseName('unknown.')), { name: 'BadAnswer', message: /rcode 5/ })
  })

  it('is not that of another zone whose SOA the primary sends instead', async (test) => {
    const { primary, link } = await linked(test)
    primary.publish(origin, 7, [])
    primary.faults.set(origin, 'foreign_soa')
    await assert.rejects(askSerial(link, origin), { name: 'BadAnswer', message: /without an SOA/ })
  })
})
