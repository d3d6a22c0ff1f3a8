import type { PowerdnsEntry, PowerdnsZone } from '@zonewright/contract'
import { hasFinalDot } from '@zonewright/dns'
import { keyLacks, noSuchZone } from '#http/authorise.ts'
import { aliasTargets, changeRecords, previewChange, type RecordWriter, requestBy } from '#modules/records/index.ts'
import {
  type AddingParts,
  challengeOf,
  createZone,
  parseZoneName,
  readOwnZone,
  readZone,
  serviceNamesOf,
  type VerificationParts,
  verificationOf,
  verifyZone,
  type ZoneRow,
} from '#modules/zones/index.ts'
import { type Actor, type Caller, holds } from '#platform/caller.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Database, Db, Tx } from '#platform/postgres/index.ts'
import { changeSettings, readZoneSettings } from './change-settings.ts'
import { type RequestedChanges, readChanges } from './read-changes.ts'
import type { ZoneSettings } from './settings-store.ts'

/** Dependencies of zone creation on other modules. */
export interface CreationParts extends VerificationParts, AddingParts {
  readonly database: Database
  readonly writer: RecordWriter
}

/** The key that adds a zone, and the actor. */
interface Creator {
  readonly caller: Caller<'key'>
  readonly actor: Actor
}

/**
 * Adds a zone with its records, or completes one that waits for its proof of control.
 *
 * PowerDNS has no waiting zones. Therefore, a client that must prove control first gets an error that says how, and repeats its request. Nothing of
 * its records is stored until then.
 *
 * @throws Refusal `zone_exists` if the zone is live, or `validation_failed` with the TXT record that proves control
 */
export async function createZoneWithRecords(parts: CreationParts, by: Creator, body: PowerdnsZone): Promise<ZoneRow> {
  const name = readName(body, parts.nameservers)
  const settings = readZoneSettings(body)
  const entries = body.rrsets ?? []
  if (entries.length > 0 && !holds(by.caller, 'records:write'))
    throw keyLacks(
      by.caller,
      'the permission records:write',
      'Create a key that has this permission, or leave rrsets out.',
    )
  const requested = await readNew(parts, by, name, entries)
  return parts.writer.withTargets(aliasTargets(requested.changes), () =>
    create(parts, by, { name, settings, requested }),
  )
}

async function create(
  parts: CreationParts,
  by: Creator,
  { name, settings, requested }: { name: string; settings: Partial<ZoneSettings>; requested: RequestedChanges },
): Promise<ZoneRow> {
  const { accountId } = by.caller
  const complete = async (tx: Tx, zone: ZoneRow): Promise<ZoneRow> => {
    await changeSettings(tx, by.actor, zone, settings)
    if (requested.changes.length > 0) await changeRecords(tx, requestFor(by, zone, requested))
    return zone
  }
  const { database, writer } = parts
  // A large change waits for its turn.
  const inTurn = (key: string, act: (tx: Tx) => Promise<ZoneRow>): Promise<ZoneRow> =>
    writer.inTurn(by, requestFor(by, { id: '', name, state: 'live' }, requested), () =>
      database.transactInTurn(key, act),
    )
  const owner = { actor: by.actor, accountId, serviceDomains: serviceNamesOf(parts.nameservers) }
  const zone = await inTurn(accountId, async (tx) => {
    const own = await readOwnZone(tx, accountId, name)
    if (own?.state === 'pending') return own
    const created = await createZone(tx, parts, owner, name)
    return created.state === 'live' ? complete(tx, created) : created
  })
  if (zone.state === 'live') return zone
  const proved = await proveControl(parts, by, zone, requested)
  return inTurn(zone.id, (tx) => complete(tx, proved))
}

/** The name, after checks of the other members of the request. */
function readName(body: PowerdnsZone, nameservers: readonly string[]): string {
  const faults: FaultDetail[] = []
  if (!hasFinalDot(body.name))
    faults.push({ path: '/name', code: 'relative_name', message: 'The name of a zone needs a final dot.' })
  const own = nameservers.map((host) => `${host}.`)
  const sent = new Set(body.nameservers?.map((host) => host.toLowerCase()))
  if (sent.size > 0 && (sent.size !== own.length || own.some((host) => !sent.has(host))))
    faults.push({
      path: '/nameservers',
      code: 'service_owned',
      message: `The nameservers of a zone are those of the service. Leave them out, or send exactly these: ${own.join(' ')}`,
    })
  if (body.zone)
    faults.push({
      path: '/zone',
      code: 'invalid',
      message: 'A zone file is not accepted here. Send rrsets, or import it.',
    })
  if (faults.length > 0) throw Refusal.of(faults)
  return parseZoneName(body.name)
}

/** Reads the records of the request before anything is stored. */
function readNew(
  parts: CreationParts,
  { caller }: Creator,
  name: string,
  entries: readonly PowerdnsEntry[],
): Promise<RequestedChanges> {
  const zone = { id: undefined, name, state: 'live', role: 'owner', covered: true, limits: null } as const
  return readChanges(parts, { caller, zone }, entries)
}

function requestFor(
  { caller, actor }: Creator,
  { id, name, state }: Pick<ZoneRow, 'id' | 'name' | 'state'>,
  requested: RequestedChanges,
) {
  const zone = { id, name, state, role: 'owner', covered: true, limits: null } as const
  const { changes, dotless, pathOf } = requested
  return { ...requestBy({ caller, actor, zone, ifMatch: undefined }, changes), changes, dotless, pathOf }
}

/** Checks the proof of control once. Returns the live zone. */
async function proveControl(
  parts: CreationParts,
  by: Creator,
  zone: ZoneRow,
  requested: RequestedChanges,
): Promise<ZoneRow> {
  const { database, nameservers } = parts
  const { db } = database
  // Do this first, because a zone must not go live without the records in its request.
  if (requested.changes.length > 0)
    await parts.writer.reading(by, () => previewChange(db, requestFor(by, zone, requested)))
  const verification = await verificationOf(db, zone.id)
  if (verification) await verifyZone(database, parts, by.actor, verification)
  const after = await zoneNow(db, zone.id)
  if (after.state === 'live') return after
  const { token = '' } = (await verificationOf(db, zone.id)) ?? {}
  const { txtName, txtValue } = challengeOf(zone.name, token, nameservers[0] ?? '')
  const message = `Control of ${zone.name} is not proved. Add this record to its current DNS, and repeat the request: ${txtName}. TXT "${txtValue}"`
  throw new Refusal('validation_failed', message)
}

async function zoneNow(db: Db, zoneId: string): Promise<ZoneRow> {
  const row = await readZone(db, zoneId)
  if (row === undefined) throw noSuchZone()
  return row
}
