import { isMissing, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from '#modules/registry-commands/index.ts'
import { sameId } from '#ports/registry.ts'
import type { Order } from './order.ts'
import { reasons, type Sight, type Verdict } from './reconcile.ts'

type UnderWay = Pick<Sight, 'transfer' | 'info' | 'registrarId'> & Pick<Order, 'doubtedForS'>

/** Seconds between two checks of a started transfer: while it is in progress, and while its outcome is unclear. */
export const transferLooks = { underWay: 3_600, soon: 60 }

/**
 * Decides what the registry's two answers mean for a transfer to us that had started. `info` was queried after `transfer`: so a transfer that
 * was approved between the two counts as arrived, and never as ended without the domain. The data of `info` may be outdated.
 *
 * A transfer is lost if the registry says that it was rejected or cancelled. If the registry shows nothing about transfers that have ended, a
 * transfer is lost after two lookups with the same result, far enough apart (`untilConfirmedS`). The same is true for a missing domain.
 * `doubtedForS`: seconds since the first of these lookups; null: the last lookup had another result.
 */
export function judgeTransferUnderWay({ transfer, info, registrarId, doubtedForS }: UnderWay): Verdict {
  const later: Verdict = { state: 'pending', afterS: transferLooks.underWay }
  const soon: Verdict = { state: 'pending', afterS: transferLooks.soon }
  const lost: Verdict = { state: 'refused', message: reasons.transferRejected }
  if (info?.kind === 'done' && sameId(info.value.sponsor, registrarId))
    return { state: 'done', expiresAt: info.value.expiresAt }
  const isOwn = transfer?.kind === 'done' && sameId(transfer.value.requestedBy, registrarId)
  const isUnderWay = transfer?.kind === 'done' && transfer.value.status === 'pending'
  if (isOwn && /Approved$/.test(transfer.value.status)) return soon
  if (isOwn && isUnderWay) return later
  const inTwoLooks = (end: Verdict): Verdict => {
    const waitS = untilConfirmedS('order', doubtedForS)
    return waitS > 0 ? { state: 'pending', afterS: waitS, missed: true } : end
  }
  if (isMissing(info)) return inTwoLooks({ state: 'refused', message: reasons.vanished })
  if (isUnderWay || (info?.kind !== 'done' && !isOfAnother(info))) return later
  if (isOwn) return lost
  return transfer?.kind === 'done' || isNoTransferOfOurs(transfer) ? inTwoLooks(lost) : later
}
