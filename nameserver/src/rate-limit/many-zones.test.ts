import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cookieOf, cookieOption, type Edns, type EdnsOption, OptionCode, parseMessage } from '@zonewright/dns'
import { addressView } from '../address.ts'
import { CookieJar, cookieOptionBytes } from '../cookies/cookie-jar.ts'
import { SharedSecrets } from '../cookies/shared-secrets.ts'
import type { Endpoint } from '../endpoint.ts'
import { answerTexts, queryFor, sendTcp } from '../testing/ask.ts'
import { temporaryDirectory } from '../testing/run-secondary.ts'
import { spawnNameserver } from '../testing/spawn-nameserver.ts'
import { flood, type Heard } from './testing/flood.ts'

const zoneCount = 300
const namesPerZone = 7
const secret = Uint8Array.from({ length: 16 }, (_, index) => index + 1)
const clientCookie = new Uint8Array(8).fill(0x24)

/** 300 zones below one customer's name, and one that has as many names as all of them. */
async function started(context: TestContext, ...args: string[]): Promise<{ endpoints: Endpoint[] }> {
  const directory = temporaryDirectory(context)
  const head = '$TTL 300\n@ SOA ns hostmaster 1 14400 3600 1209600 300\n@ NS ns\nns A 192.0.2.53\n'
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `n${index} A 192.0.2.1\n`).join('')
  const rest = `big TXT "${'x'.repeat(200)}" "${'y'.repeat(200)}"\n*.wild A 192.0.2.2\nsub NS ns.sub\nns.sub A 192.0.2.9\n`
  for (let zone = 0; zone < zoneCount; zone++) {
    writeFileSync(join(directory, `${zoneName(zone)}zone`), head + hosts(namesPerZone) + rest)
  }
  writeFileSync(join(directory, 'large.example.zone'), head + hosts(2000))
  const secretFile = join(directory, 'secret')
  writeFileSync(secretFile, `${Buffer.from(secret).toString('hex')}\n`)
  const flags = ['--zone-dir', directory, '--cookie-secret', secretFile, '--nsid', 'a-name-of-some-length', ...args]
  return await spawnNameserver(context, ['--listen', '127.0.0.1:0', ...flags])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function zoneName(zone: number): string {
  return `z${String(zone).padStart(3, '0')}.customer.example.`
}

/** Addresses of one loopback /24, as victims that a forger can choose. */
function prefixOf(third: number): string[] {
  return Array.from({ length: 20 }, (_, index) => `127.0.${third}.${index + 1}`)
}

function withOptions(...options: EdnsOption[]): { edns: Edns } {
  return { edns: { udpSize: 1232, version: 0, dnssecOk: false, options } }
}

function firstOf<T>(list: readonly T[]): T {
  const [first] = list
  assert.ok(first !== undefined)
  return first
}

/** The cookie that the nameserver would have issued `ageS` seconds ago. */
function serverCookieFor(address: string, ageS = 0): Uint8Array {
  const shared = CookieJar.allocate()
  new SharedSecrets(shared).set(secret)
  const jar = new CookieJar(shared)
  const packet = new DataView(new ArrayBuffer(64))
  new Uint8Array(packet.buffer).set(clientCookie)
  const view = addressView(address)
  jar.inspect(packet, 0, clientCookie.length, view, 0, view.byteLength, Math.floor(Date.now() / 1000) - ageS)
  jar.write(packet, 0)
  return new Uint8Array(packet.buffer, 4 + clientCookie.length, cookieOptionBytes - 4 - clientCookie.length)
}

for (const door of ['fast', 'portable'] as const) {
  test(`a prefix that queries 300 zones gets hardly more than one that queries a single zone (${door} door)`, async (context) => {
    // So low that 1,000 queries exceed it even on a slow machine.
    const { endpoints } = await started(context, '--door', door, '--rrl', '40')
    const server = firstOf(endpoints)
    const names: Record<string, (zone: string, index: number) => [name: string, type: string]> = {
      'large answers': (zone) => [`big.${zone}`, 'TXT'],
      'small answers': (zone) => [`n1.${zone}`, 'A'],
      'no such name': (zone, index) => [`r${1000 + index}.${zone}`, 'A'],
      'no such type': (zone) => [`n1.${zone}`, 'AAAA'],
      wildcards: (zone, index) => [`r${1000 + index}.wild.${zone}`, 'A'],
      referrals: (zone, index) => [`r${1000 + index}.sub.${zone}`, 'A'],
      'zones that are not ours': (zone) => [`www.not-${zone}invalid.`, 'A'],
      'all types': (zone) => [`big.${zone}`, 'ANY'],
    }
    const kinds = Object.values(names)
    names['everything in turn'] = (zone, index) => firstOf(kinds.slice(index % kinds.length))(zone, index)
    let third = 0
    for (const [what, nameOf] of Object.entries(names)) {
      // Both doors limit the same queries.
      if (door === 'portable' && !what.startsWith('large')) continue
      for (const fields of [{}, withOptions({ code: OptionCode.NSID, data: new Uint8Array() })]) {
        const queriesIn = (zones: number) =>
          Array.from({ length: 1000 }, (_, index) =>
            queryFor(...nameOf(zoneName(zones === 1 ? 7 : (index * 7) % zones), index), fields),
          )
        const floods = async () => {
          third += 2
          // Run both concurrently, so that they have the same time.
          return Promise.all([
            flood(server, prefixOf(third), queriesIn(1)),
            flood(server, prefixOf(third + 1), queriesIn(zoneCount)),
          ])
        }
        const isFair = ([one, many]: Awaited<ReturnType<typeof floods>>) =>
          many.bytes <= 1.2 * one.bytes && many.whole <= 1.2 * one.whole
        let both = await floods()
        // On a busy machine, one of them may take longer, and may then get more.
        for (let round = 1; round < 3 && !isFair(both); round++) both = await floods()
        const [one, many] = both
        const said = `${what}: ${JSON.stringify(both.map(figuresOf))}`
        assert.ok(many.truncated > 0 && one.truncated > 0, said)
        assert.equal(many.responses, one.responses, said)
        assert.ok(isFair(both), said)
      }
    }
  })

  test(`a shared resolver that queries 2,000 names loses no response (${door} door)`, async (context) => {
    const { endpoints } = await started(context, '--door', door)
    const server = firstOf(endpoints)
    const inMany = Array.from({ length: 2000 }, (_, index) => `n${index % namesPerZone}.${zoneName(index % zoneCount)}`)
    const inOne = Array.from({ length: 2000 }, (_, index) => `n${index}.large.example.`)
    for (const [index, names] of [inMany, inOne].entries()) {
      const resolver = `127.1.${index}.7`
      const queries = names.map((name) => queryFor(name, 'A'))
      const heard = await flood(server, [resolver], queries)
      assert.deepEqual([heard.responses, heard.badCookie], [2000, 0])
      assert.ok(heard.truncated > 0)
      // Queries with truncated answers are repeated over TCP, and are answered there.
      const again = heard.again.map((id) => queries[id] ?? new Uint8Array())
      const answers = await sendTcp(server, again)
      assert.equal(answers.length, heard.truncated)
      for (const wire of answers) assert.deepEqual(answerTexts(parseMessage(wire)), ['192.0.2.1'])

      // With a cookie, which it gets from the first answer, it gets everything over UDP.
      const greeting = queryFor(
        firstOf(names),
        'A',
        withOptions(cookieOption({ client: clientCookie, server: new Uint8Array() })),
      )
      const { last } = await flood(server, [resolver], [greeting])
      const cookie = cookieOf(last?.edns)
      assert.ok(cookie)
      const known = await flood(
        server,
        [resolver],
        names.map((name) => queryFor(name, 'A', withOptions(cookieOption(cookie)))),
      )
      assert.deepEqual([known.responses, known.whole], [2000, 2000])
    }
  })
}

/** A flood that comes faster than the bucket leaks. Other work on the machine can slow down one flood, but not five in a row. */
async function limited(flooded: () => Promise<Heard>): Promise<Heard> {
  let heard = await flooded()
  for (let i = 0; i < 4 && heard.truncated + heard.badCookie <= heard.responses / 2; i++) heard = await flooded()
  return heard
}

function figuresOf({ responses, bytes, whole, truncated }: Heard) {
  return { responses, bytes, whole, truncated }
}

test('beyond the limit for a prefix', async (context) => {
  const metrics = `127.0.0.1:${await freePort()}`
  const { endpoints } = await started(context, '--listen', '127.0.0.1:0', '--metrics', metrics)
  const [server, other] = endpoints
  assert.ok(server && other)
  /** `count` queries for all zones in turn. */
  const spread = (count: number, fields = {}) =>
    Array.from({ length: count }, (_, index) => queryFor(`big.${zoneName(index % zoneCount)}`, 'TXT', fields))
  /** A prefix that has reached its limit. It stays limited, because no client waits a whole second between two queries. */
  const exhausted = async (third: number) => {
    await flood(server, prefixOf(third), spread(1000))
    return `127.0.${third}.1`
  }
  const withCookie = (cookie: Uint8Array) => withOptions(cookieOption({ client: clientCookie, server: cookie }))

  await context.test('only a valid cookie for this address and hour exempts a client', async () => {
    const from = await exhausted(1)
    const valid = await flood(server, [from], spread(600, withCookie(serverCookieFor(from))))
    assert.equal(valid.whole, 600)
    const forged = serverCookieFor(from).map((byte, index) => (index === 15 ? byte ^ 1 : byte))
    for (const [what, cookie] of Object.entries({
      none: new Uint8Array(),
      forged,
      'an expired one': serverCookieFor(from, 3700),
      'one of the future': serverCookieFor(from, -400),
      'that of a neighbour': serverCookieFor('127.0.1.2'),
      'that of an IPv6 address': serverCookieFor('::ffff:127.0.1.1'),
      'one too long': new Uint8Array([...serverCookieFor(from), 1]),
      'one of zeros': new Uint8Array(16),
    })) {
      const heard = await limited(() => flood(server, [from], spread(600, withCookie(cookie))))
      assert.equal(heard.responses, 600, what)
      assert.ok(heard.badCookie > 100, what)
      // The cookie that it then gets exempts it.
      const given = cookieOf(heard.last?.edns)
      assert.ok(given, what)
      const next = await flood(server, [from], spread(300, withOptions(cookieOption(given))))
      assert.equal(next.whole, 300, what)
    }
  })

  await context.test('no answer is longer than its query, except for a cookie', async () => {
    const from = await exhausted(2)
    const nsid = { code: OptionCode.NSID, data: new Uint8Array() }
    const client = cookieOption({ client: clientCookie, server: new Uint8Array() })
    for (const [fields, more] of [
      [{}, 0],
      [withOptions(), 0],
      [withOptions(nsid), 0],
      [withOptions(nsid, client), 16],
      [{ edns: { udpSize: 4096, version: 1, dnssecOk: true, options: [nsid] } }, 0],
      [withOptions({ code: OptionCode.COOKIE, data: new Uint8Array(9) }, nsid), 0],
    ] as const) {
      const queries = spread(500, fields)
      const heard = await limited(() => flood(server, [from], queries))
      const { length } = firstOf(queries)
      // As many responses as the bucket has leaked in the meantime are sent in full.
      assert.ok(heard.truncated + heard.badCookie > 250, JSON.stringify(fields))
      assert.ok(heard.longestLimited <= length + more, JSON.stringify(fields))
    }
  })

  await context.test('all listening addresses share the limit', async () => {
    const [one, two, alone] = await Promise.all([
      flood(server, prefixOf(3), spread(900)),
      flood(other, prefixOf(3), spread(900)),
      flood(server, prefixOf(4), spread(900)),
    ])
    assert.ok(one.whole + two.whole <= 1.5 * alone.whole, `${one.whole} + ${two.whole} beside ${alone.whole}`)
  })

  await context.test('another prefix is not affected', async () => {
    await exhausted(5)
    const neighbour = await flood(server, ['127.0.6.1'], spread(200))
    assert.equal(neighbour.whole, 200)
  })

  await context.test('it is counted separately from the limit for a zone', async () => {
    const limitedBy = async (by: string) => {
      const page = await (await fetch(`http://${metrics}/metrics`)).text()
      const line = `zonewright_nameserver_rate_limited_total{by="${by}",sent="truncated"} `
      return Number(
        page
          .split('\n')
          .find((text) => text.startsWith(line))
          ?.slice(line.length),
      )
    }
    const before = await limitedBy('prefix')
    await exhausted(8)
    assert.ok((await limitedBy('prefix')) - before >= 500)
    const zonesBefore = await limitedBy('zone')
    await flood(
      server,
      ['127.0.9.1'],
      Array.from({ length: 1000 }, () => queryFor('n1.large.example.', 'A')),
    )
    assert.ok((await limitedBy('zone')) - zonesBefore >= 500)
  })
})
