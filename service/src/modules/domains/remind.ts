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

/** An order for a renewal that was placed. */
export interface PlacedRenewal {
  readonly orderId: string
  /** What is due, for a person; null: credit has paid it. */
  readonly toPay: { readonly amount: string; readonly link: string; readonly validForS: number } | null
}

/**
 * Works a renewal for a year out, and returns how it is ordered: for an account's credit as far as that goes, the rest by a pay
 * link. The registry is asked before; ordering is a part of the caller's transaction, which locks the account first. Both throw a Refusal.
 *
 * `stillDue` locks the domain, after the account and its order, and throws where the renewal was ordered meanwhile: before an order is
 * touched, which may be that one. Handed in by whoever composes the service: orders are above domains.
 */
export type RenewByItself = (
  domain: Pick<Domain, 'accountId' | 'name'>,
  stillDue: (tx: Tx) => Promise<unknown>,
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

/** So soon before its expiry the owner hears of a domain that could not be renewed because somebody did not answer. */
const lastCallDays = 0.5

/** A registry that cannot tell how so many domains in a row stand is taken to be away. */
const failuresInARow = 3

/**
 * Tells owners of domains that expire soon, once at each of the days and at the expiry, and renews those that are to be.
 *
 * A TLD whose registry is away is left out for the rest of the pass: each of its domains would wait for it. One domain that it cannot
 * tell of is not enough for that. `laggards` are those that it could not tell of in the pass before: they come last, so that they never
 * stand in the way of others. Returns those of this pass.
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
  // Whoever was not tried this time goes before those that were.
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
      // One domain's trouble is not the others': it is tried again the next time.
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

/** One that is being transferred away cannot be renewed here; the last attempt was a day ahead. */
function isToBeRenewed({ autoRenew, transferOut, isExpired }: Domain): boolean {
  return autoRenew && transferOut === null && !isExpired
}

/**
 * The notice that is due, as its days. Whoever turns auto-renew on has heard of the last one without it: the renewal is tried all the same,
 * once, however often it is turned off and on.
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
      const message = placed.toPay === null ? domainRenewing(about) : renewalToPay({ ...about, ...placed.toPay })
      await tellAccount(tx, work, now.accountId, message)
    })
  } catch (error) {
    if (error instanceof NotDue) return
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'registry_unavailable' && error.code !== 'unavailable')
      return await tellOnce(work, domain, error.message)
    // Nobody knows its price now, or whether it is paid: it is tried again, and at the end its owner should know.
    if (domain.daysLeft < lastCallDays) await callOnce(work, domain, error.message)
    throw error
  }
}

/** Its owner is told that it could not be renewed so far, while that is still tried. */
function callOnce(work: RemindWork, { accountId, name, expiresAt }: ExpiringDomain, obstacle: string): Promise<void> {
  const message = domainExpiring({ site: work.site, domain: name, expiresAt, obstacle })
  const once = `domain_expiring ${name} ${expiresAt.toISOString()}`
  return work.database.transact((tx) => tellAccount(tx, work, accountId, message, once))
}

/** Somebody else has told, or the domain was renewed, meanwhile. */
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

/** The notice that is still due, with the domain as it is now, whose row is locked. Auto-renew that was turned on or off is the next pass's matter. */
async function due(tx: Tx, domain: ExpiringDomain): Promise<Notice | undefined> {
  const now = await lockExpiring(tx, domain.id)
  if (now === undefined || isToBeRenewed(now) !== isToBeRenewed(domain)) return undefined
  const days = dueDays(now)
  return days === undefined ? undefined : { now, days }
}

/** Every ten minutes: nobody is told later than that. */
export function domainJobs(work: Omit<RemindWork, 'database'>): readonly RecurringJob[] {
  let laggards: readonly number[] = []
  const run = async (database: Database): Promise<void> => {
    laggards = await remindDue({ ...work, database }, laggards)
  }
  return [{ name: 'remind-of-renewals', cron: '*/10 * * * *', run }]
}
