import { zoneIdOf } from './zone-id.ts'

/** A zone as this door shows it. */
export interface ShownZone {
  /** Without the final dot. */
  readonly name: string
  readonly serial: number
  /** As a client sent them. */
  readonly kind: string
  readonly account: string
}

/** The path of the only server. */
export const serverPath = '/api/v1/servers/localhost'

/** What `GET /api/v1/servers/localhost` returns. Clients read the version to find out what the server can do. */
export const serverJson = {
  type: 'Server',
  id: 'localhost',
  daemon_type: 'authoritative',
  version: '4.9.0',
  url: serverPath,
  config_url: `${serverPath}/config{/config_setting}`,
  zones_url: `${serverPath}/zones{/zone}`,
} as const

/** A zone in a list: the members of PowerDNS, in its order. */
export function listedZoneJson(zone: ShownZone) {
  const id = zoneIdOf(zone.name)
  const serial = zone.serial % 2 ** 32
  return {
    account: zone.account,
    catalog: '',
    dnssec: false,
    edited_serial: serial,
    id,
    kind: zone.kind,
    last_check: 0,
    masters: [],
    name: `${zone.name}.`,
    notified_serial: serial,
    serial,
    url: `${serverPath}/zones/${id}`,
  }
}

/** One zone: with members that are not in lists, and with its record sets, unless they were not requested. */
export function zoneJson(zone: ShownZone, rrsets: readonly RrsetJson[] | undefined) {
  const { id, kind, last_check, masters, name, notified_serial, serial, url, ...first } = listedZoneJson(zone)
  const { account, ...more } = first
  return {
    account,
    api_rectify: false,
    ...more,
    id,
    kind,
    last_check,
    master_tsig_key_ids: [],
    masters,
    name,
    notified_serial,
    nsec3narrow: false,
    nsec3param: '',
    ...(rrsets && { rrsets }),
    serial,
    slave_tsig_key_ids: [],
    soa_edit: '',
    soa_edit_api: 'DEFAULT',
    url,
  }
}

/** The entry in a list for a caller without permission to read the zone. */
export function namedZoneJson(name: string) {
  return { id: zoneIdOf(name), name: `${name}.`, serial: 0 }
}

type RrsetJson = ReturnType<typeof rrsetJson>

/** A record set. acme.sh finds the values of a name by the order of these members. */
export function rrsetJson({ name, ttl, records, type }: ShownRrset) {
  return {
    comments: [],
    name: `${name}.`,
    records: records.map((content) => ({ content, disabled: false })),
    ttl,
    type,
  }
}

/** A record set of the zone's records. The name has no final dot. */
export interface ShownRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
}
