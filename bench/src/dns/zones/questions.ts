import { buildMessage, DnsClass, type Edns, parseName, parseType, Rcode } from '@zonewright/dns'
import type { CheckedQuery } from '../load/query-file.ts'
import { addressWord, versionNetworks, wildcardNetwork, type ZoneSet, zoneName } from './zone-set.ts'

/** The kinds of queries of a round; each is a way in which resolvers send queries. */
export type QuestionKind = 'direct' | 'edns' | 'mixed' | 'random NXDOMAIN names' | 'wildcards'

/** The same number of queries of each kind, spread over all zones in random order, each with its expected answer. */
export function* questions(kind: QuestionKind, { count }: ZoneSet, howMany: number): Generator<CheckedQuery> {
  const random = randomNumbers(count)
  for (let index = 0; index < howMany; index++) yield questionOf[kind](Math.floor(random() * count), random)
}

/** One query for every zone's `www`, which shows that all zones exist. */
export function* onceEach({ count }: ZoneSet): Generator<CheckedQuery> {
  for (let zone = 0; zone < count; zone++) yield direct(zone)
}

/**
 * Alternates between records that never change and records that do: every zone's `www`, and its `version`, whose two addresses must match
 * and must never decrease.
 */
export function* stillAndChanging({ count }: ZoneSet): Generator<CheckedQuery> {
  for (let zone = 0; zone < count; zone++) {
    yield direct(zone)
    yield { ...versionQuery(zone), address: 0, isRising: true }
  }
}

/** Every zone's `version` at its newest serial. */
export function* newestVersions({ count }: ZoneSet, serialOf: (zone: number) => number): Generator<CheckedQuery> {
  for (let zone = 0; zone < count; zone++) {
    yield { ...versionQuery(zone), address: addressWord(serialOf(zone), versionNetworks[0]) }
  }
}

function versionQuery(zone: number): CheckedQuery {
  return { packet: queryFor(`version.${zoneName(zone)}`, 'A'), rcode: Rcode.NOERROR, answers: versionNetworks.length }
}

/** One query for every rrset of every zone. */
export function* everyRrset({ count }: ZoneSet): Generator<CheckedQuery> {
  for (let zone = 0; zone < count; zone++) {
    yield direct(zone)
    for (const [owner, type, answers] of otherRrsets) yield inZone(zone, owner, type, answers)
  }
}

/** The rrsets of a zone except its `www`, and the number of records in the answer. */
const otherRrsets = [
  ['', 'SOA', 1],
  ['', 'NS', 2],
  ['', 'A', 1],
  ['', 'MX', 1],
  ['', 'TXT', 1],
  ['mail.', 'A', 1],
  ['alias.', 'CNAME', 1],
  ['*.wild.', 'A', 1],
] as const

/** A query of a modern resolver: it accepts 1232 bytes and requests signatures (RFC 6891, 3225). */
const resolverEdns: Edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }

/** A realistic mix: mostly addresses, many of them IPv6 addresses that do not exist. */
const mixture: readonly (readonly [owner: string, type: string, answers: number])[] = [
  ['www.', 'A', 1],
  ['www.', 'A', 1],
  ['www.', 'A', 1],
  ['', 'A', 1],
  ['', 'A', 1],
  ['mail.', 'A', 1],
  ['www.', 'AAAA', 0],
  ['', 'AAAA', 0],
  ['mail.', 'AAAA', 0],
  ['alias.', 'A', 2],
  ['alias.', 'A', 2],
  ['any.wild.', 'A', 1],
  ['', 'MX', 1],
  ['', 'TXT', 1],
  ['', 'NS', 2],
  ['', 'SOA', 1],
]

const questionOf: Readonly<Record<QuestionKind, (zone: number, random: () => number) => CheckedQuery>> = {
  direct: (zone) => direct(zone),
  edns: (zone) => direct(zone, resolverEdns),
  mixed: (zone, random) => {
    const [owner, type, answers] = mixture[Math.floor(random() * mixture.length)] ?? ['', 'A', 1]
    return inZone(zone, owner, type, answers)
  },
  'random NXDOMAIN names': (zone, random) => ({
    packet: queryFor(`${label(random)}.${zoneName(zone)}`, 'A'),
    rcode: Rcode.NXDOMAIN,
    answers: 0,
  }),
  wildcards: (zone, random) => ({
    packet: queryFor(`${label(random)}.wild.${zoneName(zone)}`, 'A'),
    rcode: Rcode.NOERROR,
    answers: 1,
    address: addressWord(zone, wildcardNetwork),
  }),
}

function direct(zone: number, withEdns?: Edns): CheckedQuery {
  return {
    packet: queryFor(`www.${zoneName(zone)}`, 'A', withEdns),
    rcode: Rcode.NOERROR,
    answers: 1,
    address: addressWord(zone),
  }
}

/** `owner` is empty or ends in a dot. */
function inZone(zone: number, owner: string, type: string, answers: number): CheckedQuery {
  return { packet: queryFor(`${owner}${zoneName(zone)}`, type), rcode: Rcode.NOERROR, answers }
}

function queryFor(name: string, type: string, edns?: Edns): Uint8Array {
  const question = { name: parseName(`${name}.`), type: parseType(type), class: DnsClass.IN }
  return buildMessage({ id: 0, questions: [question], edns })
}

/** A label as in random-subdomain floods. */
export function label(random: () => number): string {
  return Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, 'x')
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
