import { absenceIn, untilConfirmedS } from '#modules/registry-commands/index.ts'
import { type DomainInfo, type Reading, sameId, type Transfer } from '#ports/registry.ts'
import type { TransferOut } from './store.ts'

/** What a look at the registry means for a domain that we believe to have. */
export type SyncVerdict =
  /** It is ours. `transferOut`: another registrar has asked for it. */
  | { readonly kind: 'here'; readonly info: DomainInfo; readonly transferOut: TransferOut | null }
  | { readonly kind: 'gone'; readonly why: 'transferred' | 'deleted' }
  /** The registry knows nothing of it, or tells us nothing: look again, so many seconds from now, before it counts as gone. */
  | { readonly kind: 'missing'; readonly afterS: number }
  /** Nobody knows: look again, so many seconds from now. `isThere`: it is ours all the same. `alert`: a person of ours must act. */
  | { readonly kind: 'unseen'; readonly afterS: number; readonly isThere?: true; readonly alert?: string }

/** Seconds. */
export const syncWaits = { daily: 86_400, unanswered: 900, fault: 3_600, justChanged: 60 }

/**
 * Decides what the registry's answers mean. `transfer` was asked only of a domain whose transfer is under way. `missingForS`: since
 * when looks have found nothing of it, in seconds; null: the last one saw it.
 *
 * A domain is gone when the registry shows it with another registrar. That it shows nothing may be a fault of its own: that counts
 * only after two lookups (`untilConfirmedS`).
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
    // Without it nobody could be told who has asked, and until when.
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
