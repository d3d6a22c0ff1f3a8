import type { Reading } from '#ports/registry.ts'

/**
 * A registry may report by mistake that it does not know a domain, a transfer or a result, for example while its lists are behind. An
 * absence counts only when two lookups find it, so many seconds apart, and no lookup between them finds anything else.
 */
const apartS = {
  /** What an order sent, and a transfer to us that has begun. */
  order: 60,
  /** What a registry has accepted for an order and decides later. */
  pending: 600,
  /** A domain of ours, for the daily check and for changes of it. */
  domain: 3_600,
}

/** Seconds until a second lookup can confirm an absence; 0: this one does. `missedForS`: seconds since the first lookup that found it; null: this is the first. */
export function untilConfirmedS(of: keyof typeof apartS, missedForS: number | null): number {
  return Math.max(0, apartS[of] - (missedForS ?? 0))
}

/** The registry says that there is no such object. */
export function isMissing(reading: Reading<unknown> | undefined): boolean {
  return isRefused(reading, [2303])
}

/** The object is another registrar's. Some registries then reveal nothing else about it. */
export function isOfAnother(reading: Reading<unknown> | undefined): boolean {
  return isRefused(reading, [2201])
}

/** Where a domain that we believe to have is, according to an answer that shows nothing of it; undefined: the answer does not say. */
export function absenceIn(info: Reading<unknown>): 'deleted' | 'transferred' | undefined {
  return isMissing(info) ? 'deleted' : isOfAnother(info) ? 'transferred' : undefined
}

/** No transfer is in progress, or none that we take part in. */
export function isNoTransfer(transfer: Reading<unknown>): boolean {
  return isRefused(transfer, [2201, 2301])
}

/** The same of a domain that is not ours: there, a registry may also refuse for want of the transfer code (2202). */
export function isNoTransferOfOurs(transfer: Reading<unknown> | undefined): boolean {
  return isRefused(transfer, [2201, 2202, 2301])
}

function isRefused(reading: Reading<unknown> | undefined, codes: readonly number[]): boolean {
  return reading?.kind === 'refused' && codes.includes(reading.reply.code)
}
