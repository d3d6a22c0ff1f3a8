import { withinBudget } from '#http/change-budget.ts'
import { AccountBudgets } from '#modules/accounts/index.ts'
import { signedAuthentication } from '#modules/api-keys/index.ts'
import { type Door, type DoorOptions, openDoor } from '#modules/dns-door/index.ts'
import { type AwaitedChange, areServedInSync, Pace } from '#modules/publication/index.ts'
import { Gather } from '#platform/work/gather.ts'
import type { Running } from '#platform/work/process-life.ts'
import { nameserversOf, type Parts } from './parts.ts'
import type { Platform } from './platform.ts'

/** How changes that wait for the nameservers are looked up: in batches, and about as often as a change takes to reach them. */
const polling = { maxItems: 500, gapMs: 10 }

/** The DNS door: signed updates, queries and transfers with API keys. SIGHUP reloads its certificate. */
export async function startDnsDoor(platform: Platform): Promise<Running> {
  const { doorListen, doorTls } = platform.configuration
  const door = await composeDoor(platform, {
    listen: doorListen,
    tls: doorTls,
    ...(platform.tsigSecrets && { secrets: platform.tsigSecrets }),
  })
  const renew = (): void => door.renewCertificate()
  if (doorTls !== undefined) process.on('SIGHUP', renew)
  return {
    stop: async () => {
      process.off('SIGHUP', renew)
      await door.stop()
    },
  }
}

/** Opens the door with the parts of an installation. `updatesPerMinute`: for each key. */
export async function composeDoor(
  parts: Pick<Parts, 'configuration' | 'database' | 'log' | 'metrics' | 'secrets'>,
  {
    updatesPerMinute,
    ...options
  }: Pick<DoorOptions, 'listen' | 'tls'> &
    Partial<Pick<DoorOptions, 'secrets'>> & { readonly updatesPerMinute?: number },
): Promise<Door> {
  const { database, log, metrics, secrets } = parts
  const budget = new AccountBudgets(database.db, log)
  const served = new Gather<AwaitedChange, boolean>(polling, (changes) => areServedInSync(database.db, changes))
  const door = await openDoor({
    ...{ database, log, metrics, secrets, nameservers: nameserversOf(parts) },
    authenticate: signedAuthentication(
      database,
      updatesPerMinute === undefined ? {} : { requestsPerMinute: updatesPerMinute },
    ),
    withinBudget: (accountId, bodyBytes, change) => withinBudget({ budget, accountId, bodyBytes }, change),
    isServed: (zoneId, serial) => served.ask({ zoneId, serial }),
    pace: new Pace(),
    ...options,
  })
  return {
    ...door,
    stop: async () => {
      await door.stop()
      await budget.close()
    },
  }
}
