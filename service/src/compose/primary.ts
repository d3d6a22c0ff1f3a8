import { startPublication } from '#modules/publication/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import { catalogName } from '#modules/zones/index.ts'
import { textOf } from '#platform/settings/configuration.ts'
import type { Running } from '#platform/work/process-life.ts'
import type { Platform } from './platform.ts'

/** The hidden primary: notifies the nameservers of changes, serves the zones to them, and learns which versions they serve. */
export async function startPrimary({ configuration, database, log, metrics, wake }: Platform): Promise<Running> {
  const { tsigKey, tsigKeyFallback } = configuration
  return startPublication({
    database,
    wake,
    log,
    metrics,
    listen: configuration.primaryListen,
    nameservers: configuration.nameservers.map((nameserver) => ({
      name: nameserver.name,
      address: textOf(nameserver),
    })),
    tsigKeys: [tsigKey.key, ...(tsigKeyFallback ? [tsigKeyFallback.key] : [])],
    catalogName,
    delegate: delegateTo(configuration.nameservers.map(({ name }) => name)),
  })
}
