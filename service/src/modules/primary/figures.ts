import { Counter, type Registry } from '#platform/figures/metrics.ts'

/** What an operator watches of transfers. */
export interface PrimaryFigures {
  /** Queries answered by the primary, by what they got: soa, ixfr, axfr, ixfr_as_axfr, refused, failed. */
  readonly transfers: Counter<'kind'>
}

export function createPrimaryFigures(registry: Registry): PrimaryFigures {
  return {
    transfers: new Counter({
      name: 'zonewright_transfers_total',
      help: 'Queries from secondaries, by response.',
      labelNames: ['kind'],
      registers: [registry],
    }),
  }
}
