import { parseArgs } from 'node:util'
import { usualRateLimits } from './rate-limit/rate-limiter.ts'
import { reasonOf, StartupFault } from './startup-fault.ts'

interface Flag {
  /** The placeholder of its value in the help; a flag without one is a switch. */
  readonly value?: string
  /** The default. */
  readonly usual?: string
  readonly isRepeatable?: true
  readonly help: string
}

/** The whole command line of the nameserver, in the order of the help. */
export const flags = {
  listen: {
    value: 'ADDRESS:PORT',
    isRepeatable: true,
    help: 'listen on this address, UDP and TCP; 0.0.0.0 or [::] means every address of the machine, and port 0 a free port',
  },
  'zone-dir': { value: 'DIR', help: 'serve every file NAME.zone in DIR, read once at startup' },
  primary: {
    value: 'HOST:PORT',
    isRepeatable: true,
    help: 'follow this primary instead of --zone-dir; if it is unavailable, the next one is used',
  },
  catalog: { value: 'NAME', help: 'the catalog zone that lists the zones (RFC 9432)' },
  tsig: {
    value: 'FILE',
    help: 'the TSIG key of the primary: one line hmac-sha256:NAME:BASE64SECRET. While the key is being replaced, a second line has the other key',
  },
  store: { value: 'DIR', help: 'where the zones are stored across restarts' },
  door: {
    value: 'fast|portable|auto',
    usual: 'auto',
    help: 'how UDP is served: fast (worker threads with recvmmsg), portable (dgram), or auto (fast if it works)',
  },
  threads: { value: 'N', usual: 'one per processor', help: 'worker threads for --door fast' },
  rrl: {
    value: 'off|RATE',
    usual: String(usualRateLimits.answersPerSecond),
    help: 'response rate limit: answers per second of one kind, about one zone, to one client prefix',
  },
  'rrl-total': {
    value: 'RATE',
    usual: 'a tenth more than --rrl',
    help: 'answers per second of all kinds, about all zones, to one client prefix',
  },
  'rrl-slip': {
    value: 'N',
    usual: String(usualRateLimits.slip),
    help: 'send one limited answer in N truncated and drop the others; 0 to drop all',
  },
  'rrl-ipv4-prefix': {
    value: 'BITS',
    usual: String(usualRateLimits.ipv4PrefixBits),
    help: 'length of an IPv4 client prefix',
  },
  'rrl-ipv6-prefix': {
    value: 'BITS',
    usual: String(usualRateLimits.ipv6PrefixBits),
    help: 'length of an IPv6 client prefix',
  },
  'rrl-allow': { value: 'PREFIX', isRepeatable: true, help: 'never limit these clients, such as 192.0.2.0/24' },
  'cookie-secret': {
    value: 'FILE',
    usual: 'a random one each day',
    help: 'secrets of DNS cookies, shared by nameservers behind one address: one or two lines of 32 hex digits',
  },
  nsid: { value: 'TEXT', help: 'the name of this nameserver, for clients that request it (RFC 5001)' },
  metrics: { value: 'ADDRESS:PORT', help: 'serve /metrics for Prometheus and /healthz over HTTP' },
  help: { help: 'print this help' },
} as const satisfies Record<string, Flag>

export type FlagName = keyof typeof flags

/** The given flags, as texts. */
export interface GivenFlags {
  has(name: FlagName): boolean
  /** The value of a flag that is given at most once. */
  one(name: FlagName): string | undefined
  all(name: FlagName): readonly string[]
}

/** @throws StartupFault with one line, for a flag that is unknown, lacks its value or is given twice. */
export function readFlags(args: readonly string[]): GivenFlags {
  const given = new Map(Object.entries(parse(args)))
  for (const [name, flag] of list) {
    if (!flag.isRepeatable && (given.get(name)?.length ?? 0) > 1) throw new StartupFault(`--${name} is given twice`)
  }
  const all = (name: FlagName) => given.get(name)?.map(String) ?? []
  return { has: (name) => given.has(name), one: (name) => all(name)[0], all }
}

/** What `--help` prints. */
export function helpText(): string {
  const usage = 'usage: node nameserver/bin/nameserver.ts --listen ADDRESS:PORT (--zone-dir DIR | --primary …)\n'
  return usage + list.map(([name, flag]) => flagText(name, flag)).join('')
}

const list: readonly (readonly [string, Flag])[] = Object.entries(flags)

function parse(args: readonly string[]): Record<string, (string | boolean)[] | undefined> {
  const options = Object.fromEntries(
    list.map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean', multiple: true } as const]),
  )
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new StartupFault(reasonOf(error).split('\n')[0] ?? 'wrong flags')
  }
}

function flagText(name: string, { value, usual, isRepeatable, help }: Flag): string {
  const head = [`  --${name}`, ...(value ? [value] : []), ...(isRepeatable ? ['[repeatable]'] : [])].join(' ')
  return `${head}\n      ${help}${usual ? ` (default: ${usual})` : ''}\n`
}
