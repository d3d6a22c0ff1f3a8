import type { Metrics } from '#platform/figures/metrics.ts'

/** Metrics of transfers. */
export type PrimaryFigures = ReturnType<typeof createPrimaryFigures>

export function createPrimaryFigures(metrics: Metrics) {
  return {
    /** Queries answered by the primary, by response: soa, ixfr, axfr, ixfr_as_axfr, refused, failed. */
    transfers: metrics.counter({
      name: 'zonewright_transfers_total',
      help: 'Queries from nameservers to this primary, by the kind of response.',
      labelNames: ['kind'],
    }),
    fallbackQueries: metrics.counter({
      name: 'zonewright_tsig_fallback_queries_total',
      help: 'Queries from nameservers to this primary that TSIG_KEY_FALLBACK signed.',
    }),
  }
}
