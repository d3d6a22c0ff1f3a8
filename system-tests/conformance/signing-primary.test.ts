// Our nameserver as a secondary of a primary that signs: Knot, which changes the zone from unsigned to NSEC to NSEC3 to unsigned.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  DnsClass,
  lookup,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  type Rrset,
  recordsOf,
  type TransferOutcome,
  TransferReader,
  toSerial,
  Zone,
} from '@zonewright/dns'
import { dnssecCrypto } from '@zonewright/dns/node'
import { freeAddresses, freePort } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { eventually } from '../world/index.ts'
import { sent } from './peers/kdig.ts'
import { documented } from './peers/operator-docs.ts'
import { runPeer } from './peers/peer.ts'
import { answerText } from './signed-zones/answer-text.ts'
import { DnsStream } from './signed-zones/dns-stream.ts'
import { QueryLoad } from './signed-zones/query-load.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-signing-'))
const { primary: listen, ns1: address } = await freeAddresses()
const metrics = `127.0.0.1:${await freePort()}`
const origin = parseName('example.com.')
const secret = randomBytes(32).toString('base64')
const key = `hmac-sha256:zonewright-transfer:${secret}`
const tsigFile = join(folder, 'tsig.key')
writeFileSync(tsigFile, `${key}\n`)
writeFileSync(
  join(folder, 'example.com.zone'),
  `$TTL 300
@ SOA ns hostmaster 1 14400 3600 1209600 60
@ NS ns.example.net.
www A 192.0.2.1
alias CNAME www
*.wild TXT "any"
a.b.c A 192.0.2.2
sub NS ns.sub
ns.sub A 192.0.2.3
moved DNAME www
`,
)

const configFile = join(folder, 'knot.conf')
const config = documented('knot-primary.conf', {
  '192.0.2.1@5300': listen.replace(':', '@'),
  '198.51.100.53@53': address.replace(':', '@'),
  '  user: knot:knot\n': '',
  '/run/knot': folder,
  '/var/lib/knot': folder,
  SECRET: secret,
})
const nameserver = new Program({
  name: 'nameserver',
  args: [
    fileURLToPath(new URL('../../nameserver/bin/nameserver.ts', import.meta.url)),
    ...['--listen', address, '--primary', listen, '--catalog', 'catalog.zonewright.invalid'],
    ...['--tsig', tsigFile, '--store', join(folder, 'store'), '--metrics', metrics, '--rrl', 'off'],
  ],
  logFile: join(folder, 'nameserver.log'),
})
const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
after(async () => {
  for (const end of ends.reverse()) await end()
})
mkdirSync(join(folder, 'store'), { recursive: true })
writeFileSync(configFile, config)
await nameserver.start()
ends.push(() => nameserver.stop())
const knot = await runPeer('knotd', ['-c', configFile], listen)
ends.push(() => knot.stop())

function control(...args: string[]): void {
  execFileSync('knotc', ['-c', configFile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Makes Knot sign its zones with this setting of `nsec3`. */
function sign(nsec3: 'on' | 'off'): void {
  const policy = `policy:
  - id: tested
    algorithm: ecdsap256sha256
    single-type-signing: on
    nsec3: ${nsec3}
    nsec3-iterations: 0
    nsec3-salt-length: 0

`
  const member = '  - id: member\n'
  const [before = '', behind = ''] = config.split('template:\n')
  assert.ok(behind.includes(member))
  const signing = `${member}    dnssec-signing: on\n    dnssec-policy: tested\n`
  writeFileSync(configFile, `${before}${policy}template:\n${behind.replace(member, signing)}`)
  control('reload')
}

/** Makes Knot load the zone from its file, without signatures. */
function unsign(): void {
  writeFileSync(configFile, config)
  control('reload')
  control('zone-reload', 'example.com')
}

const questions = ['@', 'www', 'alias', 'x.wild', 'b.c', 'none', 'x.none', 'sub', 'x.sub', 'x.moved', 'added'].flatMap(
  (name) =>
    ['A', 'TXT', 'DS', 'DNSKEY'].map((type) => ({
      name: name === '@' ? origin : parseName(name, origin),
      type: parseType(type),
    })),
)

/** Waits until all our answers are those of Knot, and returns them as one text. */
async function untilAlike(expected: RegExp): Promise<void> {
  await eventually(`all answers are those of Knot, with ${expected}`, async () => {
    const streams = await Promise.all([address, listen].map(DnsStream.open))
    try {
      const texts: string[] = []
      for (const { name, type } of questions) {
        const [own, theirs] = await Promise.all(streams.map((stream) => stream.ask(name, type)))
        if (own === undefined || theirs === undefined || answerText(own) !== answerText(theirs)) return false
        texts.push(answerText(own))
      }
      return expected.test(texts.join('\n'))
    } finally {
      for (const stream of streams) stream.close()
    }
  })
}

/** The transfer of the zone from the primary: the whole zone, or the changes since a serial. */
function transfer(since?: number): TransferOutcome {
  const answers = sent(listen, key, 'example.com', since).map((line) => {
    const [, name = '', ttl = '', typeText = '', data = ''] = /^(\S+) (\d+) IN (\S+) (.*)$/.exec(line) ?? []
    const type = parseType(typeText)
    return { name: parseName(name), type, class: DnsClass.IN, ttl: Number(ttl), data: parseRdata(type, data) }
  })
  const reader = new TransferReader(origin, since === undefined ? 'axfr' : 'ixfr', toSerial(since ?? 0))
  const flags = { qr: true, aa: true, tc: false, rd: false, ra: false, ad: false, cd: false }
  const message = { id: 0, opcode: 0, rcode: 0, ...flags, questions: [], answers, authorities: [], additionals: [] }
  const outcome = reader.feed(message)
  assert.ok(outcome)
  return outcome
}

/** The number of transfers that our nameserver has made, by kind. */
async function transfers(): Promise<{ axfr: number; ixfr: number }> {
  const text = await (await fetch(`http://${metrics}/metrics`)).text()
  const made = (kind: string) =>
    [...text.matchAll(new RegExp(`^zonewright_nameserver_transfers_total{kind="${kind}".*} (\\d+)$`, 'gm'))].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    )
  return { axfr: made('axfr'), ixfr: made('ixfr') }
}

test('while its primary switches a zone between NSEC, NSEC3 and unsigned, our answers are always those of one version', async (t) => {
  await untilAlike(/192\.0\.2\.1/)
  const first = transfer()
  assert.ok(first.kind === 'full')
  const before = await transfers()
  const load = await QueryLoad.begin(address, questions)
  ends.push(async () => load.end())

  // Knot keeps 20 changes, which must cover the whole history. Each round makes four.
  for (let round = 0; round < 4; round++) {
    sign('off')
    await untilAlike(/ NSEC /)
    control('zone-begin', 'example.com')
    control('zone-set', 'example.com', 'added', '60', 'A', '192.0.2.77')
    control('zone-commit', 'example.com')
    await untilAlike(/192\.0\.2\.77/)
    sign('on')
    await untilAlike(/ NSEC3 /)
    unsign()
    await untilAlike(/^(?!.* NSEC)/s)
  }
  load.end()

  const zone = Zone.fromRrsets(origin, first.rrsets)
  const allowed = questions.map(() => new Set<string>())
  const noteVersion = (): void => {
    for (const [index, { name, type }] of questions.entries()) {
      const { rcode, aa, answers, authorities } = lookup(zone, name, type, dnssecCrypto.sha1)
      const records = (rrsets: readonly Rrset[]) => rrsets.flatMap((each) => [...recordsOf(each)])
      const answer = { rcode, aa, tc: false, answers: records(answers), authorities: records(authorities) }
      allowed[index]?.add(answerText(answer))
    }
  }
  noteVersion()
  const history = transfer(first.serial)
  assert.ok(history.kind === 'steps', history.kind)
  for (const step of history.steps) {
    zone.apply(step)
    noteVersion()
  }
  for (const [index, answers] of load.answers.entries()) {
    for (const wire of answers.values()) {
      const text = answerText(parseMessage(wire))
      assert.ok(allowed[index]?.has(text), `${questions[index]?.name}: ${text}`)
    }
  }
  const { axfr, ixfr } = await transfers()
  const distinct = load.answers.reduce((sum, { size }) => sum + size, 0)
  t.diagnostic(
    `${load.count} answers, ${distinct} different ones, of ${history.steps.length + 1} versions; ${ixfr - before.ixfr} by IXFR`,
  )
  assert.equal(axfr, before.axfr)
})
