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

/** The configuration cannot be; the message is one line for a person. */
export class PublicationUnfit extends CannotStart {}

/**
 * Brings the table of nameservers to what is configured, and returns those that left it not long ago: they are told of
 * changes for a while yet, since resolvers still ask them.
 *
 * A published zone goes on naming the nameservers that it named so far, until the leader gives it a serial with the new ones
 * (`moveApexes`). What counts is what the table says, not a process's own configuration: several may start one after another.
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
