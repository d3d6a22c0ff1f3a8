import type { Metrics } from '#platform/figures/metrics.ts'

/** Metrics of the DNS door. */
export type DoorFigures = ReturnType<typeof createDoorFigures>

/** `endsAt`: when the certificate that is in use expires; undefined: there is none. */
export function showCertificateEnd(metrics: Metrics, endsAt: () => Date | undefined): void {
  metrics.gauge({
    name: 'zonewright_door_certificate_expiry_seconds',
    help: 'Time until the certificate expires that the DNS door uses for DNS over TLS. NaN: it has no TLS.',
    collect() {
      this.set(((endsAt()?.getTime() ?? Number.NaN) - Date.now()) / 1_000)
    },
  })
}

export function createDoorFigures(metrics: Metrics) {
  return {
    messages: metrics.counter({
      name: 'zonewright_door_messages_total',
      help: 'Messages that the DNS door answered: unsigned queries, signed queries, updates, and those whose signature is wrong, by the response code.',
      labelNames: ['kind', 'rcode'],
    }),
    dropped: metrics.counter({
      name: 'zonewright_door_dropped_total',
      help: 'Unsigned messages that the DNS door dropped or refused because of its limits.',
    }),
    transfers: metrics.counter({
      name: 'zonewright_door_transfers_total',
      help: 'Zone transfers by the DNS door, by the kind of response.',
      labelNames: ['kind'],
    }),
    repeats: metrics.counter({
      name: 'zonewright_door_repeated_updates_total',
      help: 'Signed updates that arrived again. The DNS door sent the same answer again.',
    }),
  }
}
