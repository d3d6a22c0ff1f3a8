import { queryOptions } from '@tanstack/react-query'
import type { DeliveryFilters } from '../util/delivery-words.ts'
import { call } from './client.ts'
import { wholeList } from './pages.ts'
import { keys, pagedList } from './queries.ts'

/** The queries of the pages of webhooks. The first pages that people load do not have them. */
export const webhookQueries = {
  webhooks: () => wholeList('listWebhooks', [...keys.webhooks, 'list'], {}),
  webhook: (id: string) =>
    queryOptions({
      queryKey: [...keys.webhook(id), 'itself'],
      queryFn: ({ signal }) => call('getWebhook', { params: { id }, signal }),
    }),
  deliveries: (id: string, filters: DeliveryFilters) =>
    pagedList('listDeliveries', [...keys.webhook(id), 'deliveries', filters], { params: { id }, query: filters }),
  attemptCounts: (id: string, points: number) =>
    queryOptions({
      queryKey: [...keys.webhook(id), 'statistics', points],
      queryFn: ({ signal }) => call('countAttempts', { params: { id }, query: { step: 'hour', points }, signal }),
    }),
  sourceAddresses: () =>
    queryOptions({
      queryKey: ['source-addresses'],
      queryFn: ({ signal }) => call('listSourceAddresses', { signal }),
      staleTime: 600_000,
    }),
  delivery: (id: string, delivery: string) =>
    queryOptions({
      queryKey: [...keys.webhook(id), 'delivery', delivery],
      queryFn: ({ signal }) => call('getDelivery', { params: { id, delivery }, signal }),
    }),
  eventTypes: () =>
    queryOptions({
      queryKey: ['event-types'],
      queryFn: ({ signal }) => call('listEventTypes', { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
}
