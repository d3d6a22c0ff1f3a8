/** The headings of the API reference, in its order, each with its description. */
export const tags = {
  Zones:
    'DNS zones: add them, prove control of their names, share them, and check their delegation and propagation. Free subdomains are zones, too.',
  Records:
    'The record sets of a zone: read, change, import and export them, apply presets, and restore earlier versions.',
  Domains: 'Domain names at registries: availability, prices, contacts, nameservers, locks, transfers and managers.',
  Orders: 'Register, renew and transfer domains: get a quote, place an order, and pay for it.',
  Credit: 'The balance of the account, and promo codes.',
  Webhooks: 'Endpoints that receive events, their deliveries, and the events themselves.',
  Keys: 'API keys: what each may do, and on which zones and domains.',
  Account: 'The signed-in account and its audit log.',
} as const

/** A heading of the API reference. */
export type Tag = keyof typeof tags
