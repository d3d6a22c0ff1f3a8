/** The paths of all pages of the dashboard. Links and redirects use only these. */
export const paths = {
  signIn: (back?: string) => ({ to: '/sign-in' as const, search: back === undefined ? {} : { back } }),
  signUp: (email?: string) => ({ to: '/sign-up' as const, search: email === undefined ? {} : { email } }),
  forgotPassword: () => ({ to: '/forgot-password' as const }),
  zones: () => ({ to: '/zones' as const }),
  addZone: () => ({ to: '/zones/add' as const }),
  addZones: () => ({ to: '/zones/add-many' as const }),
  replaceValue: (zones?: string) => ({ to: '/zones/replace' as const, search: zones === undefined ? {} : { zones } }),
  applyPreset: (zones?: string) => ({ to: '/zones/preset' as const, search: zones === undefined ? {} : { zones } }),
  deletedZones: () => ({ to: '/zones/deleted' as const }),
  zone: (zone: string) => ({ to: '/zones/$zone' as const, params: { zone } }),
  /** The records of a zone, with one record set in view. */
  record: (zone: string, name: string, type: string) => ({
    to: '/zones/$zone' as const,
    params: { zone },
    search: { show: `${name} ${type}` },
  }),
  /** The records of a zone, with the form for a new record set open. */
  addRecord: (zone: string) => ({ to: '/zones/$zone' as const, params: { zone }, search: { add: 'A', name: '' } }),
  setupStep: (zone: string, step: 'records' | 'nameservers') => ({
    to: '/zones/$zone' as const,
    params: { zone },
    search: { step },
  }),
  importZone: (zone: string) => ({ to: '/zones/$zone/import' as const, params: { zone } }),
  presets: (zone: string) => ({ to: '/zones/$zone/presets' as const, params: { zone } }),
  /** The history of a zone, or only one version of it. */
  history: (zone: string, version?: string) => ({
    to: '/zones/$zone/history' as const,
    params: { zone },
    search: version === undefined ? {} : { version },
  }),
  health: (zone: string) => ({ to: '/zones/$zone/health' as const, params: { zone } }),
  secondaries: (zone: string) => ({ to: '/zones/$zone/secondaries' as const, params: { zone } }),
  sharing: (zone: string) => ({ to: '/zones/$zone/sharing' as const, params: { zone } }),
  zoneSettings: (zone: string) => ({ to: '/zones/$zone/settings' as const, params: { zone } }),
  /** All keys, or only one of them. */
  keys: (key?: string) => ({ to: '/api-keys' as const, search: key === undefined ? {} : { key } }),
  connectClient: (search: { client?: string; zone?: string; host?: string; key?: string } = {}) => ({
    to: '/connect-a-client' as const,
    search,
  }),
  webhooks: () => ({ to: '/webhooks' as const }),
  webhook: (id: string) => ({ to: '/webhooks/$id' as const, params: { id } }),
  delivery: (id: string, delivery: string) => ({
    to: '/webhooks/$id/deliveries/$delivery' as const,
    params: { id, delivery },
  }),
  buy: (search: { q?: string; tlds?: string } = {}) => ({ to: '/buy' as const, search }),
  newOrder: (name: string, kind: 'register' | 'renew' | 'transfer') => ({
    to: '/buy/$name' as const,
    params: { name },
    search: kind === 'register' ? {} : { kind },
  }),
  domains: () => ({ to: '/domains' as const }),
  renewDomains: () => ({ to: '/domains/renew' as const }),
  domain: (name: string) => ({ to: '/domains/$name' as const, params: { name } }),
  orders: (search: { status?: string; name?: string } = {}) => ({ to: '/orders' as const, search }),
  order: (id: string) => ({ to: '/orders/$id' as const, params: { id } }),
  contacts: () => ({ to: '/contacts' as const }),
  credit: () => ({ to: '/credit' as const }),
  audit: () => ({ to: '/audit-log' as const }),
  account: () => ({ to: '/account' as const }),
  /** The page of the link to reset a password: a path of the whole site, for the service. */
  mailLinks: { resetPassword: '/app/reset-password' },
  /** The API's own pages, outside the dashboard. */
  reference: '/api/v1/reference',
  docs: (page?: string) => (page === undefined ? '/docs' : `/docs/${page}`),
}
