import { tellAccount } from '#modules/accounts/index.ts'
import { domainExpired, domainExpiring, domainRenewing, renewalToPay } from '#modules/mail/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { dueNotice } from './renewal-rules.ts'
import { type ExpiringDomain, expiringDomains, lockExpiring, noteNotice } from './renewal-store.ts'
import type { Domain } from './store.ts'

/** A renewal order that was placed. */
export type PlacedRenewal = { readonly orderId: string } & (
  | {
      /** Credit has paid it, or a saved card is being charged. The owner gets an email about the outcome of the charge. */
      readonly is: 'paid' | 'charging'
    }
  | {
      readonly is: 'to_pay'
      /** The amount due by a person. `why`: why a saved card does not pay it. */
      readonly toPay: {
        readonly amount: string
        readonly link: string
        readonly validForS: number
        readonly why: string | undefined
      }
    }
)

/**
 * Prepares a renewal by one year, and returns a function that orders it: paid from the account's credit, then with the saved card that the owner
 * has allowed, with a payment link for the rest. The registry is queried beforehand. Ordering is a part of the caller's transaction,
 * which locks the account first. Both throw a Refusal.
 *
 * `stillDue` locks the domain, after the account and its order. It throws if the renewal was ordered in the meantime, before it touches an
 * order, which may be that one. `compose` passes this in, because orders are above domains.
 */
export type RenewByItself = (
  domain: Pick<Domain, 'accountId' | 'name'>,
  stillDue: (tx: Tx) => Promise<unknown>,
) => Promise<(tx: Tx, actor: Actor) => Promise<PlacedRenewal>>

/** What reminders need from outside their module. */
export interface RemindWork {
  readonly database: Database
  readonly secrets: SecretBox
  readonly site: string
  readonly log: Logger
  readonly renewByItself: RenewByItself
}

/** The actor of auto-renew in audit entries. */
const renewer = actorNamed('system', 'auto-renew')

/** Domains that one query reads. */
const batch = 200

/** How long before the expiry the owner is notified if a domain could not be renewed because a system did not respond. */
const lastCallDays = 0.5

/** A registry that fails for this many domains in a row counts as unavailable. */
const failuresInARow = 3

/**
 * Notifies the owners of domains that expire soon, once for each notice and once after the expiry, and renews domains with auto-renew.
 *
 * A TLD whose registry is unavailable is skipped for the rest of the run, because each of its domains would wait for the registry. A single
 * failed domain does not cause this. `laggards`: the domains that failed in the previous run. They come last, so that they never delay others.
 * Returns those of this run.
 */
export async function remindDue(work: RemindWork, laggards: readonly number[] = []): Promise<readonly number[]> {
  const last = new Map<number, ExpiringDomain | undefined>(laggards.map((id) => [id, undefined]))
  const failures = new Map<string, number>()
  const failed: number[] = []
  const leftOut: number[] = []
  for (let after = 0; ; ) {
    const domains = await expiringDomains(work.database.db, after, batch)
    for (const domain of domains) {
      after = domain.id
      if (last.has(domain.id)) last.set(domain.id, domain)
      else await attend(domain)
    }
    if (domains.length < batch) break
  }
  for (const domain of last.values()) if (domain !== undefined) await attend(domain)
  // Domains that were not tried in this run come before those that were.
  return [...leftOut, ...failed]

  async function attend(domain: ExpiringDomain): Promise<void> {
    const { id, name, tld } = domain
    if (dueDays(domain) === undefined) return
    const isAsked = isToBeRenewed(domain)
    if (isAsked && failuresOf(tld) >= failuresInARow) {
      if (last.has(id)) leftOut.push(id)
      return
    }
    try {
      await remind(work, domain)
      if (isAsked) failures.delete(tld)
    } catch (error) {
      // A fault of one domain does not affect the others. The domain is retried in the next run.
      if (error instanceof Refusal && error.code === 'registry_unavailable') {
        failures.set(tld, failuresOf(tld) + 1)
        failed.push(id)
      }
      work.log.warn({ err: error, domain: name }, 'an expiry reminder was not sent; retrying')
    }
  }

  function failuresOf(tld: string): number {
    return failures.get(tld) ?? 0
  }
}

/** A domain that is being transferred away cannot be renewed here. The last attempt was a day before the expiry. */
function isToBeRenewed({ autoRenew, transferOut, isExpired }: Domain): boolean {
  return autoRenew && transferOut === null && !isExpired
}

/**
 * The notice that is due, as its number of days. If auto-renew was turned on after the last notice, the renewal is still tried once, however
 * often auto-renew is turned off and on.
 */
function dueDays(domain: ExpiringDomain): number | undefined {
  return dueNotice(domain.daysLeft, isToBeRenewed(domain) ? domain.triedDays : domain.noticedDays)
}

async function remind(work: RemindWork, domain: ExpiringDomain): Promise<void> {
  if (!isToBeRenewed(domain)) return tellOnce(work, domain)
  try {
    const stillDue = async (tx: Tx): Promise<Notice> => {
      const notice = await due(tx, domain)
      if (notice === undefined) throw new NotDue()
      return notice
    }
    const place = await work.renewByItself(domain, stillDue)
    await work.database.transact(async (tx) => {
      const placed = await place(tx, renewer)
      const { now, days } = await stillDue(tx)
      await noteNotice(tx, now.id, days, true)
      const about = { site: work.site, domain: now.name, expiresAt: now.expiresAt, orderId: placed.orderId }
      if (placed.is === 'charging') return
      const message = placed.is === 'to_pay' ? renewalToPay({ ...about, ...placed.toPay }) : domainRenewing(about)
      await tellAccount(tx, work, now.accountId, message)
    })
  } catch (error) {
    if (error instanceof NotDue) return
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'registry_unavailable' && error.code !== 'unavailable')
      return await tellOnce(work, domain, error.message)
    // The price, or whether the order is paid, is currently unknown. The renewal is retried, and at the end its owner is notified.
    if (domain.daysLeft < lastCallDays) await callOnce(work, domain, error.message)
    throw error
  }
}

/** The owner is notified that the domain could not be renewed so far, while the attempts continue. */
function callOnce(work: RemindWork, { accountId, name, expiresAt }: ExpiringDomain, obstacle: string): Promise<void> {
  const message = domainExpiring({ site: work.site, domain: name, expiresAt, obstacle })
  const once = `domain_expiring ${name} ${expiresAt.toISOString()}`
  return work.database.transact(async (tx) => void (await tellAccount(tx, work, accountId, message, once)))
}

/** In the meantime, another process sent the notice, or the domain was renewed. */
class NotDue extends Error {}

function tellOnce(work: RemindWork, domain: ExpiringDomain, obstacle?: string): Promise<void> {
  return work.database.transact(async (tx) => {
    const notice = await due(tx, domain)
    if (notice === undefined) return
    const { now, days } = notice
    await noteNotice(tx, now.id, days, isToBeRenewed(now))
    const about = { site: work.site, domain: now.name, expiresAt: now.expiresAt, obstacle }
    await tellAccount(tx, work, now.accountId, now.isExpired ? domainExpired(about) : domainExpiring(about))
  })
}

interface Notice {
  readonly now: ExpiringDomain
  readonly days: number
}

/**
 * The notice that is still due, with the current domain, whose row is locked. If auto-renew was turned on or off in the meantime, the next run
 * handles it.
 */
async function due(tx: Tx, domain: ExpiringDomain): Promise<Notice | undefined> {
  const now = await lockExpiring(tx, domain.id)
  if (now === undefined || isToBeRenewed(now) !== isToBeRenewed(domain)) return undefined
  const days = dueDays(now)
  return days === undefined ? undefined : { now, days }
}

/** Runs every ten minutes, so no notice is later than that. */
export function domainJobs(work: Omit<RemindWork, 'database'>): readonly RecurringJob[] {
  let laggards: readonly number[] = []
  const run = async (database: Database): Promise<void> => {
    laggards = await remindDue({ ...work, database }, laggards)
  }
  return [{ name: 'remind-of-renewals', cron: '*/10 * * * *', run }]
}
