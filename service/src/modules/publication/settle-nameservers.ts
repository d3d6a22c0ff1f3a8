import {
  lockNameservers,
  type NameserverEntry,
  readConfiguredNames,
  readRetired,
  writeNameservers,
} from '#modules/primary/index.ts'
import { CannotStart } from '#platform/cannot-start.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { forgetUnchangedNames, keepFormerNames } from './apex-store.ts'
import { keepFormerCuts } from './cut-store.ts'
import { namesDiffer } from './rules.ts'
import { forgetReplaced } from './store.ts'

/** The configuration is invalid; the message is one line for a person. */
export class PublicationUnfit extends CannotStart {}

/**
 * Updates the table of nameservers to the configuration, and returns those that were removed recently: they are notified of
 * changes for a while, because resolvers still query them.
 *
 * A published zone continues to name its previous nameservers until the leader gives it a serial with the new ones
 * (`moveApexes`). The table decides, not a process's own configuration, because several processes may start one after another.
 */
export async function settleNameservers(
  { database, log }: { database: Database; log: Logger },
  configured: readonly NameserverEntry[],
): Promise<NameserverEntry[]> {
  const names = configured.map(({ name }) => name)
  return database.transact(async (tx) => {
    await lockNameservers(tx)
    const published = await readConfiguredNames(tx)
    const isChange = published.length > 0 && namesDiffer(published, names)
    if (isChange) log.info({ from: published, to: names }, 'the nameservers have changed; zones follow one by one')
    if (isChange) await keepFormerNames(tx, published)
    await forgetReplaced(tx, configured)
    await writeNameservers(tx, configured, { startLagging: isChange })
    if (isChange) await forgetUnchangedNames(tx)
    await keepFormerCuts(tx)
    return readRetired(tx)
  })
}
