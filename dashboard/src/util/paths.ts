/** Where every page of the dashboard is: what links and redirects are made of, and nothing else. */
export const paths = {
  signIn: (back?: string) => ({ to: '/sign-in' as const, search: back === undefined ? {} : { back } }),
  signUp: () => ({ to: '/sign-up' as const }),
  forgotPassword: () => ({ to: '/forgot-password' as const }),
  zones: () => ({ to: '/zones' as const }),
  addZone: () => ({ to: '/zones/add' as const }),
  deletedZones: () => ({ to: '/zones/deleted' as const }),
  zone: (zone: string) => ({ to: '/zones/$zone' as const, params: { zone } }),
  importZone: (zone: string) => ({ to: '/zones/$zone/import' as const, params: { zone } }),
  presets: (zone: string) => ({ to: '/zones/$zone/presets' as const, params: { zone } }),
  history: (zone: string) => ({ to: '/zones/$zone/history' as const, params: { zone } }),
  health: (zone: string) => ({ to: '/zones/$zone/health' as const, params: { zone } }),
  sharing: (zone: string) => ({ to: '/zones/$zone/sharing' as const, params: { zone } }),
  zoneSettings: (zone: string) => ({ to: '/zones/$zone/settings' as const, params: { zone } }),
  keys: () => ({ to: '/api-keys' as const }),
  webhooks: () => ({ to: '/webhooks' as const }),
  webhook: (id: string) => ({ to: '/webhooks/$id' as const, params: { id } }),
  audit: () => ({ to: '/audit-log' as const }),
  account: () => ({ to: '/account' as const }),
  /** Where the links of mails end: paths of the whole site, for the service. */
  mailLinks: { confirmed: '/app/confirmed', resetPassword: '/app/reset-password' },
  /** The API's own pages, outside the dashboard. */
  reference: '/api/v1/reference',
}
