import type { Answer } from '#http/call.ts'
import type { DoorCall } from '#modules/doors/index.ts'
import {
  changeRecords,
  freeBytes,
  lockZonesAndRead,
  markOf,
  parseChange,
  pathBelow,
  RecordAccess,
  type RrsetChange,
  requestBy,
} from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { keepNewest, valuesAt } from './acme-dns-store.ts'
import { type Challenge, quoted } from './challenge.ts'

/** A challenge is read once, and a resolver that read it too early queries again soon. */
const ttlS = 60
/** Values of a name that clients of acme-dns may need at once: those of a name and of its wildcard. */
const keptValues = 2

/** The outcome of a change for later steps: the serial to wait for, and the bytes that count. */
type Mark = Pick<Answer, 'zoneSerial' | 'writtenBytes'>

/** Adds the value of a challenge to its TXT records. @throws Refusal */
export function addChallenge(database: Database, call: DoorCall, challenge: Challenge): Promise<Mark> {
  return edit(database, call, challenge.name, { add: [quoted(challenge.value)], remove: [] })
}

/** Removes the value of a challenge, if it is there. @throws Refusal */
export function removeChallenge(database: Database, call: DoorCall, challenge: Challenge): Promise<Mark> {
  return edit(database, call, challenge.name, { add: [], remove: [quoted(challenge.value)] })
}

/**
 * Adds the value of a challenge, and removes those that were written through acme-dns before, except the newest one: no client of acme-dns
 * removes a value. Values that others wrote stay.
 *
 * @throws Refusal
 */
export async function replaceChallenge(database: Database, call: DoorCall, challenge: Challenge): Promise<Mark> {
  const change = parsed(call, challenge.name, { add: [quoted(challenge.value)], remove: [] })
  const zoneId = call.zone?.id ?? ''
  const [value = ''] = change.ask.kind === 'edit' ? change.ask.add : []
  return database.transactInTurn(zoneId, async (tx) => {
    const [zone] = await lockZonesAndRead(tx, [{ id: zoneId, names: [change.name] }], 'wait')
    const present = zone?.rrsets.find(({ type }) => type === 'TXT')?.records ?? []
    const written = await valuesAt(tx, zoneId, change.name)
    const gone = written.filter((each) => each !== value).slice(keptValues - 1)
    const mark = await make(tx, call, { ...change, ask: { kind: 'edit', add: [value], remove: gone } })
    const isOthers = present.includes(value) && !written.includes(value)
    await keepNewest(tx, { zoneId, name: change.name, newest: isOthers ? undefined : value, gone })
    return mark
  })
}

interface Edit {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

async function edit(database: Database, call: DoorCall, name: string, ask: Edit): Promise<Mark> {
  return make(database, call, parsed(call, name, ask))
}

/** The change in canonical form. Throws if the caller is not allowed to make it. */
function parsed({ caller, zone }: DoorCall, name: string, ask: Edit): RrsetChange {
  if (zone === undefined) throw new Refusal('not_found', `No zone of this account contains ${name}.`)
  const ttl = ask.add.length > 0 ? ttlS : undefined
  const found = parseChange(
    zone.name,
    { name: withDot(name), type: 'TXT', ttl, ask: { kind: 'edit', ...ask } },
    pathBelow(''),
  )
  if ('faults' in found) throw Refusal.of(found.faults)
  new RecordAccess(caller, zone).refuseChange(found.change)
  return found.change
}

/** The name with its final dot, so that it is not read relative to the zone. */
function withDot(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

async function make(database: Database | Tx, call: DoorCall, change: RrsetChange): Promise<Mark> {
  const { zone } = call
  if (zone === undefined) throw new Error('a challenge without a zone was parsed')
  const result = await changeRecords(database, {
    ...requestBy({ ...call, zone, ifMatch: undefined }, [change]),
    changes: [change],
    pathOf: () => '/value',
  })
  return markOf(result, freeBytes)
}
