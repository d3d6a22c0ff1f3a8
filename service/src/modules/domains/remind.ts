import { tellAccount } from '#modules/accounts/index.ts'
import { domainExpired, domainExpiring, domainRenewing, renewalToPay } from '#modules/mail/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import type { RecurringJob } from '#platform/jobs.ts'
import type { Logger } from '#platform/log.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { dueNotice } from './renewal-rules.ts'
import { expiringDomains, lockExpiring, noteNotice } from './renewal-store.ts'
import type { Domain } from './store.ts'

/** An order for a renewal that was placed. */
export interface PlacedRenewal {
  readonly orderId: string
  /** What is due, for a person; null: credit has paid it. */
  readonly toPay: { readonly amount: string; readonly link: string; readonly validForS: number } | null
}

/**
 * Works a renewal for a year out, and returns how it is ordered: for an account's credit as far as that goes, the rest by a pay
 * link. The registry is asked before; ordering is a part of the caller's transaction, which locks the account first.
 *
 * Both throw a Refusal. Handed in by whoever composes the service: orders are above domains.
 */
export type RenewByItself = (
  domain: Pick<Domain, 'accountId' | 'name'>,
) => Promise<(tx: Tx, actor: Actor) => Promise<PlacedRenewal>>

/** What reminding needs from outside its module. */
export interface RemindWork {
  readonly database: Database
  readonly secrets: SecretBox
  readonly site: string
  readonly log: Logger
  readonly renewByItself: RenewByItself
}

/** Who renews by itself, in audit entries. */
const renewer = actorNamed('system', 'auto-renew')

/** Domains that are read at a time. */
const batch = 200

/**
 * Tells owners of domains that expire soon, once at each of the days and at the expiry, and renews those that are to be.
 *
 * A registry that does not answer is asked once a pass, for the first domain under each TLD: the other domains would wait for it.
 */
export async function remindDue(work: RemindWork): Promise<void> {
  const away = new Set<string>()
  for (let after = 0; ; ) {
    const domains = await expiringDomains(work.database.db, after, batch)
    for (const domain of domains) {
      const { daysLeft, noticedDays, tld } = domain
      const isLeftOut = away.has(tld) && isToBeRenewed(domain)
      if (dueNotice(daysLeft, noticedDays) !== undefined && !isLeftOut)
        await remind(work, domain).catch((error: unknown) => notNow(error, tld))
      after = domain.id
    }
    if (domains.length < batch) return
  }

  /** One domain's trouble is not the others': it is tried again the next time. */
  function notNow(error: unknown, tld: string): void {
    if (error instanceof Refusal && error.code === 'registry_unavailable') away.add(tld)
    work.log.warn({ err: error, tld }, 'a domain was not reminded of; it is tried again')
  }
}

/** One that is being transferred away cannot be renewed here; the last attempt was a day ahead. */
function isToBeRenewed({ autoRenew, transferOut, isExpired }: Domain): boolean {
  return autoRenew && transferOut === null && !isExpired
}

async function remind(work: RemindWork, domain: Domain): Promise<void> {
  if (!isToBeRenewed(domain)) return tellOnce(work, domain)
  try {
    const place = await work.renewByItself(domain)
    await work.database.transact(async (tx) => {
      // Ordering locks the account, the order and then, here, the domain. What is not due any more undoes all of it.
      const placed = await place(tx, renewer)
      const { now, days } = await due(tx, domain)
      if (now === undefined || !now.autoRenew) throw new NotDue()
      await noteNotice(tx, now.id, days)
      const about = { site: work.site, domain: now.name, expiresAt: now.expiresAt, orderId: placed.orderId }
      const message = placed.toPay === null ? domainRenewing(about) : renewalToPay({ ...about, ...placed.toPay })
      await tellAccount(tx, work, now.accountId, message)
    })
  } catch (error) {
    if (error instanceof NotDue) return
    // Nobody knows its price now; there is time until the next look.
    if (!(error instanceof Refusal) || error.code === 'registry_unavailable' || error.code === 'unavailable')
      throw error
    await tellOnce(work, domain, error.message)
  }
}

/** Somebody else has told, or the domain was renewed, meanwhile. */
class NotDue extends Error {}

function tellOnce(work: RemindWork, domain: Domain, obstacle?: string): Promise<void> {
  return work.database.transact(async (tx) => {
    const { now, days } = await due(tx, domain)
    if (now === undefined) return
    await noteNotice(tx, now.id, days)
    const about = { site: work.site, domain: now.name, expiresAt: now.expiresAt, obstacle }
    await tellAccount(tx, work, now.accountId, now.isExpired ? domainExpired(about) : domainExpiring(about))
  })
}

async function due(tx: Tx, { id }: Domain) {
  const now = await lockExpiring(tx, id)
  const days = now && dueNotice(now.daysLeft, now.noticedDays)
  return days === undefined ? { now: undefined, days: 0 } : { now, days }
}

/** Every ten minutes: nobody is told later than that. */
export function domainJobs(work: Omit<RemindWork, 'database'>): readonly RecurringJob[] {
  return [{ name: 'remind-of-renewals', cron: '*/10 * * * *', run: (database) => remindDue({ ...work, database }) }]
}
