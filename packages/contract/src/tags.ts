/** The headings of the API reference, in its order, each with its description. */
export const tags = {
  Zones:
    'DNS zones. You can add them, prove control of their names, share them, and check their delegation and propagation. A free subdomain is a zone, too.',
  Records:
    'The record sets of a zone. You can read, change, import and export them, apply presets, and restore earlier versions.',
  Domains:
    'Domain names at registries, with their availability, prices, contacts, nameservers, locks, transfers and managers.',
  Orders: 'Orders to register, renew or transfer domains. You request a quote, place an order, and pay for it.',
  Credit: 'The credit of the account, saved cards, and promo codes.',
  Search: 'One search over everything that the caller can read.',
  Webhooks: 'Webhook endpoints, their deliveries, and the events that they receive.',
  Keys: 'API keys, with their permissions and the zones and domains that they cover.',
  Account: 'The signed-in account and its audit log.',
} as const

/** A heading of the API reference. */
export type Tag = keyof typeof tags
