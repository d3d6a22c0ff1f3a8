/** The targets of links in emails: the dashboard's pages below PUBLIC_URL (design: dashboard). Its lists show invitations at the top. */
export const pages = {
  account: (site: string): string => `${site}/app/account`,
  apiKeys: (site: string): string => `${site}/app/api-keys`,
  /** The page with the credit and the saved cards. */
  credit: (site: string): string => `${site}/app/credit`,
  /** A page of the documentation. */
  docs: (site: string, page: string): string => `${site}/docs/${page}`,
  domain: (site: string, name: string): string => `${site}/app/domains/${encodeURIComponent(name)}`,
  domains: (site: string): string => `${site}/app/domains`,
  /** The list in which an invited person accepts. If the person is signed out, the sign-in page has the address filled in. */
  domainInvitations: (site: string, email: string): string =>
    `${site}/app/domains?invited=${encodeURIComponent(email)}`,
  forgottenPassword: (site: string): string => `${site}/app/forgot-password`,
  order: (site: string, id: string): string => `${site}/app/orders/${encodeURIComponent(id)}`,
  zone: (site: string, name: string): string => `${site}/app/zones/${encodeURIComponent(name)}`,
  zoneHealth: (site: string, name: string): string => `${site}/app/zones/${encodeURIComponent(name)}/health`,
  zones: (site: string): string => `${site}/app/zones`,
  zoneInvitations: (site: string, email: string): string => `${site}/app/zones?invited=${encodeURIComponent(email)}`,
  renewal: (site: string, name: string): string => `${site}/app/buy/${encodeURIComponent(name)}?kind=renew`,
  webhooks: (site: string): string => `${site}/app/webhooks`,
}
