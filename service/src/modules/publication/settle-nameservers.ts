import { CannotStart } from '#platform/cannot-start.ts'
import type { Database } from '#platform/db.ts'
import { namesDiffer } from './rules.ts'
import { lockNameservers, type NameserverEntry, writeNameservers } from './store.ts'
import { anyZoneIsLive } from './zone-store.ts'

/** The configuration does not fit the zones that are published; the message is one line for a person. */
export class PublicationUnfit extends CannotStart {}

/**
 * Brings the table of nameservers to what is configured. Addresses may change freely.
 *
 * Names may not while zones are live: each of them names its nameservers in its own NS records and SOA, which secondaries
 * already hold under the present serials.
 *
 * @throws PublicationUnfit
 */
export async function settleNameservers(database: Database, configured: readonly NameserverEntry[]): Promise<void> {
  await database.transact(async (tx) => {
    const published = await lockNameservers(tx)
    const names = configured.map(({ name }) => name)
    if (published.length > 0 && namesDiffer(published, names) && (await anyZoneIsLive(tx))) {
      throw new PublicationUnfit(
        `NAMESERVERS names ${names.join(', ')}, but the live zones are published with ${published.join(', ')}: ` +
          'the names cannot change while zones are live (addresses can).',
      )
    }
    await writeNameservers(tx, configured)
  })
}
