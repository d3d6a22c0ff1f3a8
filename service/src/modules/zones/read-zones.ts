import type { KeyCaller, SessionCaller } from '#platform/caller.ts'
import { type Db, sql } from '#platform/db.ts'
import { anyText, decodeCursor, pageFrom } from '#platform/http/cursor.ts'
import { type ZoneRow, zoneColumns } from './store.ts'

export interface ZoneFilter {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly name?: string | undefined
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly state?: 'pending' | 'live' | undefined
}

/** A page of the zones that a caller may see, by name: what its key covers, or all that its account owns and manages. */
export async function listZones(
  db: Db,
  caller: KeyCaller | SessionCaller,
  filter: ZoneFilter,
): Promise<{ rows: readonly ZoneRow[]; nextCursor: string | null }> {
  const after = decodeCursor(filter.cursor, [anyText, anyText])
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z
    where z.id in (${visibleIds(caller)}) and z.state <> 'deleted'
      and (${after?.[0] ?? null}::text is null or (z.name, z.id::text collate "C") > (${after?.[0] ?? null}, ${after?.[1] ?? null}))
      and (${filter.name ?? null}::text is null or z.name = ${filter.name ?? null})
      and (${filter.q ?? null}::text is null or position(lower(${filter.q ?? null}) in z.name) > 0)
      and (${filter.state ?? null}::text is null or z.state = ${filter.state ?? null})
      and (${filter.role ?? null}::text is null or (z.account_id = ${caller.accountId}) = (${filter.role ?? null} = 'owner'))
    order by z.name, z.id limit ${filter.limit + 1}`.execute(db)
  return pageFrom(rows, filter.limit, (zone) => [zone.name, zone.id])
}

function visibleIds(caller: KeyCaller | SessionCaller) {
  const owned = sql`select id from zones where account_id = ${caller.accountId}`
  const managed = sql`select zone_id from zone_managers where account_id = ${caller.accountId}`
  if (caller.kind === 'session') return sql`${owned} union all ${managed}`
  // A picked zone counts as long as the account has a part in it.
  const picked = sql`
    select zone_id from api_key_zones
    where key_id = ${caller.keyId} and (zone_id in (${owned}) or zone_id in (${managed}))`
  return caller.allZones ? sql`${owned} union all ${picked}` : picked
}

/** The zone that a fully qualified name belongs to, as a page of one or none: the longest visible one at or above it. */
export async function zoneOwningName(
  db: Db,
  caller: KeyCaller | SessionCaller,
  name: string,
): Promise<readonly ZoneRow[]> {
  const labels = name.split('.')
  const candidates = labels.map((_, i) => labels.slice(i).join('.'))
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z
    where z.name = any(${candidates}) and z.id in (${visibleIds(caller)}) and z.state <> 'deleted'
    order by length(z.name) desc limit 1`.execute(db)
  return rows
}
