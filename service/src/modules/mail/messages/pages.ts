/** The targets of links in mails: the dashboard's pages below PUBLIC_URL (design: dashboard). Its lists show invitations at the top. */
export const pages = {
  account: (site: string): string => `${site}/app/account`,
  apiKeys: (site: string): string => `${site}/app/api-keys`,
  /** A page of the documentation. */
  docs: (site: string, page: string): string => `${site}/docs/${page}`,
  domain: (site: string, name: string): string => `${site}/app/domains/${encodeURIComponent(name)}`,
  domains: (site: string): string => `${site}/app/domains`,
  forgottenPassword: (site: string): string => `${site}/app/forgot-password`,
  order: (site: string, id: string): string => `${site}/app/orders/${encodeURIComponent(id)}`,
  zone: (site: string, name: string): string => `${site}/app/zones/${encodeURIComponent(name)}`,
  zoneHealth: (site: string, name: string): string => `${site}/app/zones/${encodeURIComponent(name)}/health`,
  zones: (site: string): string => `${site}/app/zones`,
  renewal: (site: string, name: string): string => `${site}/app/buy/${encodeURIComponent(name)}?kind=renew`,
  webhooks: (site: string): string => `${site}/app/webhooks`,
}
