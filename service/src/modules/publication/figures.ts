import type { Metrics } from '#platform/figures/metrics.ts'

/** Metrics of publication. */
export type Figures = ReturnType<typeof createFigures>

export function createFigures(metrics: Metrics) {
  const labelNames = ['nameserver'] as const
  return {
    notifiesSent: metrics.counter({
      name: 'zonewright_notify_sent_total',
      help: 'NOTIFY messages that were sent to the nameserver.',
      labelNames,
    }),
    notifiesAcknowledged: metrics.counter({
      name: 'zonewright_notify_acknowledged_total',
      help: 'NOTIFY messages that the nameserver answered with NOERROR.',
      labelNames,
    }),
    /** From a change's announcement until the nameserver was seen to serve it. */
    replicationSeconds: metrics.histogram({
      name: 'zonewright_replication_seconds',
      help: 'Time from the announcement of a change until the nameserver serves it.',
      labelNames,
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 30],
    }),
    /** How long ago the oldest change was announced that the nameserver does not serve yet. */
    lagSeconds: metrics.gauge({
      name: 'zonewright_nameserver_lag_seconds',
      help: 'Age of the oldest announced change that the nameserver does not serve yet.',
      labelNames,
    }),
    /** Zones announced to the nameserver, or about to be. */
    announcing: metrics.gauge({
      name: 'zonewright_zones_announcing',
      help: 'Zones that are being announced to the nameserver.',
      labelNames,
    }),
    /** Zones of which the nameserver has not reached a serial for two minutes. */
    zonesNotFollowed: metrics.gauge({
      name: 'zonewright_zones_not_followed',
      help: 'Zones that the nameserver no longer follows, because it has been behind their serials for two minutes.',
      labelNames,
    }),
    /** Live zones that still name former nameservers, as the leader knows it. */
    zonesToMove: metrics.gauge({
      name: 'zonewright_zones_to_move',
      help: 'Zones whose records still name former nameservers.',
    }),
  }
}
