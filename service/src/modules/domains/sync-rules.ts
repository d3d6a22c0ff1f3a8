import type { DomainInfo, Reading, Transfer } from '#ports/registry.ts'
import type { TransferOut } from './store.ts'

/** What a look at the registry means for a domain that we believe to have. */
export type SyncVerdict =
  /** It is ours. `transferOut`: another registrar has asked for it. */
  | { readonly kind: 'here'; readonly info: DomainInfo; readonly transferOut: TransferOut | null }
  | { readonly kind: 'gone'; readonly why: 'transferred' | 'deleted' }
  /** Nobody knows: look again, so many seconds from now. `alert`: a person of ours must act. */
  | { readonly kind: 'unseen'; readonly afterS: number; readonly alert?: string }

/** Seconds. */
export const syncWaits = { daily: 86_400, unanswered: 900, fault: 3_600, justChanged: 60 }

/** Decides what the registry's answers mean. `transfer` was asked only of a domain whose transfer is under way. */
export function judgeSync(
  info: Reading<DomainInfo>,
  transfer: Reading<Transfer> | undefined,
  registrarId: string,
): SyncVerdict {
  if (info.kind === 'done') {
    if (info.value.sponsor !== registrarId) return { kind: 'gone', why: 'transferred' }
    if (transfer === undefined) return { kind: 'here', info: info.value, transferOut: null }
    // Without it nobody could be told who has asked, and until when.
    if (transfer.kind !== 'done') return { kind: 'unseen', afterS: syncWaits.unanswered }
    return { kind: 'here', info: info.value, transferOut: transferOutOf(transfer.value) }
  }
  if (info.kind === 'refused') {
    if (info.reply.code === 2303) return { kind: 'gone', why: 'deleted' }
    // Some registries tell nothing about what is another's.
    if (info.reply.code === 2201) return { kind: 'gone', why: 'transferred' }
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
