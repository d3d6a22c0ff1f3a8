import type { Permission, TsigClient, WireApiKey, WireKeyLimit, WireScopeEntry, WireZone } from '@zonewright/contract'
import { type ClientUse, type Config, type ConfigPart, clientConfigs } from './client-configs.ts'
import { type TypedLimit, wordsOf } from './key-limits.ts'

const groups = ['Certificates', 'Dynamic DNS', 'Records', 'Virtual machines and DHCP', 'Secondary nameservers'] as const

/** A program or device that works with the service, by one of the protocols that it knows. */
export interface Client {
  /** In the URL of the page. Also the name of its page in docs/customers, and of its configurations there. */
  readonly id: string
  readonly name: string
  readonly group: (typeof groups)[number]
  /** What its key needs, and no more. */
  readonly permissions: readonly Permission[]
  /** The limit of its key in the zone; none: the client manages the whole zone. */
  readonly limit?: (host: string, zone: string) => TypedLimit
  /** It reads the whole zone, which a key with limits cannot. */
  readonly needsWholeZone?: boolean
  /** A usual host, if the configuration is about one host or one name in a certificate. */
  readonly host?: string
  /** It reads an account file of acme-dns. */
  readonly hasAccountFile?: boolean
  /** The name of its configuration at the service, if the client signs with a TSIG secret. All others have theirs in `clientConfigs`. */
  readonly tsig?: TsigClient
}

const certificates = { group: 'Certificates', permissions: ['acme:dns01'] } as const
const oneCertificate = {
  ...certificates,
  host: 'www',
  limit: (host: string): TypedLimit => ({
    names: host === '@' ? '_acme-challenge' : `_acme-challenge.${host}`,
    types: 'TXT',
  }),
} as const
const dynamicDns = {
  group: 'Dynamic DNS',
  permissions: ['records:write'],
  host: 'home',
  limit: (host: string): TypedLimit => ({ names: host, types: 'A, AAAA' }),
} as const
const records = { group: 'Records', permissions: ['records:read', 'records:write'] } as const
const secondary = { group: 'Secondary nameservers', permissions: ['records:read'], needsWholeZone: true } as const

/** All clients, in the order of the list. */
const clients: readonly Client[] = [
  { id: 'certbot', name: 'certbot', ...certificates, tsig: 'certbot' },
  { id: 'lego', name: 'lego (httpreq)', ...oneCertificate },
  { id: 'lego-pdns', name: 'lego (PowerDNS)', ...certificates },
  { id: 'lego-rfc2136', name: 'lego (DNS updates)', ...certificates, tsig: 'lego' },
  { id: 'traefik', name: 'Traefik', ...oneCertificate },
  { id: 'caddy', name: 'Caddy', ...oneCertificate },
  { id: 'cert-manager', name: 'cert-manager (acme-dns)', ...oneCertificate, hasAccountFile: true },
  { id: 'cert-manager-rfc2136', name: 'cert-manager (DNS updates)', ...certificates, tsig: 'cert-manager' },
  { id: 'acme-sh', name: 'acme.sh (acme-dns)', ...oneCertificate },
  { id: 'acme-sh-pdns', name: 'acme.sh (PowerDNS)', ...certificates },
  { id: 'opnsense', name: 'OPNsense (certificates)', ...certificates },
  { id: 'acme-dns', name: 'Another client of acme-dns', ...oneCertificate, hasAccountFile: true },
  { id: 'fritzbox', name: 'FRITZ!Box', ...dynamicDns },
  { id: 'unifi', name: 'UniFi', ...dynamicDns },
  { id: 'openwrt', name: 'OpenWrt', ...dynamicDns },
  { id: 'opnsense-dynamic-dns', name: 'OPNsense (dynamic DNS)', ...dynamicDns },
  { id: 'ddclient', name: 'ddclient', ...dynamicDns },
  { id: 'inadyn', name: 'inadyn', ...dynamicDns },
  { id: 'dynamic-dns', name: 'Another router', ...dynamicDns },
  { id: 'external-dns', name: 'external-dns (PowerDNS)', ...records },
  // It transfers the zone to read it.
  {
    id: 'external-dns-rfc2136',
    name: 'external-dns (DNS updates)',
    ...records,
    needsWholeZone: true,
    tsig: 'external-dns',
  },
  { id: 'terraform', name: 'Terraform, OpenTofu (PowerDNS)', ...records },
  { id: 'terraform-rfc2136', name: 'Terraform, OpenTofu (DNS updates)', ...records, tsig: 'terraform' },
  { id: 'octodns', name: 'octoDNS', ...records },
  { id: 'dnscontrol', name: 'dnscontrol', ...records },
  { id: 'nsupdate', name: 'nsupdate', group: 'Records', permissions: ['records:write'], tsig: 'nsupdate' },
  { id: 'proxmox', name: 'Proxmox VE', ...records, group: 'Virtual machines and DHCP' },
  {
    id: 'kea',
    name: 'Kea DHCP',
    ...records,
    group: 'Virtual machines and DHCP',
    limit: (_, zone) => ({ names: '*', types: /\.arpa$/.test(zone) ? 'PTR, DHCID' : 'A, AAAA, DHCID' }),
    tsig: 'kea',
  },
  { id: 'bind', name: 'BIND', ...secondary, tsig: 'bind' },
  { id: 'knot', name: 'Knot DNS', ...secondary, tsig: 'knot' },
  { id: 'nsd', name: 'NSD', ...secondary, tsig: 'nsd' },
  { id: 'powerdns-secondary', name: 'PowerDNS', ...secondary, tsig: 'powerdns' },
]

export function clientWith(id: string | undefined): Client | undefined {
  return clients.find((client) => client.id === id)
}

/** All clients, by group. */
export function clientGroups(): { readonly group: string; readonly clients: Client[] }[] {
  return groups.map((group) => ({ group, clients: clients.filter((client) => client.group === group) }))
}

/** The configuration of a client that uses an API key. Clients that sign with a TSIG secret have theirs at the service. */
export function configParts({ id }: Client, use: ClientUse): readonly ConfigPart[] {
  const configs: Readonly<Record<string, Config>> = clientConfigs
  return configs[id]?.(use) ?? []
}

/** The maximum length of a key's name, in characters. */
const longestName = 100

type Zone = Pick<WireZone, 'id' | 'name' | 'role'>

/** A key to be created for a client. */
export interface KeyWish {
  /** Different from the names of all other live keys. */
  readonly name: string
  readonly zone: { readonly id: string; readonly name: string }
  readonly permissions: readonly Permission[]
  readonly limit: TypedLimit | undefined
}

/** The key that a client needs, and nothing more. `host` is relative to the zone. `others`: the account's keys. */
export function wishedKey(
  client: Client,
  { id, name }: Pick<Zone, 'id' | 'name'>,
  host: string,
  others: readonly { readonly name: string }[] = [],
): KeyWish {
  const about = client.host === undefined || host === '@' ? name : `${host}.${name}`
  return {
    name: freeName(`${client.id}-${about}`, new Set(others.map(({ name }) => name))),
    zone: { id, name },
    permissions: client.permissions,
    limit: client.limit?.(host, name),
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const own = name.slice(0, longestName)
  for (let i = 2, free = own; ; i++) {
    if (!taken.has(free)) return free
    free = `${own.slice(0, longestName - `-${i}`.length)}-${i}`
  }
}

/** The members of a key that the decision needs. */
interface ApiKey {
  readonly zones: 'all' | readonly WireScopeEntry[]
  readonly permissions: readonly Permission[]
  readonly limits: readonly WireKeyLimit[] | null
  readonly state: WireApiKey['state']
}

/** Whether a client can use a key for a zone. */
export function canUse(client: Client, key: ApiKey, zone: Zone, host: string): boolean {
  return (
    key.state === 'live' && covers(key, zone) && holds(key, client.permissions) && isWithin(client, key, zone, host)
  )
}

/** A key for all zones covers only those of its own account. */
function covers({ zones }: ApiKey, { id, role }: Zone): boolean {
  return zones === 'all' ? role === 'owner' : zones.some((entry) => entry.kind === 'zone' && entry.id === id)
}

/** A key that can write all records can also write challenges. */
function holds({ permissions }: ApiKey, needed: readonly Permission[]): boolean {
  return needed.every(
    (permission) =>
      permissions.includes(permission) || (permission === 'acme:dns01' && permissions.includes('records:write')),
  )
}

function isWithin(client: Client, { limits }: ApiKey, zone: Zone, host: string): boolean {
  if (limits === null) return true
  if (client.needsWholeZone) return false
  if (client.limit !== undefined) return coversLimit(limits, zone.name, client.limit(host, zone.name))
  const own = limits.filter((limit) => limit.zone === zone.name)
  return client.group === 'Certificates' ? own.some(({ types }) => types.includes('TXT')) : own.length > 0
}

/** Whether the limits of a key allow all that another limit allows. */
function coversLimit(limits: readonly WireKeyLimit[], zone: string, { names, types }: TypedLimit): boolean {
  const own = limits.filter((limit) => limit.zone === zone)
  return wordsOf(names).every((name) =>
    wordsOf(types).every((type) =>
      own.some((limit) => limit.types.includes(type) && limit.names.some((pattern) => coversName(pattern, name))),
    ),
  )
}

function coversName(pattern: string, name: string): boolean {
  if (pattern === '*') return name !== '@'
  return pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)))
}
