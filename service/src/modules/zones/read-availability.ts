import type { WireZoneAvailability } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { mayAdd } from './rules.ts'
import { countedSurroundingsOf } from './store.ts'
import { parseZoneName } from './zone-name.ts'

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
  let name = text
  try {
    const parsed = parseZoneName(text)
    name = parsed
    const around = await countedSurroundingsOf(db, parsed, accountId)
    mayAdd(parsed, around, serviceDomains)
    if (!around.taken) return { name, available: true, reason: null, message: null }
    const message = `Another account hosts ${name} here. You can add it, and it is live when you have proved that it is yours.`
    return { name, available: true, reason: 'hosted', message }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { name, available: false, reason: reasonOf(error), message: error.message }
  }
}

function reasonOf({ code, details }: Refusal): WireZoneAvailability['reason'] {
  if (code === 'zone_exists') return 'yours'
  if (code === 'zone_limit') return 'limit'
  if (code === 'conflict') return 'taken'
  return details.some((detail) => detail.code === 'reserved') ? 'reserved' : 'invalid'
}
