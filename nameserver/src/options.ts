import { isIP } from 'node:net'
import { DnsFault, type DomainName, parseName, type TsigKey } from '@zonewright/dns'
import { maxNsidBytes } from './edns/fixed-option.ts'
import { type Endpoint, parseEndpoint } from './endpoint.ts'
import { type FlagName, type GivenFlags, readFlags } from './flags.ts'
import { expandWildcards } from './listen/wildcard.ts'
import { type AddressPrefix, parseAddressPrefix } from './rate-limit/address-prefix.ts'
import { type RateLimits, usualAnswersPerPrefix, usualRateLimits } from './rate-limit/rate-limiter.ts'
import { StartupFault } from './startup-fault.ts'
import { readTsigFile } from './tsig.ts'

/** The source of the zones: plain zone files, or a primary (or several on one database) followed through its catalog zone. */
export type Source =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'secondary'
      readonly primaries: readonly [Endpoint, ...Endpoint[]]
      readonly catalog: DomainName
      /** The first one signs our queries. A NOTIFY may be signed with any of them. */
      readonly keys: readonly [TsigKey, ...TsigKey[]]
      readonly storeDirectory: string
    }

const doors = ['fast', 'portable', 'auto'] as const

/** How UDP is served; `auto` is `fast` if it works. */
export type DoorChoice = (typeof doors)[number]

export interface Options {
  /** Single addresses: wildcards have been expanded. */
  readonly listen: readonly Endpoint[]
  /** Sockets that systemd passes, instead of `listen`. Several instances can share these sockets and the store. */
  readonly descriptors?: readonly number[]
  readonly source: Source
  /** `auto` when absent. */
  readonly door?: DoorChoice | undefined
  /** Worker threads of the fast door; one per processor if absent. */
  readonly threads?: number | undefined
  /** Absent: no limits. */
  readonly rateLimits?: RateLimits | undefined
  /** Absent: random secrets. */
  readonly cookieSecretFile?: string | undefined
  readonly nsid?: string | undefined
  /** Where the metrics page is served, if anywhere. */
  readonly metrics?: Endpoint | undefined
}

/** Parses the command line. @throws StartupFault naming the first invalid flag. */
export function parseOptions(args: readonly string[], descriptors: readonly number[] = []): Options {
  const flags = readFlags(args)
  const listen = flags.all('listen').map((text) => parseAddress('listen', text))
  if (listen.length === 0 && descriptors.length === 0) throw new StartupFault('--listen is missing: see --help')
  if (listen.length > 0 && descriptors.length > 0)
    throw new StartupFault('--listen is given although the socket unit has the addresses: remove --listen')
  return {
    listen: expandWildcards(listen),
    ...(descriptors.length > 0 && { descriptors }),
    source: parseSource(flags),
    door: parseDoor(flags.one('door')),
    threads: parseNumber(flags, 'threads', 1, 64),
    rateLimits: parseRateLimits(flags),
    cookieSecretFile: flags.one('cookie-secret'),
    nsid: parseNsid(flags.one('nsid')),
    metrics: flags.all('metrics').map((text) => parseAddress('metrics', text))[0],
  }
}

function parseAddress(name: FlagName, text: string): Endpoint {
  const endpoint = parseEndpoint(text)
  if (endpoint && isIP(endpoint.host) !== 0) return endpoint
  throw new StartupFault(`--${name} ${text}: not an address and port like 127.0.0.1:5388 or [::1]:5388`)
}

function parseSource(flags: GivenFlags): Source {
  const [catalog, tsig, store] = (['catalog', 'tsig', 'store'] as const).map(flags.one)
  const [primary, ...standbys] = flags.all('primary').map(parsePrimary)
  const directory = flags.one('zone-dir')
  if (directory !== undefined) {
    const isBoth = [primary, catalog, tsig, store].some((value) => value !== undefined)
    if (isBoth) throw new StartupFault('--zone-dir cannot be combined with the flags of a secondary: see --help')
    return { kind: 'files', directory }
  }
  if (primary === undefined || catalog === undefined || tsig === undefined || store === undefined) {
    throw new StartupFault(
      'no zones to serve: use --zone-dir DIR, or all of --primary HOST:PORT --catalog NAME --tsig FILE --store DIR',
    )
  }
  return {
    kind: 'secondary',
    primaries: [primary, ...standbys],
    catalog: parseCatalogName(catalog),
    keys: readTsigFile(tsig),
    storeDirectory: store,
  }
}

function parsePrimary(text: string): Endpoint {
  const endpoint = parseEndpoint(text)
  if (endpoint && endpoint.port !== 0) return endpoint
  throw new StartupFault(`--primary ${text}: not a host and port like 127.0.0.1:5300`)
}

function parseCatalogName(text: string): DomainName {
  try {
    return parseName(text.endsWith('.') ? text : `${text}.`)
  } catch (error) {
    if (error instanceof DnsFault) throw new StartupFault(`--catalog ${text}: ${error.message}`)
    throw error
  }
}

function parseDoor(text = 'auto'): DoorChoice {
  const door = doors.find((name) => name === text)
  if (door) return door
  throw new StartupFault(`--door ${text}: not one of ${doors.join(', ')}`)
}

function parseRateLimits(flags: GivenFlags): RateLimits | undefined {
  const answersPerSecond =
    flags.one('rrl') === 'off'
      ? 0
      : (parseNumber(flags, 'rrl', 1, 1_000_000, ' or off') ?? usualRateLimits.answersPerSecond)
  const limits: RateLimits = {
    answersPerSecond,
    answersPerPrefix: parseNumber(flags, 'rrl-total', 1, 1_000_000) ?? usualAnswersPerPrefix(answersPerSecond),
    slip: parseNumber(flags, 'rrl-slip', 0, 100) ?? usualRateLimits.slip,
    ipv4PrefixBits: parseNumber(flags, 'rrl-ipv4-prefix', 1, 32) ?? usualRateLimits.ipv4PrefixBits,
    ipv6PrefixBits: parseNumber(flags, 'rrl-ipv6-prefix', 1, 64) ?? usualRateLimits.ipv6PrefixBits,
    allow: flags.all('rrl-allow').map(parseAllowed),
  }
  return answersPerSecond === 0 ? undefined : limits
}

function parseAllowed(text: string): AddressPrefix {
  const prefix = parseAddressPrefix(text)
  if (prefix) return prefix
  throw new StartupFault(`--rrl-allow ${text}: not a prefix like 192.0.2.0/24 or 2001:db8::/32`)
}

function parseNsid(text: string | undefined): string | undefined {
  const bytes = text === undefined ? 1 : Buffer.byteLength(text)
  if (bytes >= 1 && bytes <= maxNsidBytes) return text
  throw new StartupFault(`--nsid has ${bytes} bytes: not between 1 and ${maxNsidBytes}`)
}

function parseNumber(flags: GivenFlags, name: FlagName, least: number, most: number, or = ''): number | undefined {
  const text = flags.one(name)
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (number >= least && number <= most) return number
  throw new StartupFault(`--${name} ${text}: not a number from ${least} to ${most}${or}`)
}
