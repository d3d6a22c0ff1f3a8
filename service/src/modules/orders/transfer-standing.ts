import { isMissing, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from '#modules/registry-commands/index.ts'
import { type DomainInfo, type Reading, sameId, type Transfer } from '#ports/registry.ts'

/** How it stands with a transfer to us that had begun. */
export type TransferStanding =
  | { readonly kind: 'arrived'; readonly expiresAt: Date | null }
  /** It was rejected, or taken back. */
  | { readonly kind: 'lost' }
  /** There is no such domain any more. */
  | { readonly kind: 'missing' }
  /** Look again, so many seconds from now. `isDoubted`: it is under way no longer, and nothing tells what came of it. */
  | { readonly kind: 'awaited'; readonly afterS: number; readonly isDoubted?: true }

/** Seconds between two looks at a transfer that has begun: while it is under way, and while its end is not told clearly. */
export const transferLooks = { underWay: 3_600, soon: 60 }

/**
 * Decides what the registry's two answers mean. `info` was asked after `transfer`: a transfer that was approved between the two is
 * seen as arrived, and never as one that is over and has not brought the domain. What `info` shows may still lag behind.
 *
 * Lost is only what the registry says was rejected or cancelled; where it tells nothing of transfers that are over, what two looks
 * show alike that are far enough apart (`untilConfirmedS`), and so is a domain that is missing. `doubtedForS`: since when looks have found
 * it so, in seconds; null: the last one did not.
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
