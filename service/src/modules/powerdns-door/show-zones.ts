import { maxPageSize } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { CalledZone } from '#http/call.ts'
import {
  managedRrsets,
  RecordAccess,
  type RecordWriter,
  readAtNames,
  readableTarget,
  readWholeZone,
} from '#modules/records/index.ts'
import { listZones, readZone, type ZoneRow, zoneNameIn } from '#modules/zones/index.ts'
import { type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { readSettings, settingsOf, usualSettings } from './settings-store.ts'
import { listedZoneJson, namedZoneJson, rrsetJson, type ShownRrset, zoneJson } from './zone-json.ts'

/** Dependencies of showing zones on other modules. */
interface ShowingParts {
  readonly writer: RecordWriter
  readonly nameservers: readonly string[]
}

type Query = Readonly<Record<string, string>>

/**
 * The live zones that a caller sees, all at once: PowerDNS has no pages. `?zone=` selects one by its name.
 *
 * A caller with only `acme:dns01` gets the names of the zones that were picked for its key, since its client has to find the zone of a name.
 */
export async function listedZones(db: Db, caller: Caller<'key'>, { zone }: Query): Promise<object[]> {
  const readsZones = holds(caller, 'records:read')
  if (!readsZones && caller.allZones)
    throw new Refusal(
      'forbidden',
      'This key is for all zones, and can change ACME challenges only. Pick zones by name, or add records:read.',
    )
  const name = zone === undefined ? undefined : zoneNameIn(zone)
  const listed: object[] = []
  for (let after: string[] | undefined; ; ) {
    const page = await listZones(db, caller, { sort: 'name', limit: maxPageSize, after, name, state: 'live' })
    const zones = page.slice(0, maxPageSize)
    const settings = readsZones
      ? await readSettings(
          db,
          zones.map(({ id }) => id),
        )
      : undefined
    for (const row of zones)
      listed.push(
        settings ? listedZoneJson({ ...row, ...(settings.get(row.id) ?? usualSettings) }) : namedZoneJson(row.name),
      )
    const last = zones.at(-1)
    if (last === undefined || page.length <= maxPageSize) return listed
    after = [last.name, last.id]
  }
}

/**
 * One zone with the record sets that a caller can read. `?rrsets=false` omits them. `?rrset_name=` and `?rrset_type=` select some.
 *
 * A caller that cannot read the zone itself gets the members of a new one.
 */
export async function shownZone(
  { writer, nameservers }: ShowingParts,
  { caller, zone }: { readonly caller: Caller; readonly zone: CalledZone },
  query: Query,
): Promise<object> {
  const { db } = writer
  const isWhole = query['rrsets'] !== 'false'
  const name = nameIn(zone, query)
  const { row, rrsets } =
    isWhole && name === undefined
      ? await writer.reading({ caller }, () => wholeZone(db, zone.id))
      : { row: await zoneRow(db, zone.id), rrsets: isWhole && name ? await readAtNames(db, zone.id, [name]) : [] }
  const settings = holds(caller, 'records:read') ? await settingsOf(db, row.id) : undefined
  const shown = settings ? { ...row, ...settings } : { name: row.name, serial: 0, ...usualSettings }
  if (!isWhole) return zoneJson(shown, undefined)
  const type = query['rrset_type']?.toUpperCase()
  const access = new RecordAccess(caller, zone)
  const isShown = (rrset: ShownRrset): boolean =>
    (name === undefined || rrset.name === name) && (!type || rrset.type === type) && access.mayRead(rrset)
  // Hide other managed record sets, because clients would try to delete them.
  const own = managedRrsets(row, nameservers)
  const others = rrsets.filter(({ managed }) => !managed)
  return zoneJson(shown, await inSlices(rrsetsJson([...own, ...others], isShown)))
}

/** The requested owner name. Undefined: all names. Empty: the text is not a name in the zone. */
function nameIn(zone: CalledZone, { rrset_name: text }: Query): string | undefined {
  if (!text) return undefined
  return readableTarget(zone.name, { name: text, type: 'A' })?.name ?? ''
}

function* rrsetsJson(
  rrsets: readonly ShownRrset[],
  isShown: (rrset: ShownRrset) => boolean,
): Generator<undefined, ReturnType<typeof rrsetJson>[]> {
  const shown: ReturnType<typeof rrsetJson>[] = []
  for (const rrset of rrsets) {
    if (isShown(rrset)) shown.push(rrsetJson(rrset))
    yield
  }
  return shown
}

async function wholeZone(db: Db, zoneId: string) {
  const whole = await readWholeZone(db, zoneId)
  if (whole === undefined) throw noSuchZone()
  return { row: whole.zone, rrsets: whole.rrsets }
}

async function zoneRow(db: Db, zoneId: string): Promise<ZoneRow> {
  const row = await readZone(db, zoneId)
  if (row === undefined) throw noSuchZone()
  return row
}
