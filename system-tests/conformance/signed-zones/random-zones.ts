import type { DomainName } from '@zonewright/dns'
import { isNightly } from '../../world/index.ts'

/** The seed of a run: `SIGNED_ZONES_SEED`, or else a new one at night and a fixed one by day. */
export const zonesSeed = Number(
  process.env['SIGNED_ZONES_SEED'] ?? (isNightly ? Math.floor(Math.random() * 2 ** 31) : 1),
)

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export type Random = () => number

export function randomNumbers(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** How a zone is signed, and by which program. */
export interface Signing {
  readonly by: 'ldns-signzone' | 'dnssec-signzone'
  readonly denial: 'nsec' | 'nsec3' | 'opt-out'
  readonly iterations: number
  readonly salt: string
}

export interface RandomZone {
  readonly origin: DomainName
  readonly signing: Signing
  /** Records as lines without TTL, their names relative. */
  readonly lines: readonly string[]
  /** Names of delegations to zones that are on the same server, and whether they are signed. */
  readonly children: readonly { readonly label: string; readonly isSecure: boolean }[]
  /** Every owner name in it, relative. */
  readonly names: readonly string[]
}

/** With letters in both cases, because signatures cover the case of the next name in NSEC (RFC 6840 §5.1). */
const labels = ['a', 'b', 'C', 'www', 'Mail', 'x1', '_tcp', 'a-longer-Label', 'zz', '0']
const addresses = ['192.0.2.1', '192.0.2.2', '198.51.100.7', '203.0.113.9']

/** A zone with everything that has special answers in DNSSEC: wildcards, aliases, cuts with and without DS, empty non-terminals. */
export function randomZone(origin: DomainName, random: Random): RandomZone {
  const zone = new ZoneMaker(random)
  zone.add('@', 'SOA', 'ns1 hostmaster 1 3600 600 86400 60')
  zone.add('@', 'NS', 'ns1')
  zone.add('ns1', 'A', '127.0.0.1')
  if (random() < 0.5) zone.add('@', 'MX', '10 mail')
  const children =
    random() < 0.6
      ? [
          { label: 'secure', isSecure: true },
          { label: 'insecure', isSecure: false },
        ]
      : []
  for (const { label } of children) {
    zone.cut(label)
    zone.add(label, 'NS', 'ns1')
  }
  const wanted = 4 + Math.floor(random() * 25)
  for (let made = 0; made < wanted; made++) zone.addAnything()
  return { origin, signing: randomSigning(random), lines: zone.lines, children, names: [...zone.names] }
}

/** A zone with one address, a wildcard and an empty non-terminal, below one of the others. */
export function childZone(origin: DomainName, random: Random): RandomZone {
  const lines = [
    '@ SOA ns1 hostmaster 1 3600 600 86400 60',
    '@ NS ns1',
    'ns1 A 127.0.0.1',
    'www A 192.0.2.80',
    '*.w TXT "child"',
    'a.ent A 192.0.2.81',
  ]
  return { origin, signing: randomSigning(random), lines, children: [], names: ['@', 'ns1', 'www', '*.w', 'a.ent'] }
}

function randomSigning(random: Random): Signing {
  return {
    by: pick(random, ['ldns-signzone', 'dnssec-signzone']),
    denial: pick(random, ['nsec', 'nsec3', 'opt-out']),
    iterations: pick(random, [0, 0, 0, 1, 10]),
    salt: pick(random, ['-', '-', 'aabbccdd', 'ff'.repeat(40)]),
  }
}

class ZoneMaker {
  readonly lines: string[] = []
  readonly names = new Set<string>()
  readonly #random: Random
  /** An alias excludes other records, and names below a cut or a DNAME do not belong to this zone. */
  readonly #aliases = new Set<string>()
  readonly #cuts = new Set<string>()

  constructor(random: Random) {
    this.#random = random
  }

  add(name: string, type: string, data: string): void {
    const line = `${name} ${type} ${data}`
    if (!this.lines.includes(line)) this.lines.push(line)
    this.names.add(name)
  }

  cut(name: string): void {
    this.#cuts.add(name)
  }

  addAnything(): void {
    const random = this.#random
    const name = this.#freeName()
    if (name === undefined) return
    const kind = random()
    if (kind < 0.3) this.add(name, 'A', pick(random, addresses))
    else if (kind < 0.4) this.add(name, 'AAAA', `2001:db8::${1 + Math.floor(random() * 9)}`)
    else if (kind < 0.48) this.add(name, 'TXT', `"${'t'.repeat(1 + Math.floor(random() * 200))}"`)
    else if (kind < 0.53) this.add(name, 'SRV', '1 2 53 www')
    else if (kind < 0.7) this.#addWildcard()
    else if (kind < 0.82) this.#addAlias(name)
    else if (kind < 0.87) this.#addDname(name)
    else this.#addCut(name)
  }

  #addWildcard(): void {
    const random = this.#random
    const below = this.#freeName()
    const name = below === undefined ? '*' : pick(random, ['*', `*.${below}`])
    if (this.#isTaken(name)) return
    if (random() < 0.3) this.#addAlias(name)
    else this.add(name, pick(random, ['A', 'TXT']), '192.0.2.200')
  }

  #addAlias(name: string): void {
    if (this.names.has(name)) return
    const target = pick(this.#random, [...this.names, 'nowhere', 'x.nowhere', 'elsewhere.invalid.'])
    this.#aliases.add(name)
    this.add(name, 'CNAME', target.startsWith('*') ? 'made.up' : target)
  }

  #addDname(name: string): void {
    if (this.#hasBelow(name) || this.names.has(name)) return
    this.#cuts.add(name)
    this.add(name, 'DNAME', pick(this.#random, ['www', 'b', 'elsewhere.invalid.']))
  }

  #addCut(name: string): void {
    if (this.#hasBelow(name) || this.names.has(name)) return
    const random = this.#random
    this.#cuts.add(name)
    this.add(name, 'NS', `ns.${name}`)
    this.add(`ns.${name}`, 'A', '192.0.2.53')
    if (random() < 0.3) this.add(name, 'NS', 'ns1')
    if (random() < 0.5) this.add(name, 'DS', `12345 13 2 ${'ab'.repeat(32)}`)
  }

  #freeName(): string | undefined {
    const random = this.#random
    const depth = 1 + Math.floor(random() * random() * 4)
    const name = Array.from({ length: depth }, () => pick(random, labels)).join('.')
    return this.#isTaken(name) ? undefined : name
  }

  #isTaken(name: string): boolean {
    if (this.#aliases.has(name) || this.#cuts.has(name)) return true
    return [...this.#cuts].some((cut) => name.endsWith(`.${cut}`))
  }

  #hasBelow(name: string): boolean {
    return [...this.names].some((other) => other === name || other.endsWith(`.${name}`))
  }
}

const types = [
  'A',
  'A',
  'A',
  'AAAA',
  'TXT',
  'MX',
  'NS',
  'SOA',
  'CNAME',
  'DNAME',
  'DS',
  'SRV',
  'DNSKEY',
  'NSEC3PARAM',
  'CDS',
  'NSEC',
]

/** A question for a zone: an existing name, a similar name, or a missing one. */
export function randomQuestion({ names, children }: RandomZone, random: Random): { name: string; type: string } {
  const near = pick(random, [...names, ...children.map(({ label }) => label)])
  const kind = random()
  const type = pick(random, types)
  if (kind < 0.45) return { name: near, type }
  if (kind < 0.65)
    return {
      name: near === '@' ? pick(random, labels) : `${pick(random, labels)}.${near.replace(/^\*\.?/, '') || 'q'}`,
      type,
    }
  if (kind < 0.75) return { name: near.includes('.') ? near.slice(near.indexOf('.') + 1) : near, type }
  if (kind < 0.85) return { name: `${pick(random, labels)}.${pick(random, labels)}.${pick(random, labels)}`, type }
  return {
    name: `${Math.floor(random() * 36 ** 6).toString(36)}.${near === '@' ? 'q' : near.replace(/^\*\.?/, '') || 'q'}`,
    type,
  }
}
