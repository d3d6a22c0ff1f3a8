import type { Domain } from './objects.ts'

// The periods of this registry, and the state of a domain at a given time.

const dayMs = 86_400_000
/** A new domain that is deleted within this time is removed without a trace. */
const addPeriodMs = 5 * dayMs
/** A transfer without a decision is approved after this time. */
export const transferPeriodMs = 5 * dayMs
/** After its expiry, a domain is on hold for this time, and can still be renewed. */
export const graceMs = 30 * dayMs
export const redemptionMs = 30 * dayMs
export const reportDueMs = 7 * dayMs
/** After the redemption period, when the domain can no longer be restored. */
export const pendingDeleteMs = 5 * dayMs
export const longestYears = 10

export function isInAddPeriod(domain: Domain, now: number): boolean {
  return now < domain.createdAt + addPeriodMs
}

/** RFC 3915 §3.1: the most important grace period of a domain. */
export function graceStatusOf(domain: Domain, now: number): string | undefined {
  if (domain.restoreAskedAt !== undefined) return 'pendingRestore'
  if (domain.deletedAt !== undefined)
    return now < domain.deletedAt + redemptionMs ? 'redemptionPeriod' : 'pendingDelete'
  if (isInAddPeriod(domain, now)) return 'addPeriod'
  if (domain.renewedAt !== undefined && now < domain.renewedAt + addPeriodMs) return 'renewPeriod'
  return undefined
}

/** RFC 5731 §2.3. */
export function statusesOf(domain: Domain, now: number): string[] {
  const statuses = [...domain.clientStatuses]
  if (domain.pending !== undefined) statuses.push(domain.pending.status)
  if (domain.transfer?.status === 'pending') statuses.push('pendingTransfer')
  if (domain.deletedAt !== undefined) statuses.push('pendingDelete')
  else if (now >= domain.expiresAt) statuses.push('serverHold')
  if (domain.nameservers.length === 0) statuses.push('inactive')
  return statuses.length === 0 ? ['ok'] : statuses
}

/** Whether the domain is in the TLD's zone. */
export function isPublished(domain: Domain, now: number): boolean {
  return (
    domain.pending?.status !== 'pendingCreate' &&
    domain.deletedAt === undefined &&
    now < domain.expiresAt &&
    !domain.clientStatuses.includes('clientHold')
  )
}

/** The same date after the given number of years. February 29 becomes February 28. */
export function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  const month = date.getUTCMonth()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  if (date.getUTCMonth() !== month) date.setUTCDate(0)
  return date.getTime()
}
