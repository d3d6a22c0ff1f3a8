import { isMissing, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from '#modules/registry-commands/index.ts'
import { type DomainInfo, type Reading, sameId, type Transfer } from '#ports/registry.ts'

/** The state of a transfer to us that had started. */
export type TransferStanding =
  | { readonly kind: 'arrived'; readonly expiresAt: Date | null }
  /** The transfer was rejected or cancelled. */
  | { readonly kind: 'lost' }
  /** The domain no longer exists. */
  | { readonly kind: 'missing' }
  /** Check again in this many seconds. `isDoubted`: the transfer is no longer in progress, and nothing shows how it ended. */
  | { readonly kind: 'awaited'; readonly afterS: number; readonly isDoubted?: true }

/** Seconds between two checks of a started transfer: while it is in progress, and while its outcome is unclear. */
export const transferLooks = { underWay: 3_600, soon: 60 }

/**
 * Decides what the registry's two answers mean. `info` was queried after `transfer`: so a transfer that was approved between the two counts as
 * arrived, and never as ended without the domain. The data of `info` may be outdated.
 *
 * A transfer is lost if the registry says that it was rejected or cancelled. If the registry shows nothing about transfers that have ended, a
 * transfer is lost after two lookups with the same result, far enough apart (`untilConfirmedS`). The same is true for a missing domain.
 * `doubtedForS`: seconds since the first of these lookups; null: the last lookup had another result.
 */
export function judgeTransfer(
  transfer: Reading<Transfer>,
  info: Reading<DomainInfo>,
  { registrarId, doubtedForS }: { readonly registrarId: string; readonly doubtedForS: number | null },
): TransferStanding {
  const later: TransferStanding = { kind: 'awaited', afterS: transferLooks.underWay }
  const soon: TransferStanding = { kind: 'awaited', afterS: transferLooks.soon }
  if (info.kind === 'done' && sameId(info.value.sponsor, registrarId))
    return { kind: 'arrived', expiresAt: info.value.expiresAt }
  const isOwn = transfer.kind === 'done' && sameId(transfer.value.requestedBy, registrarId)
  const isUnderWay = transfer.kind === 'done' && transfer.value.status === 'pending'
  if (isOwn && /Approved$/.test(transfer.value.status)) return soon
  if (isOwn && isUnderWay) return later
  const inTwoLooks = (standing: TransferStanding): TransferStanding => {
    const waitS = untilConfirmedS('order', doubtedForS)
    return waitS > 0 ? { kind: 'awaited', afterS: waitS, isDoubted: true } : standing
  }
  if (isMissing(info)) return inTwoLooks({ kind: 'missing' })
  if (isUnderWay || (info.kind !== 'done' && !isOfAnother(info))) return later
  if (isOwn) return { kind: 'lost' }
  return transfer.kind === 'done' || isNoTransferOfOurs(transfer) ? inTwoLooks({ kind: 'lost' }) : later
}
