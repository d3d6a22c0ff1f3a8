import type { Reading } from '#ports/registry.ts'

/**
 * A registry may report by mistake that it does not know a domain, a transfer or a result, for example while its lists are behind. An
 * absence counts only when two lookups find it, this many seconds apart, and no lookup between them finds anything else.
 */
const apartS = {
  /** A command of an order, and a transfer to us that has started. */
  order: 60,
  /** A command that a registry has accepted for an order and decides later. */
  pending: 600,
  /** A domain of ours, for the daily check and for changes of it. */
  domain: 3_600,
}

/** Seconds until a second lookup can confirm an absence, or 0 if this one does. `missedForS`: seconds since the first; null: this is it. */
export function untilConfirmedS(of: keyof typeof apartS, missedForS: number | null): number {
  return Math.max(0, apartS[of] - (missedForS ?? 0))
}

/** The registry says that the object does not exist. */
export const isMissing = refusedWith(2303)

/** The object belongs to another registrar. Some registries then reveal nothing else about it. */
export const isOfAnother = refusedWith(2201)

/** No transfer is in progress, or none that we take part in. */
export const isNoTransfer = refusedWith(2201, 2301)

/** The same for a domain that is not ours, for which a registry may also refuse because the transfer code is missing (2202). */
export const isNoTransferOfOurs = refusedWith(2201, 2202, 2301)

function refusedWith(...codes: readonly number[]) {
  return (reading: Reading<unknown> | undefined): boolean =>
    reading?.kind === 'refused' && codes.includes(reading.reply.code)
}

/** Where a domain that should be ours is, according to an answer that does not show it; undefined: the answer does not say. */
export function absenceIn(info: Reading<unknown>): 'deleted' | 'transferred' | undefined {
  return isMissing(info) ? 'deleted' : isOfAnother(info) ? 'transferred' : undefined
}
