// Zones signed by ldns-signzone and dnssec-signzone, served by our nameserver, NSD and Knot, get equal answers, which unbound, delv and drill
// validate. Every question is compared. The last two, which need a process for each question, judge some of them, and all of them at night.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type DomainName,
  isWithin,
  type Message,
  parseName,
  parseType,
  Rcode,
  RrType,
  rrsigFromRdata,
} from '@zonewright/dns'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { isNightly } from '../world/index.ts'
import type { Running } from './peers/peer.ts'
import { answerText } from './signed-zones/answer-text.ts'
import { judgedByDelv, judgedByDrill, writeAnchors } from './signed-zones/command-judges.ts'
import { DnsDatagrams } from './signed-zones/dns-datagrams.ts'
import { DnsStream } from './signed-zones/dns-stream.ts'
import { childZone, randomNumbers, randomQuestion, randomZone, zonesSeed } from './signed-zones/random-zones.ts'
import { startKnot, startNsd, startOurs, startValidator } from './signed-zones/servers.ts'
import { type SignedZone, signZone } from './signed-zones/sign-zones.ts'

const zoneCount = isNightly ? 200 : 24
const questionCount = isNightly ? 10_000 : 1_500
/** One question in this many is also judged by delv and drill. */
const judgedEach = isNightly ? 1 : 10
const largestUdpBytes = 1232

const random = randomNumbers(zonesSeed)
const folder = mkdtempSync(join(tmpdir(), 'zonewright-signed-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
after(async () => {
  for (const end of ends.reverse()) await end()
})

/** A zone, and the zone whose key is trusted: itself, or its parent. */
interface Served {
  readonly zone: SignedZone
  readonly trusted: SignedZone
}

const served: Served[] = []
while (served.length < zoneCount) served.push(...zoneWithChildren(parseName(`z${served.length}.test.`)))
// Aliases out of the zones lead here.
writeFileSync(
  join(folder, 'invalid.zone'),
  '$ORIGIN invalid.\n$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\n* A 192.0.2.99\n',
)

const at = await freeAddresses()
const zones = served.map(({ zone }) => zone)
const tops = [...new Set(served.map(({ trusted }) => trusted))]
const started: Promise<Running>[] = [
  startOurs(at.ns1, folder, 'fast'),
  startOurs(at.ns2, folder, 'portable'),
  startNsd(at.primary, folder, zones),
  startKnot(at.door, folder, zones),
]
for (const server of await Promise.all(started)) ends.push(() => server.stop())
const unbound = await startValidator(at.resolver, folder, at.ns1, zones, tops)
ends.push(() => unbound.stop())
const [ours, nsd, knot, resolver] = await Promise.all([at.ns1, at.primary, at.door, at.resolver].map(DnsStream.open))
const doors = { fast: new DnsDatagrams(at.ns1), portable: new DnsDatagrams(at.ns2) }
ends.push(() => {
  for (const each of [ours, nsd, knot, resolver, doors.fast, doors.portable]) each?.close()
})
for (const top of tops) writeAnchors(top, folder)

test(`answers to ${questionCount} questions about ${served.length} signed zones equal those of NSD and Knot, and are valid (seed ${zonesSeed})`, async (t) => {
  assert.ok(ours && nsd && knot && resolver)
  const peersDisagree: string[] = []
  const unboundCannot: string[] = []
  /** Questions without an answer of unbound, and those among them for which delv judges ours. */
  const failed = new Map<string, SignedZone>()
  const rejected = new Set<string>()
  const drillCannot: string[] = []
  const states: Record<string, number> = {}
  for (let asked = 0; asked < questionCount; asked++) {
    const { zone, trusted } = served[asked % served.length] as Served
    const question = randomQuestion(zone, random)
    const name = question.name === '@' ? zone.origin : parseName(question.name, zone.origin)
    const type = parseType(question.type)
    const what = `${name} ${question.type} of a zone by ${zone.signing.by} with ${zone.signing.denial}`

    const [own, byNsd, byKnot]: [Message, Message, Message] = await Promise.all([
      ours.ask(name, type),
      nsd.ask(name, type),
      knot.ask(name, type),
    ])
    const text = answerText(own)
    const theirs = [byNsd, byKnot].map(answerText)
    if (theirs[0] === theirs[1]) assert.equal(text, theirs[0], what)
    else {
      const asOurs = ['NSD', 'Knot'].filter((_, index) => theirs[index] === text)
      peersDisagree.push(`${what}: as ${asOurs.join() || 'neither'}`)
    }
    assert.deepEqual([own.ad, own.edns?.dnssecOk], [false, true], what)
    for (const [door, client] of Object.entries(doors)) {
      const { message, bytes } = await client.ask(name, type)
      assert.ok(bytes <= largestUdpBytes, `${what}: ${bytes} bytes by UDP`)
      if (!message.tc) assert.equal(answerText(message), text, `${what}, by the ${door} door`)
    }

    // unbound 1.17 does not answer some questions below a DNAME, and closes the connection after half a minute.
    const state: string = isReferral(own)
      ? 'referral'
      : await resolver.ask(name, type, true).then(judged, (error: unknown) => {
          if (!isBelowDname(own)) throw error
          return 'failed'
        })
    states[state] = (states[state] ?? 0) + 1
    if (state === 'failed') failed.set(`${name} ${question.type}`, trusted)
    if (state === 'failed' && isBelowDname(own)) rejected.add(`${name} ${question.type}`)
    if (state === 'referral' || asked % judgedEach !== 0) continue
    // NSEC is the one type for which BIND, and so delv, expects no alias to be followed.
    const isAliasOfNsec = type === RrType.NSEC && hasAlias(own)
    if (state !== 'failed' && !isAliasOfNsec) {
      const byDelv = await judgedByDelv(at.ns1, trusted, folder, name, question.type)
      // unbound treats the proof of an opt-out span as insecure, and delv accepts it.
      assert.ok(byDelv === 'secure' || byDelv === state, `${what}: ${state}, but delv says ${byDelv}`)
    }
    const signer = signerOf(own)
    if (state !== 'secure' || signer === undefined || hasAlias(own)) continue
    const byDrill = await judgedByDrill(at.ns1, signer, name, question.type)
    if (byDrill === 'secure') continue
    // It cannot verify every proof. It then also rejects the same answer of another server.
    assert.notEqual(await judgedByDrill(at.primary, signer, name, question.type), 'secure', `${what}: ${byDrill}`)
    drillCannot.push(what)
  }
  // Below a DNAME, unbound 1.17 looks for a zone cut at the name that the DNAME covers, or expects a signature over the CNAME that was made from
  // the DNAME (RFC 6672 §5.3.1). Below a name that exists only because of an unsigned delegation in an opt-out span, NXDOMAIN cannot be proved
  // if there is a wildcard next to it, because the name has no NSEC3 record that excludes the wildcard.
  for (const [, question = ''] of unbound.said().matchAll(/validation failure <(\S+ \S+) IN>/g)) rejected.add(question)
  for (const question of rejected) {
    const [name = '', type = ''] = question.split(' ')
    const trusted = failed.get(question) ?? assert.fail(`unbound rejects ${question}, and answers it`)
    const byDelv = await judgedByDelv(at.ns1, trusted, folder, parseName(name), type)
    assert.ok(['secure', 'insecure'].includes(byDelv), `${question}: delv says ${byDelv}`)
    unboundCannot.push(`${question}: ${byDelv} by delv`)
  }
  assert.ok(unboundCannot.length < questionCount / 100, `unbound rejects ${unboundCannot.join('; ')}`)
  assert.ok((states['secure'] ?? 0) > questionCount / 5, JSON.stringify(states))
  t.diagnostic(`unbound: ${JSON.stringify(states)}`)
  t.diagnostic(`NSD and Knot disagree on ${peersDisagree.length} questions:`)
  for (const each of peersDisagree) t.diagnostic(each)
  t.diagnostic(`unbound cannot judge these answers: ${unboundCannot.join('; ')}`)
  t.diagnostic(`drill rejects these answers of ours and of NSD: ${drillCannot.join('; ')}`)
})

function zoneWithChildren(origin: DomainName): Served[] {
  const zone = randomZone(origin, random)
  const children = zone.children.map(({ label, isSecure }) => {
    return { isSecure, signed: signZone(childZone(parseName(label, origin), random), folder) }
  })
  const trusted = signZone(
    zone,
    folder,
    children.flatMap(({ isSecure, signed }) => (isSecure ? [signed.ds] : [])),
  )
  return [{ zone: trusted, trusted }, ...children.map(({ signed }) => ({ zone: signed, trusted }))]
}

/** It ends in a delegation without a working nameserver, so no resolver can follow it. */
function isReferral({ authorities }: Message): boolean {
  return authorities.some(({ type }) => type === RrType.NS)
}

function isBelowDname({ answers }: Message): boolean {
  return answers.some(({ type }) => type === RrType.DNAME)
}

function hasAlias({ answers }: Message): boolean {
  return answers.some(({ type }) => type === RrType.CNAME || type === RrType.DNAME)
}

function judged({ rcode, ad }: Message): string {
  if (rcode === Rcode.SERVFAIL) return 'failed'
  return ad ? 'secure' : 'insecure'
}

/** The zone whose key signed an answer. */
function signerOf({ answers, authorities }: Message): SignedZone | undefined {
  const rrsig = [...answers, ...authorities].find(({ type }) => type === RrType.RRSIG)
  if (rrsig === undefined) return undefined
  const { signer } = rrsigFromRdata(rrsig.data)
  return zones.find(({ origin }) => origin === signer && isWithin(rrsig.name, origin))
}
