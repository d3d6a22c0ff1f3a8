import { absenceIn, untilConfirmedS } from '#modules/registry-commands/index.ts'
import { type DomainInfo, type Reading, sameId, type Transfer } from '#ports/registry.ts'
import type { TransferOut } from './store.ts'

/** The meaning of a lookup at the registry for a domain that we assume to be ours. */
export type SyncVerdict =
  /** The domain is ours. `transferOut`: another registrar has requested it. */
  | { readonly kind: 'here'; readonly info: DomainInfo; readonly transferOut: TransferOut | null }
  | { readonly kind: 'gone'; readonly why: 'transferred' | 'deleted' }
  /** The registry does not know the domain, or shows nothing. Look it up again in this many seconds before it counts as gone. */
  | { readonly kind: 'missing'; readonly afterS: number }
  /** Unknown: look it up again in this many seconds. `isThere`: it is still ours. `alert`: an operator must act. */
  | { readonly kind: 'unseen'; readonly afterS: number; readonly isThere?: true; readonly alert?: string }

/** Seconds. */
export const syncWaits = { daily: 86_400, unanswered: 900, fault: 3_600, justChanged: 60 }

/**
 * Decides what the registry's answers mean. `transfer` is queried only for a domain whose transfer is in progress. `missingForS`: seconds since
 * a lookup first found nothing; null: the last lookup found the domain.
 *
 * A domain is gone if the registry shows it with another registrar. If the registry shows nothing, this may be a fault of the registry, so it
 * counts only after two lookups (`untilConfirmedS`).
 */
export function judgeSync(
  info: Reading<DomainInfo>,
  transfer: Reading<Transfer> | undefined,
  registrarId: string,
  missingForS: number | null,
): SyncVerdict {
  if (info.kind === 'done') {
    if (!sameId(info.value.sponsor, registrarId)) return { kind: 'gone', why: 'transferred' }
    if (transfer === undefined) return { kind: 'here', info: info.value, transferOut: null }
    // Without this answer, the service could not report who requested the transfer and when it ends.
    if (transfer.kind !== 'done') return { kind: 'unseen', afterS: syncWaits.unanswered, isThere: true }
    return { kind: 'here', info: info.value, transferOut: transferOutOf(transfer.value) }
  }
  if (info.kind === 'refused') {
    const why = absenceIn(info)
    if (why !== undefined) {
      const waitS = untilConfirmedS('domain', missingForS)
      return waitS > 0 ? { kind: 'missing', afterS: waitS } : { kind: 'gone', why }
    }
    return { kind: 'unseen', afterS: syncWaits.fault, alert: `${info.reply.code} ${info.reply.message}` }
  }
  if (info.kind === 'fault')
    return { kind: 'unseen', afterS: syncWaits.fault, alert: `${info.fault}: ${info.reply.message}` }
  return { kind: 'unseen', afterS: syncWaits.unanswered }
}

function transferOutOf({ status, requestedBy, requestedAt, actBy }: Transfer): TransferOut | null {
  if (status !== 'pending') return null
  return { requestedBy, requestedAt: requestedAt.toISOString(), actBy: actBy.toISOString() }
}
