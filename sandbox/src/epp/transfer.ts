import type { ResponseData } from '@zonewright/epp'
import { longestYears, yearsAfter } from './life.ts'
import type { Domain, Transfer } from './objects.ts'

/**
 * The domain after its pending transfer has ended in this way at this time. If the transfer is approved, the domain belongs to the requester and is
 * renewed.
 */
export function endTransfer(domain: Domain, status: Exclude<Transfer['status'], 'pending'>, at: number): Domain {
  const { transfer } = domain
  if (transfer === undefined) return domain
  const ended = { ...transfer, status, actionAt: at }
  if (status !== 'clientApproved' && status !== 'serverApproved') return { ...domain, transfer: ended }
  return {
    ...domain,
    transfer: ended,
    sponsor: transfer.requester,
    clientStatuses: [],
    transferredAt: at,
    expiresAt: expiryAfter(domain, transfer.years, at),
  }
}

/** A transfer renews the domain, up to the maximum registration period. */
export function expiryAfter({ expiresAt }: Domain, years: number, at: number): number {
  return Math.max(expiresAt, Math.min(yearsAfter(expiresAt, years), yearsAfter(at, longestYears)))
}

/** The registry's data of the latest transfer. */
export function transferData(domain: Domain): NonNullable<ResponseData['domain:trnData']> {
  const { transfer, name, expiresAt } = domain
  if (transfer === undefined) throw new Error(`${name} has no transfer`)
  return {
    name,
    status: transfer.status,
    reId: transfer.requester,
    reDate: new Date(transfer.requestedAt),
    acId: transfer.actor,
    acDate: new Date(transfer.actionAt),
    exDate: new Date(
      transfer.status === 'pending' ? expiryAfter(domain, transfer.years, transfer.actionAt) : expiresAt,
    ),
  }
}
