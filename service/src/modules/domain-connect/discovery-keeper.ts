import { changeRecords } from '#modules/records/index.ts'
import { nilId } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { discoveryText } from './settings.ts'
import { pageOfZones, type ZoneWithout } from './store.ts'

/** Zones that are checked per second. Changing all of them leaves room for customers' changes. */
const zonesPerSecond = 200
const ttl = 3_600

interface KeeperParts {
  readonly database: Database
  readonly log: Logger
  /** PUBLIC_URL. */
  readonly site: string
  /** Whether DOMAIN_CONNECT is set. Otherwise, the records are removed. */
  readonly isOn: boolean
}

/**
 * Keeps the TXT record by which service providers find this DNS provider in every live zone. A customer's own record takes precedence: the service
 * adds its own again only after that is deleted.
 *
 * Checks all zones continuously, some each second, because zones go live, customers delete their own records, and PUBLIC_URL changes. If
 * DOMAIN_CONNECT is not set, one pass at the start removes the records. Every worker runs one.
 */
export function discoveryKeeper({ database, log, site, isOn }: KeeperParts): Rounds {
  const wanted = isOn ? discoveryRecord(site) : undefined
  let after = nilId
  let isDone = false
  return new Rounds({
    name: 'records of Domain Connect',
    log,
    look: async () => !isDone,
    round: async () => {
      if (isDone) return false
      const { zones, last } = await pageOfZones(database.db, wanted, after, zonesPerSecond)
      await Promise.all(zones.map((zone) => keep(database, zone, wanted)))
      isDone = last === undefined && !isOn
      after = last ?? nilId
      return false
    },
  })
}

/** The record data of the TXT. */
function discoveryRecord(site: string): string {
  return `"${discoveryText(site)}"`
}

async function keep(database: Database, { id, name }: ZoneWithout, wanted: string | undefined): Promise<void> {
  try {
    await changeRecords(database, {
      zoneId: id,
      actor: actorNamed('system', 'domain connect'),
      changes: [{ name, type: 'TXT', ttl, ask: { kind: 'replace', records: wanted === undefined ? [] : [wanted] } }],
      byService: true,
      ifMatch: undefined,
      pathOf: () => '/name',
    })
  } catch (error) {
    // The zone was deleted, or its customer has just added a conflicting record.
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
  }
}
