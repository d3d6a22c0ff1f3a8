import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OrderStatus } from '@zonewright/contract'
import { setTimeZone } from '../util/time.ts'
import { auth } from './auth.ts'
import { call, type Item, pageAsText, type Request } from './client.ts'
import { type ListId, wholeList } from './pages.ts'

const quoteFreshMs = 20 * 60_000
/** How often an incomplete search is repeated. */
const mostSearches = 10
/** How often the progress of a scan is read. */
const scanPauseMs = 1_000

/** Keys under which query results are cached; a prefix invalidates all keys below it. */
export const keys = {
  account: ['account'] as const,
  sessions: ['sessions'] as const,
  notifications: ['notifications'] as const,
  passkeys: ['passkeys'] as const,
  linkedProviders: ['linked-providers'] as const,
  notificationLink: ['notification-link'] as const,
  zones: ['zones'] as const,
  deletedZones: ['deleted-zones'] as const,
  invitations: ['invitations'] as const,
  zone: (zone: string) => ['zone', zone] as const,
  /** Not below `zone`, because nothing refreshes it. */
  writtenWarnings: (zone: string) => ['written-warnings', zone] as const,
  lastChange: (zone: string) => ['last-change', zone] as const,
  apiKeys: ['api-keys'] as const,
  webhooks: ['webhooks'] as const,
  webhook: (id: string) => ['webhooks', id] as const,
  orders: ['orders'] as const,
  order: (id: string) => ['orders', id] as const,
  domains: ['domains'] as const,
  domain: (name: string) => ['domain', name] as const,
  domainInvitations: ['domain-invitations'] as const,
  contacts: ['contacts'] as const,
  credit: ['credit'] as const,
  cards: ['cards'] as const,
  quotes: ['quote'] as const,
  signUpLink: ['sign-up-link'] as const,
  search: ['search'] as const,
}

const in_ = (zone: string, what: string, ...more: readonly unknown[]) => [...keys.zone(zone), what, ...more] as const

/** The queries of all pages. */
export const queries = {
  /** Refreshed whenever the person returns to the tab, because someone else may have signed in in another tab in the meantime. */
  account: () =>
    queryOptions({
      queryKey: keys.account,
      queryFn: async ({ signal }) => {
        const account = await call('getAccount', { signal })
        setTimeZone(account.time_zone)
        return account
      },
      refetchOnWindowFocus: 'always',
    }),
  /** The address to which a sign-up link was sent. */
  signUpLink: (token: string) =>
    queryOptions({ queryKey: [...keys.signUpLink, token], queryFn: () => auth.signUpLink(token) }),
  passkeys: () => wholeList('listPasskeys', keys.passkeys, {}),
  linkedProviders: () => wholeList('listLinkedProviders', keys.linkedProviders, {}),
  notifications: () =>
    queryOptions({ queryKey: keys.notifications, queryFn: ({ signal }) => call('getNotifications', { signal }) }),
  /** What the link that asks an address about notifications is for. */
  notificationLink: (token: string) =>
    queryOptions({
      queryKey: [...keys.notificationLink, token],
      queryFn: ({ signal }) => call('readNotificationLink', { body: { token }, signal }),
    }),
  sessions: () =>
    queryOptions({
      queryKey: keys.sessions,
      queryFn: async () => {
        const [sessions, current] = await Promise.all([auth.listSessions(), auth.currentSession()])
        return sessions.map((session) => ({ ...session, isCurrent: session.id === current }))
      },
    }),
  /** The results of a search. While the service has not read all records yet, the search is repeated. */
  search: (q: string) =>
    queryOptions({
      queryKey: [...keys.search, q],
      queryFn: ({ signal }) => call('search', { query: { q }, signal }),
      staleTime: 2_000,
      gcTime: 60_000,
      // The palette immediately shows what failed, and offers to try again.
      retry: false,
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        data?.complete === false && dataUpdateCount < mostSearches ? 1_000 : false,
    }),
  zones: () => wholeList('listZones', keys.zones, {}, 30_000),
  deletedZones: () => wholeList('listDeletedZones', keys.deletedZones, {}),
  invitations: () =>
    queryOptions({ queryKey: keys.invitations, queryFn: ({ signal }) => call('listInvitations', { signal }) }),
  zone: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'itself'),
      queryFn: ({ signal }) => call('getZone', { params: { zone }, signal }),
    }),
  rrsets: (zone: string) => wholeList('listRrsets', in_(zone, 'rrsets'), { params: { zone } }),
  versions: (zone: string) => pagedList('listVersions', in_(zone, 'versions'), { params: { zone } }),
  version: (zone: string, version: number) =>
    queryOptions({
      queryKey: in_(zone, 'version', version),
      queryFn: ({ signal }) => call('getVersion', { params: { zone, version }, signal }),
    }),
  versionDiff: (zone: string, version: number) =>
    queryOptions({
      queryKey: in_(zone, 'diff', version),
      queryFn: ({ signal }) => call('diffVersion', { params: { zone, version }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  presets: () => wholeList('listPresets', ['presets'], {}, Number.POSITIVE_INFINITY),
  checklist: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'checklist'),
      queryFn: ({ signal }) => call('getChecklist', { params: { zone }, signal }),
    }),
  delegation: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'delegation'),
      queryFn: ({ signal }) => call('getDelegation', { params: { zone }, signal }),
    }),
  scan: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'scan'),
      queryFn: ({ signal }) => call('getScan', { params: { zone }, signal }),
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'waiting' || data?.state === 'running' ? scanPauseMs : false,
    }),
  /** The service keeps the answer for a day. */
  registrar: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'registrar'),
      queryFn: ({ signal }) => call('getRegistrar', { params: { zone }, signal }),
      staleTime: 600_000,
      retry: false,
    }),
  propagation: (zone: string, query: { name?: string; type?: string; serial?: number }) =>
    queryOptions({
      queryKey: in_(zone, 'propagation', query),
      queryFn: ({ signal }) => call('getPropagation', { params: { zone }, query, signal }),
    }),
  secondaries: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'secondaries'),
      queryFn: ({ signal }) => call('getSecondaries', { params: { zone }, signal }),
    }),
  managers: (zone: string) =>
    queryOptions({
      queryKey: in_(zone, 'managers'),
      queryFn: ({ signal }) => call('listManagers', { params: { zone }, signal }),
    }),
  /** Whether a zone can be added. */
  zoneAvailability: (name: string) =>
    queryOptions({
      queryKey: ['zone-availability', name],
      queryFn: ({ signal }) => call('zoneAvailability', { query: { name }, signal }),
      staleTime: 5_000,
    }),
  availability: (name: string) =>
    queryOptions({
      queryKey: ['availability', name],
      queryFn: ({ signal }) => call('freeSubdomainAvailability', { query: { name }, signal }),
      staleTime: 5_000,
    }),
  apiKeys: () => wholeList('listKeys', keys.apiKeys, {}),
  tlds: () => wholeList('listTlds', ['tlds'], {}, 300_000),
  checkedNames: (names: readonly string[]) =>
    queryOptions({
      queryKey: ['checked-names', names],
      queryFn: ({ signal }) => call('checkDomains', { body: { names: [...names] }, signal }),
      staleTime: 60_000,
    }),
  /** A quote is a stored object and is valid for 30 minutes, so a new one is requested before that. */
  quote: (wish: Request<'createQuote'>['body']) =>
    queryOptions({
      queryKey: [...keys.quotes, wish],
      queryFn: ({ signal }) => call('createQuote', { body: wish, signal }),
      staleTime: quoteFreshMs,
      gcTime: 0,
      // Also on a page that stays open. A hidden page refreshes when it is shown again.
      refetchInterval: quoteFreshMs,
    }),
  domains: () => wholeList('listDomains', keys.domains, {}, 30_000),
  domain: (name: string) =>
    queryOptions({
      queryKey: [...keys.domain(name), 'itself'],
      queryFn: ({ signal }) => call('getDomain', { params: { name }, signal }),
    }),
  domainManagers: (name: string) =>
    queryOptions({
      queryKey: [...keys.domain(name), 'managers'],
      queryFn: ({ signal }) => call('listDomainManagers', { params: { name }, signal }),
    }),
  domainInvitations: () =>
    queryOptions({
      queryKey: keys.domainInvitations,
      queryFn: ({ signal }) => call('listDomainInvitations', { signal }),
    }),
  contacts: () => wholeList('listContacts', keys.contacts, {}),
  orders: (query: { status?: string | undefined; name?: string | undefined }) =>
    pagedList('listOrders', [...keys.orders, 'list', query], {
      query: {
        ...(isOrderStatus(query.status) && { status: query.status }),
        ...(query.name !== undefined && { name: query.name }),
      },
    }),
  order: (id: string) =>
    queryOptions({
      queryKey: [...keys.order(id), 'itself'],
      queryFn: ({ signal }) => call('getOrder', { params: { id }, signal }),
    }),
  /** Each link has its own cache entry, so that an expired link is never shown for the next one. */
  payLink: (id: string, expiresAt: string) =>
    queryOptions({
      queryKey: [...keys.order(id), 'pay-link', expiresAt],
      queryFn: ({ signal }) => call('getPayLink', { params: { id }, signal }),
    }),
  payPage: (token: string) =>
    queryOptions({
      queryKey: ['pay', token],
      queryFn: ({ signal }) => call('getPayPage', { params: { token }, signal }),
    }),
  /**
   * Asks the card gateway about unpaid payments of an order whenever its page is opened or returned to: the gateway does not report a declined card
   * automatically.
   */
  paymentCheck: (id: string, isUnpaid: boolean) =>
    checked([...keys.order(id), 'check'], isUnpaid, () => call('checkPayment', { params: { id } })),
  /** The same for a payment link. */
  linkedPaymentCheck: (token: string, isUnpaid: boolean) =>
    checked(['pay', token, 'check'], isUnpaid, () => call('checkLinkedPayment', { params: { token } })),
  credit: () =>
    queryOptions({ queryKey: [...keys.credit, 'balance'], queryFn: ({ signal }) => call('getCredit', { signal }) }),
  /** The saved cards, and whether one more can be saved. There are at most ten. */
  cards: () => queryOptions({ queryKey: keys.cards, queryFn: ({ signal }) => call('listCards', { signal }) }),
  /** The card that auto-renew of a domain may charge. */
  renewalCard: (name: string) =>
    queryOptions({
      queryKey: [...keys.domain(name), 'renewal-card'],
      queryFn: ({ signal }) => call('getRenewalCard', { params: { name }, signal }),
    }),
  creditEntries: () => pagedList('listCreditEntries', [...keys.credit, 'entries'], {}),
  /** A page of the audit log as a table, which is not cached. */
  auditTable: (query: NonNullable<Request<'listAudit'>['query']>) =>
    queryOptions({
      queryKey: ['audit-table', query],
      queryFn: () => pageAsText('listAudit', { query: { ...query, limit: 200 } }, 'text/csv'),
      gcTime: 0,
      staleTime: 0,
    }),
  audit: (query: NonNullable<Request<'listAudit'>['query']>) => pagedList('listAudit', ['audit', query], { query }),
}

const orderStatuses: readonly string[] = [
  'pending_payment',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'refunded',
  'credited',
] satisfies OrderStatus[]

function isOrderStatus(text: string | undefined): text is OrderStatus {
  return text !== undefined && orderStatuses.includes(text)
}

/** A list that is read one page at a time, as far as the person wants. */
export function pagedList<Id extends ListId>(id: Id, key: readonly unknown[], request: Omit<Request<Id>, 'signal'>) {
  type Page = { data: Item<Id>[]; next_cursor: string | null }
  return infiniteQueryOptions({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = { ...(request as { query?: object }).query, ...(pageParam !== null && { cursor: pageParam }) }
      return (await call(id, { ...request, query, signal } as unknown as Request<Id>)) as unknown as Page
    },
    getNextPageParam: (page: Page) => page.next_cursor,
  })
}

function checked(queryKey: readonly string[], enabled: boolean, check: () => Promise<void>) {
  return queryOptions({
    queryKey,
    queryFn: async () => {
      await check()
      return null
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: 'always',
  })
}
