import { queryOptions } from '@tanstack/react-query'
import type { TsigClient } from '@zonewright/contract'
import { call } from './client.ts'
import { keys } from './queries.ts'

/** The queries of the pages that connect clients and services. The first pages that people load do not have them. */
export const clientQueries = {
  /** Whether a Domain Connect link is genuine, and who asks. */
  connectRequest: (request: string) =>
    queryOptions({
      queryKey: ['connect-request', request],
      queryFn: ({ signal }) => call('readConnectRequest', { body: { request }, signal }),
      // Its token is for one visit of the page.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** The configuration of a client that signs with the TSIG secret of a key, without the secret. */
  tsigConfig: (id: string, client: TsigClient, zone: string) =>
    queryOptions({
      queryKey: [...keys.apiKeys, id, 'tsig-config', client, zone],
      queryFn: ({ signal }) => call('getTsigConfig', { params: { id }, query: { for: client, zone }, signal }),
    }),
  /** The account file of a key for clients of acme-dns, without the secret. The call changes nothing. */
  acmeDnsAccount: (id: string, zone: string, label: string) =>
    queryOptions({
      queryKey: [...keys.apiKeys, id, 'acme-dns', zone, label],
      queryFn: ({ signal }) => call('acmeDnsAccount', { params: { id }, body: { zone, label }, signal }),
    }),
}
