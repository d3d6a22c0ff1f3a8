import type { Wake } from '#platform/wake.ts'
import type { Payments } from '#ports/payments.ts'
import { OrderWorker } from './order-worker.ts'
import { paymentWorker } from './payment-worker.ts'
import { takeNews } from './registry-news.ts'
import type { OrderWork } from './work-order.ts'

/** Starts working on orders and payments in this process, driven by wake-ups and, once a second, by itself. */
export function startOrders({
  wake,
  payments,
  ...work
}: OrderWork & { readonly wake: Wake; readonly payments: Payments }): { stop(): Promise<void> } {
  const orders = new OrderWorker(work)
  const paying = paymentWorker({ database: work.database, payments, log: work.log })
  wake.on('orders_due', () => orders.wake())
  wake.on('payments_due', () => paying.wake())
  const listeners = work.registries.all.map((registry) =>
    registry.messages.listen((message) => takeNews(work, registry, message)),
  )
  orders.start()
  paying.start()
  return {
    stop: async () => {
      await Promise.all([orders.stop(), paying.stop(), ...listeners.map((listener) => listener.close())])
    },
  }
}
