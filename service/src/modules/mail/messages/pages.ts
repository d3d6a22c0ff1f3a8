/** Where mails lead: the dashboard's pages below PUBLIC_URL (design: dashboard). */
export const pages = {
  account: (site: string): string => `${site}/app/account`,
  apiKeys: (site: string): string => `${site}/app/api-keys`,
  forgottenPassword: (site: string): string => `${site}/app/forgotten-password`,
  invitation: (site: string, id: string): string => `${site}/app/invitations/${encodeURIComponent(id)}`,
  zone: (site: string, name: string): string => `${site}/app/zones/${encodeURIComponent(name)}`,
  zones: (site: string): string => `${site}/app/zones`,
  webhooks: (site: string): string => `${site}/app/webhooks`,
}
