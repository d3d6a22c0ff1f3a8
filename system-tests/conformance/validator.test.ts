import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  type DomainName,
  extendedErrorsOf,
  groupRecords,
  type Message,
  nsecFromRdata,
  parseName,
  parseType,
  parseZoneFile,
  Rcode,
  type Rrset,
  RrType,
  typeToText,
} from '@zonewright/dns'
import { startResolver } from '@zonewright/sandbox'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { hostOf, portOf } from './peers/peer.ts'
import { breakZone, damageCount } from './signed-zones/damages.ts'
import { DnsStream } from './signed-zones/dns-stream.ts'
import { childZone, pick, randomNumbers, randomQuestion, randomZone, zonesSeed } from './signed-zones/random-zones.ts'
import { startNsd, startValidator } from './signed-zones/servers.ts'
import { type SignedZone, signZone } from './signed-zones/sign-zones.ts'

/**
 * Zones that ldns-signzone and dnssec-signzone have signed, half of them broken afterwards, are served by NSD. The sandbox's resolver,
 * which validates with our validator, and unbound get the same queries about them.
 */

const run = promisify(execFile)
/** Every second one is damaged, each in a different way. */
const zoneCount = 2 * damageCount
const questionsPerZone = 40
const random = randomNumbers(zonesSeed)
const folder = mkdtempSync(join(tmpdir(), 'zonewright-validator-'))
const free = await freeAddresses()

/** A top zone with those below it. */
interface Family {
  readonly top: SignedZone
  readonly zones: readonly SignedZone[]
  /** The damage to one of its files. */
  readonly damage: string
}

const families = Array.from({ length: zoneCount }, (_, i) =>
  familyOf(parseName(`z${i}.test.`), i % 2 === 1 ? i >> 1 : undefined),
)
const tops = families.map(({ top }) => top)
/** The target of some aliases, which no trust anchor is above. */
const elsewhere = signZone(childZone(parseName('invalid.'), random), folder)
const zones = [elsewhere, ...families.flatMap((family) => family.zones)]
const nsd = await startNsd(free.ns1, folder, zones)
const unbound = await startValidator(free.ns2, folder, free.ns1, zones.slice(1), tops)
const ours = await startResolver({
  listen: free.primary,
  tops: Object.fromEntries(
    ['invalid.', ...tops.map(({ origin }) => origin)].map((name) => [name.slice(0, -1), free.ns1]),
  ),
  nameservers: {},
  anchors: tops.map(dsRrset),
})
const nsdStream = await DnsStream.open(free.ns1)
const unboundStream = await DnsStream.open(free.ns2)
const ownStream = await DnsStream.open(ours.address)
after(async () => {
  for (const stream of [nsdStream, unboundStream, ownStream]) stream.close()
  await Promise.all([ours.close(), unbound.stop(), nsd.stop()])
})

function familyOf(origin: DomainName, damage: number | undefined): Family {
  const zone = randomZone(origin, random)
  const children = zone.children.map(({ label, isSecure }) => ({
    isSecure,
    signed: signZone(childZone(parseName(`${label}.${origin}`), random), folder),
  }))
  const ds = children.filter(({ isSecure }) => isSecure).map(({ signed }) => signed.ds)
  const top = signZone(zone, folder, ds)
  const zones = [top, ...children.map(({ signed }) => signed)]
  return { top, zones, damage: damage === undefined ? 'none' : breakZone(pick(random, zones), damage, random) }
}

function dsRrset({ origin, ds }: SignedZone): Rrset {
  const [rrset] = groupRecords(parseZoneFile(`${ds}\n`, { origin, defaultTtl: 300 }).records)
  return rrset ?? assert.fail(`no DS of ${origin}`)
}

/** A question that a resolver can answer, and the zone that it is about. */
interface Asked {
  readonly name: DomainName
  readonly type: RrType
  readonly zone: SignedZone
  readonly family: Family
  readonly served: Message
}

/** Questions about a zone. It leaves out those about zones that are on no server, and about the DS records of a top zone, which have no answer. */
async function questionsAbout(zone: SignedZone, family: Family, count: number): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let left = count; left > 0; left--) {
    const { name: relative, type: typeText } = randomQuestion(zone, random)
    const [name, type] = [parseName(relative, zone.origin), parseType(typeText)]
    if (name === family.top.origin && type === RrType.DS) continue
    const served = await nsdStream.ask(name, type)
    if (!served.authorities.some((record) => record.type === RrType.NS))
      asked.push({ name, type, zone, family, served })
  }
  return asked
}

/** The verdict of a resolver on a response. */
function statusOf({ rcode, ad }: Message): string {
  return rcode === Rcode.SERVFAIL ? 'bogus' : ad ? 'secure' : 'insecure'
}

function describe({ name, type, zone, family }: Asked, ours: Message, theirs: string, why = 'unexplained'): string {
  const reasons = extendedErrorsOf(ours.edns).map(({ text }) => text)
  const question = `${name} ${typeToText(type)}: ${statusOf(ours)}, and ${theirs} for the other`
  return [question, why, ...reasons, `damage: ${family.damage}`, JSON.stringify(zone.signing)].join('; ')
}

/** Why another validator's verdict differs, if this is known; `judged` has our verdict first, as in "secure bogus". */
type Explanation = (asked: Asked, judged: string, ours: Message) => string | undefined

const isBelowDname = ({ served }: Asked) => served.answers.some(({ type }) => type === RrType.DNAME)

const explainUnbound: Explanation = (asked, judged, ours) => {
  const { type, served, zone } = asked
  const isForAlias = type === RrType.CNAME || type === RrType.DNAME
  if (/^(?:secure|insecure) bogus$/.test(judged) && isForAlias && isBelowDname(asked))
    return 'unbound 1.17 wants a signature of the CNAME that a DNAME makes (RFC 6672 §5.3.1) if the question is for one of them'
  const nsec = served.answers.find((record) => record.type === RrType.NSEC)
  if (judged.startsWith('secure') && nsec !== undefined && nsecFromRdata(nsec.data).types.includes(RrType.CNAME))
    return 'unbound 1.17 follows an alias that it knows, although the question is for the NSEC beside it'
  const reasons = extendedErrorsOf(ours.edns).map(({ text }) => text)
  if (judged === 'bogus insecure' && zone.signing.denial === 'opt-out' && reasons.some((text) => text.includes('SOA')))
    return 'unbound 1.17 wants no signature of the SOA beside a denial from an opt-out span'
  return undefined
}

const explainDelv: Explanation = ({ family, type, served }, judged, ours) => {
  const isAlias = served.answers.some((record) => record.type === RrType.CNAME)
  if (judged === 'insecure secure' && family.zones.some(({ signing }) => signing.denial === 'opt-out'))
    return 'delv 9.18 calls denials from opt-out spans validated, but they must not get AD (RFC 5155 §9.2)'
  if (judged === 'insecure secure' && isAlias) return 'delv 9.18 calls an alias to an unsigned name validated'
  if (judged.startsWith('bogus') && extendedErrorsOf(ours.edns).length === 0)
    return 'our resolver has no answer: aliases lead in a circle, to a zone that is nowhere, or to the DS records of the top'
  if (judged === 'bogus secure' && family.damage !== 'none')
    return 'delv 9.18 overlooks a record of the authority section without a valid signature if the others are enough'
  if (type === RrType.NSEC && (judged === 'secure bogus' || (judged === 'insecure bogus' && isAlias)))
    return 'delv 9.18 does not validate NSEC beside a CNAME'
  return undefined
}

test(`our validator and unbound reach the same verdicts (seed ${zonesSeed})`, async () => {
  const tally: Record<string, number> = {}
  const [different, explained]: [string[], string[]] = [[], []]
  for (const family of families) {
    for (const zone of family.zones) {
      for (const asked of await questionsAbout(zone, family, questionsPerZone)) {
        const ours = await ownStream.ask(asked.name, asked.type, true)
        // unbound does not answer some questions below a DNAME, and closes the connection after half a minute.
        const theirs = await unboundStream.ask(asked.name, asked.type, true).catch((error: unknown) => {
          if (!isBelowDname(asked)) throw error
          return undefined
        })
        if (theirs === undefined) {
          explained.push(describe(asked, ours, 'no answer', 'unbound 1.17 does not answer it'))
          continue
        }
        const status = statusOf(theirs)
        tally[status] = (tally[status] ?? 0) + 1
        if (statusOf(ours) === status && ours.rcode === theirs.rcode) continue
        const why = explainUnbound(asked, `${statusOf(ours)} ${status}`, ours)
        const list = why === undefined ? different : explained
        list.push(describe(asked, ours, status, why))
      }
    }
  }
  process.stdout.write(`unbound: ${JSON.stringify(tally)}\n${explained.join('\n')}\n`)
  assert.ok((tally['secure'] ?? 0) > 100 && (tally['bogus'] ?? 0) > 20 && (tally['insecure'] ?? 0) > 20)
  assert.deepEqual(different, [])
})

test(`our validator and delv reach the same verdicts (seed ${zonesSeed})`, async () => {
  const tally: Record<string, number> = {}
  const [different, explained]: [string[], string[]] = [[], []]
  for (const family of families) {
    const anchors = join(folder, `${family.top.origin}anchors`)
    const anchor = family.top.ds.replace(
      /^(\S+)\s.*\sDS\s+(\d+ \d+ \d+) (\S+)$/,
      'trust-anchors { $1 static-ds $2 "$3"; };',
    )
    writeFileSync(anchors, anchor)
    for (const asked of await questionsAbout(pick(random, family.zones), family, 4)) {
      const ours = await ownStream.ask(asked.name, asked.type, true)
      const status = await askDelv(asked, anchors)
      tally[status] = (tally[status] ?? 0) + 1
      if (statusOf(ours) === status) continue
      const why = explainDelv(asked, `${statusOf(ours)} ${status}`, ours)
      const list = why === undefined ? different : explained
      list.push(describe(asked, ours, status, why))
    }
  }
  process.stdout.write(`delv: ${JSON.stringify(tally)}\n${explained.join('\n')}\n`)
  assert.ok((tally['secure'] ?? 0) > 20)
  assert.deepEqual(different, [])
})

/** The verdict of delv, which queries NSD, on an answer. It waits for a long time if an alias leads to a zone that is on no server. */
async function askDelv({ name, type, family }: Asked, anchors: string): Promise<string> {
  const server = [`@${hostOf(free.ns1)}`, '-p', portOf(free.ns1), '-a', anchors, `+root=${family.top.origin}`]
  const question = [...server, '-q', name, '-t', typeToText(type)]
  const ended = run('delv', question, { timeout: 10_000 }).catch((error: unknown) => error)
  const { stdout, stderr } = (await ended) as { stdout: string; stderr: string }
  const said = stdout + stderr
  if (said.includes('fully validated')) return 'secure'
  return said.includes('unsigned answer') ? 'insecure' : 'bogus'
}
