import type { WireZoneAvailability } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { mayAdd } from './rules.ts'
import { zoneCountOf, zonesAround } from './store.ts'
import { parseZoneName, type ZoneName } from './zone-name.ts'

/**
 * Whether `createZone` would accept a name now, by the same rules, and why not. It takes no locks, so the answer may be outdated when the
 * zone is added.
 */
export async function readAvailability(
  db: Db,
  accountId: string,
  text: string,
  serviceDomains: readonly string[],
): Promise<WireZoneAvailability> {
  const { found } = await readAvailabilities(db, accountId, [text], serviceDomains)
  return found[0] as WireZoneAvailability
}

/** The same for many names, each as if it was added alone, and how many more zones the account can have. */
export async function readAvailabilities(
  db: Db,
  accountId: string,
  texts: readonly string[],
  serviceDomains: readonly string[],
): Promise<{ readonly found: readonly WireZoneAvailability[]; readonly zonesLeft: number }> {
  const names = texts.map(nameOrRefusal)
  const valid = names.filter((name) => typeof name === 'string')
  const [around, count] = await Promise.all([zonesAround(db, valid, accountId), zoneCountOf(db, accountId)])
  const found = names.map((name, i): WireZoneAvailability => {
    if (name instanceof Refusal) return refused(texts[i] ?? '', name)
    const zones = around.get(name)
    if (zones === undefined) throw new Error(`Nothing was read about ${name}`)
    try {
      mayAdd(name, { ...zones, ...count }, serviceDomains)
    } catch (error) {
      if (error instanceof Refusal) return refused(name, error)
      throw error
    }
    if (!zones.taken) return { name, available: true, reason: null, message: null }
    const message = `Another account hosts ${name} here. You can add it, and it is live when you have proved that it is yours.`
    return { name, available: true, reason: 'hosted', message }
  })
  return { found, zonesLeft: Math.max(0, count.zoneLimit - count.zonesOfAccount) }
}

function nameOrRefusal(text: string): ZoneName | Refusal {
  try {
    return parseZoneName(text)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function refused(name: string, refusal: Refusal): WireZoneAvailability {
  return { name, available: false, reason: reasonOf(refusal), message: refusal.message }
}

function reasonOf({ code, details }: Refusal): WireZoneAvailability['reason'] {
  if (code === 'zone_exists') return 'yours'
  if (code === 'zone_limit') return 'limit'
  if (code === 'conflict') return 'taken'
  return details.some((detail) => detail.code === 'reserved') ? 'reserved' : 'invalid'
}
