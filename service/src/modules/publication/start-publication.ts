import { parseName, type TsigKey } from '@zonewright/dns'
import {
  createPrimaryFigures,
  createTransferSource,
  type Endpoint,
  type NameserverEntry,
  openPrimaryServer,
  parseEndpoint,
  TransferTurns,
} from '#modules/primary/index.ts'
import type { Delegate } from '#modules/zones/index.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Wake } from '#platform/postgres/index.ts'
import type { AnnouncerParts, NamedEndpoint } from './announcer.ts'
import { ensureCatalog } from './catalog-store.ts'
import { createFigures } from './figures.ts'
import { beginLead, type Lead, type LeadParts } from './leader.ts'
import { Leadership } from './leader-lease.ts'
import { leaderPolls } from './leader-polls.ts'
import { PublicationUnfit, settleNameservers } from './settle-nameservers.ts'

export interface PublicationOptions {
  readonly database: Database
  readonly wake: Wake
  readonly log: Logger
  readonly metrics: Metrics
  /** The listening address of the hidden primary, TCP and UDP. Port 0: any. */
  readonly listen: Endpoint
  readonly nameservers: readonly NameserverEntry[]
  /** Keys between the primary and its secondaries. The first one signs. Queries of nameservers may be signed with any of them. */
  readonly tsigKeys: readonly [TsigKey, ...TsigKey[]]
  /** Name of the catalog zone, without trailing dot. */
  readonly catalogName: string
  /** Writes the delegations between zones here, which follow the nameservers. */
  readonly delegate: Delegate
  /** How long after taking the lead serials are first compared with the nameservers. Default: a minute. */
  readonly watchAfterMs?: number
}

export interface Publication {
  readonly address: Endpoint
  /** Stops announcing and answering; transfers in progress have two seconds to finish. */
  stop(): Promise<void>
}

const graceMs = 2_000

/**
 * Starts the hidden primary: it answers secondaries immediately, and leads (announces changes, writes the catalog)
 * as soon as no other primary does.
 *
 * @throws PublicationUnfit if the configuration is invalid; the socket's error if the address is in use.
 */
export async function startPublication(options: PublicationOptions): Promise<Publication> {
  const { database, wake, log } = options
  if (options.nameservers.length === 0) throw new PublicationUnfit('NAMESERVERS names no nameserver.')
  const configured = withEndpoints(options.nameservers)
  const retired = withEndpoints(await settleNameservers(options, options.nameservers))
  await ensureCatalog(database.db)
  const parts = leadParts(options, { configured, retired })
  let lead: Lead | undefined
  const server = await openPrimaryServer(options.listen, {
    source: createTransferSource(database.db, parts.catalog),
    turns: new TransferTurns(),
    keys: options.tsigKeys,
    log,
    figures: createPrimaryFigures(options.metrics),
    onServed: (origin) => lead?.announcer.hint(origin),
  })
  wake.on('zones_changed', (zoneIds) => lead?.zonesChanged(zoneIds))
  wake.on('catalog_changed', () => lead?.catalogChanged())
  const leadership = new Leadership(database, log, async (isLeading) => {
    const begun = await beginLead({ ...parts, isLeading })
    lead = begun
    // Only the leader is notified of changes. Notifications of other processes arrive through PostgreSQL.
    const letGo = wake.keep('zones_changed')
    return async () => {
      letGo()
      lead = undefined
      await begun.end()
    }
  })
  leadership.start()
  return {
    address: server.address,
    stop: async () => {
      await Promise.all([leadership.stop(), server.close(graceMs)])
    },
  }
}

function leadParts(
  { database, log, metrics, listen, tsigKeys, catalogName, delegate, watchAfterMs = 60_000 }: PublicationOptions,
  nameservers: Pick<AnnouncerParts, 'configured' | 'retired'>,
): Omit<LeadParts, 'isLeading'> {
  const catalog = parseName(`${catalogName}.`)
  const figures = createFigures(metrics)
  const polls = leaderPolls(database)
  return {
    database,
    log,
    figures,
    ...nameservers,
    key: tsigKeys[0],
    host: listen.host,
    catalog,
    delegate,
    polls,
    watchAfterMs,
  }
}

function withEndpoints(nameservers: readonly NameserverEntry[]): NamedEndpoint[] {
  return nameservers.map(({ name, address }) => {
    const endpoint = parseEndpoint(address)
    if (endpoint === undefined) {
      throw new PublicationUnfit(
        `NAMESERVERS: ${name}=${address} is not an address and port like 192.0.2.1:53 or [2001:db8::1]:53.`,
      )
    }
    return { name, endpoint }
  })
}
