import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** The names of domains that a card shows. */
export const mostCardDomains = 100

const cardShape = {
  id: z.string(),
  brand: z.string().meta({ description: 'The brand in lower case, such as `visa`.', example: 'visa' }),
  last4: z.string().meta({ description: 'The last four digits of the card number.', example: '4081' }),
  expiry_month: z.int().meta({ description: 'The month in which the card expires, from 1 to 12.' }),
  expiry_year: z.int(),
  expired: z.boolean().meta({ description: 'True if the card has expired. An expired card is not charged.' }),
}

/** The details of a saved card that are shown wherever it appears. */
export const cardSummarySchema = z.object(cardShape).meta({ id: 'CardSummary' })

export type WireCardSummary = z.infer<typeof cardSummarySchema>

const cardSchema = z
  .object({
    ...cardShape,
    domain_count: z.int().meta({ description: 'The number of domains that auto-renew with this card.' }),
    domains: z.array(z.string()).meta({
      description: `The names of the domains that auto-renew with this card, in alphabetical order. The list has at most ${mostCardDomains} names.`,
    }),
    created_at: z.string().meta({ description: 'The time at which the card was saved.' }),
  })
  .meta({ id: 'Card' })

export type WireCard = z.infer<typeof cardSchema>

export const cardRoutes = {
  listCards: route({
    id: 'listCards',
    method: 'GET',
    path: '/cards',
    who: 'session',
    summary: 'List the saved cards of the account',
    description:
      'The service saves a card if the payer chooses to save it when paying for an order. Auto-renew charges a saved card only for domains for which the owner has allowed this card.',
    query: z.strictObject(pageQuery),
    answers: {
      200: pageOf(cardSchema).extend({
        can_save: z
          .boolean()
          .meta({ description: 'True if this service can save cards and the account can save one more card.' }),
      }),
    },
  }),
  removeCard: route({
    id: 'removeCard',
    method: 'DELETE',
    path: '/cards/{id}',
    who: 'session',
    summary: 'Remove a saved card',
    description:
      'The response shows the domains for which auto-renew no longer charges this card. After the call, the service also deletes the card at the card gateway. The call does not stop a charge that has already started.',
    params: z.object({ id: z.string().meta({ description: 'The id of the card.' }) }),
    answers: { 200: cardSchema },
  }),
}
