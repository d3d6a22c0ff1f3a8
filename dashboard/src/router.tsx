import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { urlOf } from './api/client.ts'
import { failedWith } from './api/failure.ts'
import { queries } from './api/queries.ts'
import { queryClient } from './api/query-client.ts'
import { NotFound, PageFailed } from './components/page-failed.tsx'
import { SlowNotice } from './components/slow-notice.tsx'
import { AppLayout } from './pages/app-layout.tsx'
import { PageChange } from './ui/page-change.tsx'
import { type DomainSearch, domainSearchNames } from './util/domain-list.ts'
import { paths } from './util/paths.ts'
import type { RecordStartSearch } from './util/record-start.ts'
import { search } from './util/search.ts'
import { type ZoneSearch, zoneSearchNames } from './util/zone-list.ts'

const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <PageChange />
      <SlowNotice />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: PageFailed,
})

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ ...paths.zones(), replace: true })
  },
})

/** Pages for people who are not signed in. */
const publicPages = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: search<{ back?: string }>(['back']),
    component: lazyRouteComponent(() => import('./pages/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    validateSearch: search<{ email?: string }>(['email']),
    component: lazyRouteComponent(() => import('./pages/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/create-account',
    validateSearch: search<{ token?: string }>(['token']),
    component: lazyRouteComponent(() => import('./pages/create-account-page.tsx'), 'CreateAccountPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./pages/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    validateSearch: search<{ token?: string; error?: string }>(['token', 'error']),
    component: lazyRouteComponent(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    // Sign-in providers send the browser to it.
    path: '/provider/$provider',
    component: lazyRouteComponent(() => import('./pages/provider-page.tsx'), 'ProviderPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/notifications',
    validateSearch: search<{ token?: string }>(['token']),
    component: lazyRouteComponent(() => import('./pages/notifications-page.tsx'), 'NotificationsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/pay/$token',
    component: lazyRouteComponent(() => import('./pages/pay-page.tsx'), 'PayPage'),
  }),
] as const

/** The page that sign-in leads to by default. With a query string, such as the address of an invitation, it is a different page. */
function isFirstPage({ pathname, searchStr }: { pathname: string; searchStr: string }): boolean {
  return pathname === '/zones' && searchStr === ''
}

/** All other pages check who is signed in before they show anything. */
const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: AppLayout,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(queries.account())
    } catch (error) {
      if (failedWith(error, 'signed_out'))
        throw redirect({ ...paths.signIn(isFirstPage(location) ? undefined : location.href), replace: true })
      throw error
    }
  },
})

const zone = createRoute({
  getParentRoute: () => signedIn,
  path: '/zones/$zone',
  validateSearch: search<{ step?: string }>(['step']),
  component: lazyRouteComponent(() => import('./pages/zone-layout.tsx'), 'ZoneLayout'),
})

const signedInPages = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones',
    validateSearch: search<ZoneSearch & { invited?: string }>([...zoneSearchNames, 'invited']),
    component: lazyRouteComponent(() => import('./pages/zones-page.tsx'), 'ZonesPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones/add',
    component: lazyRouteComponent(() => import('./pages/add-zone-page.tsx'), 'AddZonePage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones/add-many',
    component: lazyRouteComponent(() => import('./pages/add-zones-page.tsx'), 'AddZonesPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones/replace',
    validateSearch: search<{ zones?: string }>(['zones']),
    component: lazyRouteComponent(() => import('./pages/replace-value-page.tsx'), 'ReplaceValuePage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones/preset',
    validateSearch: search<{ zones?: string }>(['zones']),
    component: lazyRouteComponent(() => import('./pages/apply-preset-page.tsx'), 'ApplyPresetPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/zones/deleted',
    component: lazyRouteComponent(() => import('./pages/deleted-zones-page.tsx'), 'DeletedZonesPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/buy',
    validateSearch: search<{ q?: string; tlds?: string }>(['q', 'tlds']),
    component: lazyRouteComponent(() => import('./pages/buy-page.tsx'), 'BuyPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/buy/$name',
    validateSearch: search<{ kind?: string }>(['kind']),
    component: lazyRouteComponent(() => import('./pages/new-order-page.tsx'), 'NewOrderPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/domains',
    validateSearch: search<DomainSearch & { invited?: string }>([...domainSearchNames, 'invited']),
    component: lazyRouteComponent(() => import('./pages/domains-page.tsx'), 'DomainsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/domains/renew',
    component: lazyRouteComponent(() => import('./pages/renew-domains-page.tsx'), 'RenewDomainsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/domains/$name',
    component: lazyRouteComponent(() => import('./pages/domain-page.tsx'), 'DomainPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/orders',
    validateSearch: search<{ status?: string; name?: string }>(['status', 'name']),
    component: lazyRouteComponent(() => import('./pages/orders-page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/orders/$id',
    component: lazyRouteComponent(() => import('./pages/order-page.tsx'), 'OrderPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/orders/$id/receipt',
    // The service creates this page, which can be printed. Orders link to this path.
    beforeLoad: ({ params }) => {
      throw redirect({ href: urlOf('getReceipt', { params }), replace: true, reloadDocument: true })
    },
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/contacts',
    component: lazyRouteComponent(() => import('./pages/contacts-page.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/credit',
    component: lazyRouteComponent(() => import('./pages/credit-page.tsx'), 'CreditPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/api-keys',
    validateSearch: search<{ key?: string }>(['key']),
    component: lazyRouteComponent(() => import('./pages/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/connect-a-client',
    validateSearch: search<{ client?: string; zone?: string; host?: string; key?: string }>([
      'client',
      'zone',
      'host',
      'key',
    ]),
    component: lazyRouteComponent(() => import('./pages/connect-client-page.tsx'), 'ConnectClientPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id',
    validateSearch: search<{ status?: string; type?: string; zone?: string; q?: string; chart?: string }>([
      ...(['status', 'type', 'zone', 'q', 'chart'] as const),
    ]),
    component: lazyRouteComponent(() => import('./pages/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id/deliveries/$delivery',
    validateSearch: search<{ body?: string }>(['body']),
    component: lazyRouteComponent(() => import('./pages/delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/audit-log',
    validateSearch: search<{ zone?: string; actor?: string; action?: string; since?: string; until?: string }>([
      'zone',
      'actor',
      'action',
      'since',
      'until',
    ]),
    component: lazyRouteComponent(() => import('./pages/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    // The service redirects to it from the link of a service provider (Domain Connect).
    path: '/domain-connect',
    component: lazyRouteComponent(() => import('./pages/domain-connect-page.tsx'), 'DomainConnectPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/confirm-email',
    validateSearch: search<{ token?: string }>(['token']),
    component: lazyRouteComponent(() => import('./pages/confirm-email-page.tsx'), 'ConfirmEmailPage'),
  }),
] as const

const zonePages = [
  createRoute({
    getParentRoute: () => zone,
    path: '/',
    validateSearch: search<
      { q?: string; type?: string; since?: string; sort?: string; show?: string } & RecordStartSearch
    >([...(['q', 'type', 'since', 'sort', 'show'] as const), ...(['add', 'name', 'value'] as const)]),
    component: lazyRouteComponent(() => import('./pages/records-page.tsx'), 'RecordsPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/import',
    component: lazyRouteComponent(() => import('./pages/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/presets',
    validateSearch: search<{ q?: string }>(['q']),
    component: lazyRouteComponent(() => import('./pages/presets-page.tsx'), 'PresetsPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/history',
    validateSearch: search<{ version?: string }>(['version']),
    component: lazyRouteComponent(() => import('./pages/history-page.tsx'), 'HistoryPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/health',
    validateSearch: search<{ name?: string; type?: string }>(['name', 'type']),
    component: lazyRouteComponent(() => import('./pages/health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/secondaries',
    component: lazyRouteComponent(() => import('./pages/secondaries-page.tsx'), 'SecondariesPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/sharing',
    component: lazyRouteComponent(() => import('./pages/sharing-page.tsx'), 'SharingPage'),
  }),
  createRoute({
    getParentRoute: () => zone,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/zone-settings-page.tsx'), 'ZoneSettingsPage'),
  }),
] as const

const routeTree = rootRoute.addChildren([
  home,
  ...publicPages,
  signedIn.addChildren([...signedInPages, zone.addChildren([...zonePages])]),
])

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  // The state of a page, such as a secret or a file, belongs to one object, so the page of another object starts without it. Filters in the URL
  // belong to the page.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  trailingSlash: 'never',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
