import { paymentWorker } from '#modules/payments/index.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Wake } from '#platform/postgres/index.ts'
import type { RegistryListener } from '#ports/registry.ts'
import type { OrderWork } from './advance-order.ts'
import type { OrderPaymentWork } from './charge-card.ts'
import { OrderQueue } from './order-queue.ts'
import { takeNews } from './registry-news.ts'
import { workPayment } from './settle-payment.ts'

/** Starts the work on orders and payments in this process. It runs on wake-ups and once a second. */
export function startOrders({
  metrics,
  wake,
  payments,
  ...work
}: OrderWork & Pick<OrderPaymentWork, 'payments' | 'site'> & { readonly metrics: Metrics; readonly wake: Wake }): {
  /** Whether orders are in progress. */
  isBusy(): boolean
  stop(): Promise<void>
} {
  const orders = new OrderQueue(work)
  const { database, log, secrets, site } = work
  const paying = paymentWorker({ database, log }, (payment) =>
    workPayment({ database, payments, log, secrets, site }, payment),
  )
  wake.on('orders_due', () => orders.wake())
  wake.on('payments_due', () => paying.wake())
  const listeners = new Map(
    work.registries.all.map((registry) => [
      registry.id,
      registry.messages.listen((message) => takeNews(work, registry, message)),
    ]),
  )
  showRegistries(metrics, listeners)
  orders.start()
  paying.start()
  return {
    isBusy: () => orders.isBusy,
    stop: async () => {
      await Promise.all([orders.stop(), paying.stop(), ...[...listeners.values()].map((listener) => listener.close())])
    },
  }
}

/** The `/metrics` of a worker about registries, by their ids. */
function showRegistries(metrics: Metrics, listeners: ReadonlyMap<string, RegistryListener>): void {
  metrics.gauge({
    name: 'zonewright_registry_away_seconds',
    help: 'Time since the registry last answered this worker or accepted its login. 0 while the registry is reachable.',
    labelNames: ['registry'],
    collect() {
      for (const [registry, listener] of listeners) this.set({ registry }, listener.awayForS())
    },
  })
}
