import { Counter, Gauge, Histogram, type Registry } from '#platform/figures/metrics.ts'

/** What an operator watches of publication. */
export interface Figures {
  readonly notifiesSent: Counter<'nameserver'>
  readonly notifiesAcknowledged: Counter<'nameserver'>
  /** From a change's announcement until the nameserver was seen to serve it. */
  readonly replicationSeconds: Histogram<'nameserver'>
  /** How long ago the oldest change was announced that the nameserver does not serve yet. */
  readonly lagSeconds: Gauge<'nameserver'>
  /** Zones announced to the nameserver, or about to be. */
  readonly announcing: Gauge<'nameserver'>
  /** Zones of which the nameserver has not reached a serial for two minutes. */
  readonly zonesNotFollowed: Gauge<'nameserver'>
  /** Live zones that still name former nameservers, as the leader knows it. */
  readonly zonesToMove: Gauge
}

export function createFigures(registry: Registry): Figures {
  const registers = [registry]
  const labelNames = ['nameserver'] as const
  return {
    notifiesSent: new Counter({
      name: 'zonewright_notify_sent_total',
      help: 'DNS NOTIFY messages sent.',
      labelNames,
      registers,
    }),
    notifiesAcknowledged: new Counter({
      name: 'zonewright_notify_acknowledged_total',
      help: 'DNS NOTIFY messages that the nameserver answered NOERROR.',
      labelNames,
      registers,
    }),
    replicationSeconds: new Histogram({
      name: 'zonewright_replication_seconds',
      help: 'Time from the announcement of a change until the nameserver serves it.',
      labelNames,
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 30],
      registers,
    }),
    lagSeconds: new Gauge({
      name: 'zonewright_nameserver_lag_seconds',
      help: 'Age of the oldest announced change that the nameserver does not serve yet.',
      labelNames,
      registers,
    }),
    announcing: new Gauge({
      name: 'zonewright_zones_announcing',
      help: 'Zones being announced to the nameserver.',
      labelNames,
      registers,
    }),
    zonesNotFollowed: new Gauge({
      name: 'zonewright_zones_not_followed',
      help: 'Zones that the nameserver has stopped following: it has been behind their serials for two minutes.',
      labelNames,
      registers,
    }),
    zonesToMove: new Gauge({
      name: 'zonewright_zones_to_move',
      help: 'Zones that still name former nameservers.',
      registers,
    }),
  }
}
