import { showKeys } from '#modules/api-keys/index.ts'
import { showDelegationChecks } from '#modules/delegation/index.ts'
import { showDomainOperations } from '#modules/domains/index.ts'
import { showOutbox } from '#modules/events/index.ts'
import { showMails } from '#modules/mail/index.ts'
import { showOrders } from '#modules/orders/index.ts'
import { showPayments } from '#modules/payments/index.ts'
import { showLanes } from '#modules/webhooks/index.ts'
import { showArchive } from '#platform/figures/archive.ts'
import { showCertificates } from './certificates.ts'
import type { Platform } from './platform.ts'

/** What each API tells of the whole installation (docs/metrics.md, "The whole installation"). */
export function showInstallation({ configuration, database: { db }, log, metrics }: Platform): void {
  for (const show of [
    showLanes,
    showOutbox,
    showMails,
    showOrders,
    showPayments,
    showDomainOperations,
    showDelegationChecks,
    showKeys,
    showArchive,
  ])
    show({ metrics, db, log })
  showCertificates(metrics, configuration)
}
