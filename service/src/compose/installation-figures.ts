import { aliasFigures } from '#modules/alias/index.ts'
import { keyFigures } from '#modules/api-keys/index.ts'
import { delegationFigures } from '#modules/delegation/index.ts'
import { domainFigures } from '#modules/domains/index.ts'
import { outboxFigures } from '#modules/events/index.ts'
import { mailFigures } from '#modules/mail/index.ts'
import { orderFigures } from '#modules/orders/index.ts'
import { paymentFigures } from '#modules/payments/index.ts'
import { commandFigures } from '#modules/registry-commands/index.ts'
import { laneFigures } from '#modules/webhooks/index.ts'
import { archiveFigures } from '#platform/figures/archive.ts'
import { showByLabel, showFromDatabase } from '#platform/figures/database-figures.ts'
import { showCertificates } from './certificates.ts'
import type { Platform } from './platform.ts'

/** The metrics of each API about the whole installation (docs/metrics.md, "The whole installation"). */
export function showInstallation({ configuration, database: { db }, log, metrics }: Platform): void {
  for (const figures of [
    laneFigures,
    outboxFigures,
    mailFigures,
    orderFigures,
    paymentFigures,
    domainFigures,
    delegationFigures,
    keyFigures,
    aliasFigures,
    archiveFigures,
  ])
    showFromDatabase<string>({ metrics, db, log }, figures)
  showByLabel({ metrics, db, log }, commandFigures)
  showCertificates(metrics, configuration)
}
