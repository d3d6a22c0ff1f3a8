import { displayText, secondaryRoutes, type WireSecondary } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { tsigConfig, tsigNameOf } from '#modules/api-keys/index.ts'
import type { Endpoint } from '#modules/primary/index.ts'
import type { Delegate } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { canonicalAddress, isInZone, type Reach, readWanted, type WantedSecondary } from './rules.ts'
import { setSecondaries } from './set-secondaries.ts'
import { readSecondaries, readServers, type SecondaryRow } from './store.ts'

/** What the routes need from other modules. */
export interface SecondaryRoutesContext extends Reach {
  readonly delegate: Delegate
  /** Where secondaries transfer zones from: an IP address, because most programs take no host name. */
  readonly door: Endpoint
  /** Whether a host outside the zone has an address on the internet. */
  readonly hasAddress: (host: string) => Promise<boolean>
}

export function mountSecondaryRoutes(server: HttpServer, context: SecondaryRoutesContext): void {
  const { db } = server.database

  server.mount(secondaryRoutes.getSecondaries, async ({ zone }) => ({ status: 200, body: await shown(db, zone.id) }))

  server.mount(secondaryRoutes.setSecondaries, async ({ actor, zone, body, transact }) => {
    if (zone.role !== 'owner') throw new Refusal('forbidden', 'Only the owner of a zone can change its secondaries.')
    const { wanted, faults } = readWanted(body.secondaries, context)
    const known = new Set((await readServers(db, zone.id)).map(({ nsName }) => nsName))
    const unknown = await hostFaults(zone.name, wanted, known, context)
    return transact(async (tx) => {
      await setSecondaries(tx, actor, context.delegate, { zoneId: zone.id, wanted, faults: [...faults, ...unknown] })
      return { status: 200, body: await shown(tx, zone.id) }
    })
  })

  server.mount(secondaryRoutes.getSecondaryConfig, async ({ zone, query }) => {
    const secondaries = await readSecondaries(db, zone.id)
    const { address } = query
    const asked = address === undefined ? undefined : canonicalAddress(address)
    const secondary = address === undefined ? secondaries[0] : secondaries.find((each) => each.address === asked)
    if (secondary === undefined) throw new Refusal('not_found', 'The zone has no such secondary. Add it first.')
    const use = { keyName: tsigNameOf(secondary.keyId), door: context.door, zones: [zone.name] }
    return { status: 200, type: 'text/plain; charset=utf-8', body: tsigConfig(query.for, use) }
  })
}

async function shown(db: Db, zoneId: string): Promise<{ secondaries: WireSecondary[] }> {
  return { secondaries: (await readSecondaries(db, zoneId)).map(secondaryToWire) }
}

function secondaryToWire(row: SecondaryRow): WireSecondary {
  return {
    address: row.address,
    port: row.port,
    key_id: row.keyId,
    ns_name: row.nsName,
    state: row.isUsable ? (row.isHeard ? 'active' : 'silent') : 'cut_off',
    key_name: row.keyName === null ? null : displayText(row.keyName),
    key_expires_at: row.keyExpiresAt?.toISOString() ?? null,
    notified_at: row.notifiedAt?.toISOString() ?? null,
    notify_outcome: row.notifyOutcome,
    read_at: row.readAt?.toISOString() ?? null,
  }
}

/**
 * Names outside the zone must have an address on the internet. All of them are looked up at the same time. Those that the list already has are
 * not looked up again, so that the owner can change it while their DNS is down.
 */
async function hostFaults(
  zone: string,
  wanted: readonly WantedSecondary[],
  known: ReadonlySet<string | null>,
  { hasAddress }: SecondaryRoutesContext,
): Promise<FaultDetail[]> {
  const faults = await Promise.all(
    wanted.map(async ({ nsName }, i): Promise<FaultDetail[]> => {
      if (nsName === null || known.has(nsName) || isInZone(nsName, zone) || (await hasAddress(nsName))) return []
      const message = `No address of ${nsName} was found. Add one at the DNS provider of this name first.`
      return [{ path: `/secondaries/${i}/ns_name`, code: 'no_address', message }]
    }),
  )
  return faults.flat()
}
