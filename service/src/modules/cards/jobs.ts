import { tellAccount } from '#modules/accounts/index.ts'
import { cardExpiring } from '#modules/mail/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import type { Payments } from '#ports/payments.ts'
import { cardInWords } from './card.ts'
import { deferCard, deleteCard, dropOldConsents, noticeExpiring, removedCards } from './store.ts'

/** Dependencies of the card jobs on other modules. */
export interface CardJobsContext {
  readonly payments: Payments
  readonly secrets: SecretBox
  readonly site: string
  readonly log: Logger
}

/** Recurring jobs of saved cards. */
export function cardJobs(context: CardJobsContext): readonly RecurringJob[] {
  return [
    { name: 'deactivate-cards', cron: '* * * * *', run: (database) => deactivateRemoved(database, context) },
    { name: 'remind-of-cards', cron: '20 * * * *', run: (database) => remindOfCards(database, context) },
    { name: 'drop-old-consents', cron: '50 3 * * *', run: ({ db }) => dropOldConsents(db) },
  ]
}

/** Maximum number of cards that one run deactivates. */
const batch = 50

/** Asks the gateway to deactivate removed cards, and deletes each card that it has deactivated. */
async function deactivateRemoved(database: Database, { payments, secrets, log }: CardJobsContext): Promise<void> {
  for (const { id, code, tries } of await removedCards(database.db, batch)) {
    const done = await payments.deactivate(secrets.open('cards.code', id, code))
    if (done.kind === 'unavailable') log.warn({ card: id, why: done.why }, 'the card gateway did not deactivate a card')
    await database.transact((tx) =>
      done.kind === 'done' ? deleteCard(tx, id) : deferCard(tx, id, Math.min(3_600, 60 * 2 ** Math.min(tries, 6))),
    )
  }
}

/** The owner of a card gets an email this many days before it expires. */
const noticeDays = 30
/** Maximum number of domains that the email names. */
const mostNamed = 10

async function remindOfCards(database: Database, { secrets, site }: CardJobsContext): Promise<void> {
  for (;;) {
    const cards = await database.transact(async (tx) => {
      const expiring = await noticeExpiring(tx, noticeDays, mostNamed, batch)
      for (const card of expiring) {
        const { accountId, expiryMonth: month, expiryYear: year, domains, domainCount } = card
        const about = { site, card: cardInWords(card), month, year, domains, others: domainCount - domains.length }
        await tellAccount(tx, { secrets }, accountId, cardExpiring(about))
      }
      return expiring
    })
    if (cards.length < batch) return
  }
}
