import { buildMessage, DnsClass, type Edns, parseName, parseType, Rcode } from '@zonewright/dns'
import type { CheckedQuery } from '../load/query-file.ts'
import { label, randomNumbers } from './questions.ts'
import { cuts } from './signed-zone-files.ts'
import { type ZoneSet, zoneName } from './zone-set.ts'

/** The kinds of queries with the DO bit to signed zones. */
export type SignedKind = 'positive' | 'NXDOMAIN' | 'referral' | 'mixed' | 'flood'

/** The same number of queries of each kind, spread over all zones in random order. */
export function* signedQuestions(kind: SignedKind, { count }: ZoneSet, howMany: number): Generator<CheckedQuery> {
  const random = randomNumbers(count)
  for (let index = 0; index < howMany; index++) yield questionOf[kind](zoneName(Math.floor(random() * count)), random)
}

const edns: Edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }

/** A realistic mix: mostly addresses, one in eight names that do not exist, and a few cuts. */
const mixture: readonly ((zone: string, random: () => number) => CheckedQuery)[] = [
  ...Array.from({ length: 4 }, () => (zone: string) => query(`www.${zone}`, 'A', 2)),
  ...Array.from({ length: 2 }, () => (zone: string) => query(zone, 'A', 2)),
  (zone) => query(`www.${zone}`, 'AAAA', 0),
  (zone) => query(zone, 'AAAA', 0),
  (zone) => query(`alias.${zone}`, 'A', 4),
  (zone, random) => query(`${label(random)}.wild.${zone}`, 'A', 2),
  (zone) => query(zone, 'MX', 2),
  (zone) => query(zone, 'DNSKEY', 2),
  (zone) => query(`secure.${zone}`, 'DS', 2),
  referral,
  missing,
  missing,
]

const questionOf: Readonly<Record<SignedKind, (zone: string, random: () => number) => CheckedQuery>> = {
  positive: (zone) => query(`www.${zone}`, 'A', 2),
  NXDOMAIN: missing,
  referral,
  mixed: (zone, random) => (mixture[Math.floor(random() * mixture.length)] ?? missing)(zone, random),
  // Three of four queries are the flood.
  flood: (zone, random) => (random() < 0.75 ? missing(zone, random) : query(`www.${zone}`, 'A', 2)),
}

function missing(zone: string, random: () => number): CheckedQuery {
  return { ...query(`${label(random)}.${zone}`, 'A', 0), rcode: Rcode.NXDOMAIN }
}

function referral(zone: string, random: () => number): CheckedQuery {
  const cut = cuts[Math.floor(random() * cuts.length)] ?? cuts[0]
  return { ...query(`www.${cut}.${zone}`, 'A', 0), isReferral: true }
}

function query(name: string, type: string, answers: number): CheckedQuery {
  const question = { name: parseName(`${name}.`), type: parseType(type), class: DnsClass.IN }
  return { packet: buildMessage({ id: 0, questions: [question], edns }), rcode: Rcode.NOERROR, answers }
}
