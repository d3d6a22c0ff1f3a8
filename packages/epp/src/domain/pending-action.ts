import { attribute, type Content, child, content, optionalChild, ownText, text } from '../content/content.ts'
import { epp, label, type TransactionIds, transactionId } from '../content/eppcom.ts'
import { instant, truth } from '../content/scalar.ts'
import { domain } from './parts.ts'

/** How an action that was pending has ended (RFC 5731 §3.3). */
export interface PendingActionData {
  readonly domain: { readonly name: string; readonly wasDone: boolean }
  /** The transaction of the command that requested it. */
  readonly transaction: TransactionIds
  readonly date: Date
}

export const transactionIds: Content<TransactionIds> = content<TransactionIds>({
  clTrid: optionalChild(epp('clTRID'), text(transactionId)),
  svTrid: child(epp('svTRID'), text(transactionId)),
})

export const pendingActionData: Content<PendingActionData> = content<PendingActionData>({
  domain: child(
    domain('name'),
    content<PendingActionData['domain']>({ name: ownText(label), wasDone: attribute('paResult', truth) }),
  ),
  transaction: child(domain('paTRID'), transactionIds),
  date: child(domain('paDate'), text(instant)),
})
