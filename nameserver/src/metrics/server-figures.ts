import type { SignedFigures } from '../tables/signed-zones.ts'
import type { Family, Sample } from './exposition.ts'
import type { TransferTally } from './transfer-tally.ts'

/** Sources of the metrics that are not counted per query; read at each scrape. */
export interface ServerFigures {
  /** When the process started, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** Zones that are served, without the catalog. */
  zones(): number
  records(): number
  /** Signed zones at a time in seconds since 1970. */
  signed(nowS: number): SignedFigures
  /** Lines of the log that could not be written. */
  droppedLines(): number
  /** Bytes of memory, by contents. */
  tableBytes(): Readonly<Record<string, number>>
  readonly tcp: TcpFigures
  /** Absent with `--zone-dir`. */
  readonly following?: FollowingFigures
}

export interface TcpFigures {
  readonly open: number
  readonly accepted: number
  /** Closed connections, by reason. */
  readonly closed: Readonly<Record<string, number>>
}

/** Metrics of a secondary. */
export interface FollowingFigures {
  /** Zones that are known to be older here than at the primary. */
  zonesBehind(): number
  /** How long the zone that is behind longest has been behind; 0 if none is. */
  lagMs(): number
  readonly transfers: TransferTally
}

/** The families of these metrics with their current values. */
export function serverFamilies(figures: ServerFigures, nowMs = Date.now()): Family[] {
  const { tcp, following } = figures
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return [
    gauge('zones', 'Zones that the nameserver serves, without the catalog.', figures.zones()),
    gauge('records', 'Records in all zones, including the catalog.', figures.records()),
    {
      name: 'zonewright_nameserver_table_bytes',
      type: 'gauge',
      help: 'Memory that the zone tables use, by type of content.',
      samples: byLabel('part', figures.tableBytes()),
    },
    ...signedFamilies(figures.signed(Math.floor(nowMs / 1000))),
    ...(following ? followingFamilies(following) : []),
    gauge('tcp_connections', 'Open TCP connections.', tcp.open),
    counter('tcp_connections_accepted_total', 'TCP connections accepted.', [{ value: tcp.accepted }]),
    counter('tcp_connections_closed_total', 'TCP connections closed, by reason.', byLabel('reason', tcp.closed)),
    counter('log_lines_dropped_total', 'Lines of the log that could not be written.', [
      { value: figures.droppedLines() },
    ]),
    gauge('uptime_seconds', 'Time since the nameserver started.', (nowMs - figures.startedAtMs) / 1000),
    gauge('resident_memory_bytes', 'Resident memory of the process, including the shared tables.', rss),
    gauge('heap_used_bytes', 'JavaScript heap that the main thread uses.', heapUsed),
    gauge('external_bytes', 'Memory that JavaScript objects of the main thread hold outside the heap.', external),
    counter('cpu_seconds_total', 'Processor time of all threads, by mode.', [
      { labels: { mode: 'user' }, value: user / 1e6 },
      { labels: { mode: 'system' }, value: system / 1e6 },
    ]),
  ]
}

function signedFamilies({ zones, signatures, earliestExpiryS, expiredZones }: SignedFigures): Family[] {
  return [
    {
      name: 'zonewright_nameserver_signed_zones',
      type: 'gauge',
      help: 'Zones with DNSSEC signatures, by how they prove that a name does not exist.',
      samples: byLabel('denial', zones),
    },
    gauge('signatures', 'DNSSEC signatures in all zones.', signatures),
    {
      name: 'zonewright_nameserver_signature_expiry_timestamp_seconds',
      type: 'gauge',
      help: 'Time at which the first signature of all zones expires. Absent if there is none.',
      samples: earliestExpiryS === undefined ? [] : [{ value: earliestExpiryS }],
    },
    gauge(
      'signed_zones_expired',
      'Zones with an expired signature. They are served, but resolvers that validate reject some of their answers.',
      expiredZones,
    ),
  ]
}

function followingFamilies(following: FollowingFigures): Family[] {
  return [
    gauge(
      'zones_behind',
      'Zones of which the nameserver knows that the primary has a newer version.',
      following.zonesBehind(),
    ),
    gauge(
      'transfer_lag_seconds',
      'Longest time that a zone has been behind; 0 if no zone is behind.',
      following.lagMs() / 1000,
    ),
    counter(
      'transfers_total',
      'Completed transfers and serial checks, by kind and outcome.',
      following.transfers.samples(),
    ),
  ]
}

function gauge(name: string, help: string, value: number): Family {
  return { name: `zonewright_nameserver_${name}`, type: 'gauge', help, samples: [{ value }] }
}

function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return { name: `zonewright_nameserver_${name}`, type: 'counter', help, samples }
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}
