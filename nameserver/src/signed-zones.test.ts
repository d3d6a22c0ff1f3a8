import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  coveredType,
  type DomainName,
  extendedErrorsOf,
  InfoCode,
  type Message,
  parseMessage,
  parseName,
  Rcode,
  type ResourceRecord,
  RrType,
  toType,
  typeToText,
  type WireRecord,
  type Zone,
} from '@zonewright/dns'
import type { Endpoint } from './endpoint.ts'
import { queryFor, sendTcp, sendUdp } from './testing/ask.ts'
import { badSignedZones, denials, maybeSigned, record, signed, zoneText } from './testing/bad-signed-zones.ts'
import { eventually } from './testing/eventually.ts'
import { runPrimary, runSecondary, temporaryDirectory, untilSerial } from './testing/run-secondary.ts'
import { expectedText, messageText, questionsTo } from './testing/signed-questions.ts'
import { runToEnd, spawnNameserver } from './testing/spawn-nameserver.ts'
import { zoneWith } from './testing/zone-of.ts'

const largestUdpBytes = 1232
const withDo = { edns: { udpSize: 4096, version: 0, dnssecOk: true, options: [] }, cd: true }

/** Queries a zone over UDP and TCP, and compares each response with that of the library. */
async function check(what: string, at: Endpoint, zone: Zone): Promise<void> {
  const questions = questionsTo(zone)
  const queries = questions.map(([name, type]) => queryFor(name, typeToText(type), withDo))
  const byTcp = await sendTcp(at, queries)
  for (const [index, [name, type]] of questions.entries()) {
    const expected = expectedText(zone, name, type)
    const where = `${what}: ${name} ${typeToText(type)}`
    const answer = parseMessage(byTcp[index] ?? new Uint8Array(0))
    assert.equal(messageText(answer), expected, where)
    assert.deepEqual([answer.ad, answer.cd, answer.edns?.dnssecOk], [false, true, true], where)
    const wire = await sendUdp(at, queries[index] ?? new Uint8Array(0))
    assert.ok(wire.length <= largestUdpBytes, `${where}: ${wire.length} bytes`)
    const byUdp = parseMessage(wire)
    if (!byUdp.tc) assert.equal(messageText(byUdp), expected, `${where} by UDP`)
    const small = queryFor(name, typeToText(type), { edns: { ...withDo.edns, udpSize: 512 } })
    const cut = await sendUdp(at, small)
    assert.ok(cut.length <= 512, `${where}: ${cut.length} bytes`)
    assertWhole(parseMessage(cut), answer, where)
  }
}

/** A truncated response contains only whole rrsets, each with all its signatures or, for addresses of nameservers, with none. */
function assertWhole(cut: Message, whole: Message, where: string): void {
  for (const section of ['answers', 'authorities', 'additionals'] as const) {
    const keyOf = ({ name, type, data }: WireRecord) =>
      `${name} ${type === RrType.RRSIG ? `over ${(data[0] ?? 0) * 256 + (data[1] ?? 0)}` : type}`
    const [own, all] = [cut[section], whole[section]].map((records) => Map.groupBy(records, keyOf))
    for (const [key, records] of own ?? []) assert.equal(records.length, all?.get(key)?.length, `${where}: ${key}`)
    if (section !== 'additionals') {
      for (const key of own?.keys() ?? []) {
        const over = key.replace(' ', ' over ')
        assert.equal(own?.has(over), all?.has(over), `${where}: ${over}`)
      }
    }
  }
}

describe('badly signed zones', () => {
  const zones = badSignedZones()

  for (const door of ['fast', 'portable']) {
    it(`are served from files by the ${door} door as the RFCs require`, async (test) => {
      const directory = temporaryDirectory(test)
      for (const zone of zones.values()) writeFileSync(join(directory, `${zone.origin}zone`), zoneText(zone))
      const args = ['--zone-dir', directory, '--listen', '127.0.0.1:0', '--door', door, '--rrl', 'off']
      const running = await spawnNameserver(test, args)
      const [at] = running.endpoints
      assert.ok(at)
      for (const [what, zone] of zones) await check(what, at, zone)
      assert.doesNotMatch(running.stderr(), /error/)
    })
  }

  it('are served identically by a secondary, and again from its store', async (test) => {
    const primary = await runPrimary(test)
    for (const zone of zones.values()) {
      primary.publishRrsets(zone.origin, [...zone.rrsets()])
      primary.list(zone.origin)
    }
    const store = temporaryDirectory(test)
    const first = await runSecondary(test, primary, store)
    for (const [what, zone] of zones) {
      await untilSerial(first.endpoint, zone.origin, 1)
      await check(what, first.endpoint, zone)
    }
    await first.stop()
    await primary.stop()
    const second = await runSecondary(test, primary, store)
    for (const [what, zone] of zones) await check(`${what}, restored`, second.endpoint, zone)
  })
})

describe('a zone with 501 NSEC3 iterations', () => {
  const origin = parseName('many.example.')
  const tooMany = signed(origin, { kind: 'nsec3', iterations: 501 }, [], 2)

  it('is rejected in a file with one line', async (test) => {
    const directory = join(temporaryDirectory(test), 'zones')
    mkdirSync(directory)
    writeFileSync(join(directory, 'many.example.zone'), zoneText(zoneWith(origin, tooMany)))
    const { code, stderr } = await runToEnd(test, ['--zone-dir', directory, '--listen', '127.0.0.1:0'])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /many\.example\. cannot be served: NSEC3 of many\.example\. has 501 iterations; at most 500 are served\./,
    )
    assert.equal(stderr.trim().split('\n').length, 1)
  })

  it('is rejected in a transfer, and the last good content is still served', async (test) => {
    const primary = await runPrimary(test)
    const good = zoneWith(origin, signed(origin, { kind: 'nsec3', iterations: 500 }))
    primary.publishRrsets(origin, [...good.rrsets()])
    primary.list(origin)
    const { endpoint, lines } = await runSecondary(test, primary, temporaryDirectory(test))
    await untilSerial(endpoint, origin, 1)
    primary.publishRrsets(origin, [...zoneWith(origin, tooMany).rrsets()])
    await primary.notify(endpoint, origin)
    await eventually('it is refused', () =>
      lines.some(({ reason }) => /501 iterations; at most 500/.test(String(reason))),
    )
    await check('after the refusal', endpoint, good)
  })

  it('gets SERVFAIL with the extended error 27 if there is no good content', async (test) => {
    const primary = await runPrimary(test)
    primary.publishRrsets(origin, [...zoneWith(origin, tooMany).rrsets()])
    primary.list(origin)
    const { endpoint } = await runSecondary(test, primary, temporaryDirectory(test))
    const codes = async () => {
      const answer = parseMessage(await sendUdp(endpoint, queryFor(origin, 'SOA', withDo)))
      return answer.rcode === Rcode.SERVFAIL ? extendedErrorsOf(answer.edns).map(({ infoCode }) => infoCode) : []
    }
    await eventually('it says why', async () => (await codes()).includes(InfoCode.UNSUPPORTED_NSEC3_ITERATIONS))
  })
})

describe('a zone with a CNAME next to other data', () => {
  const origin = parseName('both.example.')
  const denial = { kind: 'nsec3' } as const
  const both = zoneWith(origin, [...signed(origin, denial, [], 2), record(origin, 'alias', 'A', '192.0.2.9')])
  const message = 'alias.both.example. has a CNAME record and records of other types: A.'

  it('is rejected in a file with one line', async (test) => {
    const directory = temporaryDirectory(test)
    writeFileSync(join(directory, 'both.example.zone'), zoneText(both))
    const { code, stderr } = await runToEnd(test, ['--zone-dir', directory, '--listen', '127.0.0.1:0'])
    assert.equal(code, 1)
    assert.ok(stderr.includes(`both.example. cannot be served: ${message}`), stderr)
    assert.equal(stderr.trim().split('\n').length, 1)
  })

  it('is rejected in a transfer, whole or incremental, and the last good content is still served', async (test) => {
    const primary = await runPrimary(test)
    const good = zoneWith(origin, signed(origin, denial))
    primary.publishRrsets(origin, [...good.rrsets()])
    primary.list(origin)
    const { endpoint, lines } = await runSecondary(test, primary, temporaryDirectory(test))
    await untilSerial(endpoint, origin, 1)
    primary.publishRrsets(origin, [...both.rrsets()])
    const refusals = () => lines.filter(({ msg, reason }) => msg === 'zone not refreshed' && reason === message)
    for (const times of [1, 2]) {
      if (times === 2) primary.faults.set(origin, 'no_ixfr')
      await primary.notify(endpoint, origin)
      await eventually('it is refused', () => refusals().length === times)
      await check('after the refusal', endpoint, good)
    }
  })
})

/** `owner TYPE`, and for a signature also the type that it covers. */
function named({ name, type, data }: ResourceRecord): string {
  const text = `${name} ${typeToText(type)}`
  return type === RrType.RRSIG ? `${text} over ${typeToText(toType(coveredType(data)))}` : text
}

describe('a signed answer that lacks something', () => {
  const origin = parseName('lack.example.')
  const records = signed(origin, { kind: 'nsec' }, [record(origin, 'moved', 'DNAME', 'elsewhere.')])

  for (const [what, code, without, name, type] of [
    ['no signature', InfoCode.RRSIGS_MISSING, /^(?!lack).* RRSIG over/, 'www.lack.example.', 'A'],
    ['no signature of the SOA', InfoCode.RRSIGS_MISSING, /^lack.* RRSIG over SOA$/, 'none.lack.example.', 'A'],
    ['no signature of the proof', InfoCode.RRSIGS_MISSING, / RRSIG over NSEC$/, 'none.lack.example.', 'A'],
    ['no signature of a DS', InfoCode.RRSIGS_MISSING, / RRSIG over DS$/, 'www.secure.lack.example.', 'A'],
    ['no signature of a DNAME', InfoCode.RRSIGS_MISSING, / RRSIG over DNAME$/, 'www.moved.lack.example.', 'A'],
    ['no proof', InfoCode.NSEC_MISSING, / NSEC$/, 'none.lack.example.', 'A'],
    ['no proof of one name', InfoCode.NSEC_MISSING, /^www.* NSEC$/, 'www.lack.example.', 'TXT'],
  ] as const) {
    it(`reports that there is ${what} (RFC 8914 §4)`, async (test) => {
      const zone = zoneWith(
        origin,
        records.filter((each) => !without.test(named(each))),
      )
      const directory = temporaryDirectory(test)
      writeFileSync(join(directory, 'lack.example.zone'), zoneText(zone))
      const running = await spawnNameserver(test, ['--zone-dir', directory, '--listen', '127.0.0.1:0'])
      const [at] = running.endpoints
      assert.ok(at)
      const answer = parseMessage(await sendUdp(at, queryFor(name, type, withDo)))
      assert.deepEqual(
        extendedErrorsOf(answer.edns).map(({ infoCode }) => infoCode),
        [code],
      )
      const plain = parseMessage(await sendUdp(at, queryFor(name, type, { edns: { ...withDo.edns, dnssecOk: false } })))
      assert.deepEqual(extendedErrorsOf(plain.edns), [])
    })
  }
})

describe('a zone that changes how it is signed', () => {
  it('never gives an answer that mixes two kinds, by IXFR under load', async (test) => {
    const primary = await runPrimary(test)
    const origin = parseName('moving.example.')
    const version = (serial: number): Zone => {
      const denial = denials[(serial - 1) % denials.length]
      return zoneWith(origin, maybeSigned(origin, denial, [record(origin, `n${serial % 7}`, 'A', '192.0.2.7')], serial))
    }
    const versions = Array.from({ length: 40 }, (_, index) => version(index + 1))
    const [first] = versions
    assert.ok(first)
    primary.publishRrsets(origin, [...first.rrsets()])
    primary.list(origin)
    const { endpoint, lines } = await runSecondary(test, primary, temporaryDirectory(test))
    await untilSerial(endpoint, origin, 1)

    const names = ['@', 'www', 'none', 'x.wild', 'a.secure', 'a.insecure', 'b.c', 'alias', 'n3']
    const questions = names.flatMap((name) =>
      ['A', 'TXT'].map((type): [DomainName, RrType] => {
        const { name: owner, type: number } = record(origin, name, type, type === 'A' ? '192.0.2.1' : '"x"')
        return [owner, number]
      }),
    )
    const allowed = questions.map(([name, type]) => new Set(versions.map((zone) => expectedText(zone, name, type))))
    const wires = questions.map(([name, type]) => queryFor(name, typeToText(type), withDo))
    let isOver = false
    let answered = 0
    const load = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const answers = await sendTcp(endpoint, wires)
        for (const [index, answer] of answers.entries()) {
          const text = messageText(parseMessage(answer))
          assert.ok(allowed[index]?.has(text), `${questions[index]?.join(' ')}: ${text}`)
          answered++
        }
      }
    })
    for (const [index, zone] of versions.entries()) {
      if (index === 0) continue
      primary.publishRrsets(origin, [...zone.rrsets()])
      await primary.notify(endpoint, origin)
      await untilSerial(endpoint, origin, index + 1)
    }
    isOver = true
    await Promise.all(load)
    await check('at the end', endpoint, versions.at(-1) ?? first)
    assert.ok(answered > 1000, `${answered} answers`)
    assert.deepEqual(primary.asked.filter((what) => what === `AXFR ${origin}`).length, 1)
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error'),
      [],
    )
  })
})
