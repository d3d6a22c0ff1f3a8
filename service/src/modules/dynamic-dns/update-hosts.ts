import { isWithin } from '@zonewright/dns'
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
import { absolute } from '#modules/zones/index.ts'
import { holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { Rates } from '#platform/rates.ts'
import { type Address, addressText, type Family, isWhole, withPrefix } from './addresses.ts'
import { namesInOtherZones } from './store.ts'
import type { UpdateRequest } from './update-request.ts'

/** Maximum number of hosts in one request, as in the original service. */
const maxHosts = 20
/** A host may change its addresses all day, so resolvers cache it for at most a minute. */
const ttlS = 60

/**
 * Changes of one host and family. Each family has its own limit: a FRITZ!Box sends its IPv4 and IPv6 addresses in two requests.
 *
 * Each API process counts separately.
 */
const changesOfHost = { name: 'dynamic DNS', most: 5, windowS: 300, excess: '' }

/** A call to a zone that the caller's account can see. */
type ZoneCall = DoorCall & { readonly zone: NonNullable<DoorCall['zone']> }

/** A host whose addresses can be changed. */
interface Wish {
  readonly name: string
  readonly changes: readonly RrsetChange[]
  /** The addresses that the host has afterwards, for its line. */
  readonly addresses: readonly string[]
}

/** Answers update requests with one line for each host, and changes all hosts without a fault in one change. */
export class HostUpdater {
  readonly #database: Database
  readonly #changes = new Rates(changesOfHost)
  /** Changes of hosts and families in progress that skipped the check of the counts. */
  readonly #underWay = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  async update(call: DoorCall, update: UpdateRequest): Promise<Answer> {
    const { hosts } = update
    if (hosts.length > maxHosts) return text('numhost')
    const lines = new Map<string | undefined, string>([[undefined, 'notfqdn']])
    const names = [...new Set(hosts.flatMap(({ name }) => name ?? []))]
    const { zone } = call
    // The zone of the first host.
    const others = names.slice(1)
    if (zone && others.length > 0) {
      const seen = { accountId: call.caller.accountId, zoneId: zone.id }
      for (const name of await namesInOtherZones(this.#database.db, seen, others)) lines.set(name, 'nohost')
    }
    for (const name of names) {
      if (lines.has(name)) continue
      const fault = faultOf(call, update, name)
      if (fault !== undefined) lines.set(name, fault)
    }
    const open = names.filter((name) => !lines.has(name))
    const mark = zone && open.length > 0 ? await this.#change({ ...call, zone }, update, open, lines) : undefined
    return { ...text(hosts.map(({ name }) => lines.get(name) ?? '911').join('\n')), ...(mark ?? { writtenBytes: 0 }) }
  }

  /** Changes the addresses of these hosts, and sets their lines. */
  async #change(
    call: ZoneCall,
    update: UpdateRequest,
    names: readonly string[],
    lines: Map<string | undefined, string>,
  ) {
    const needsExisting =
      [...update.wanted.values()].flat().some((address) => !isWhole(address)) ||
      names.some((name) => this.#fullFamilies(call, update, name).length > 0)
    const counted = names.flatMap((name) => [...update.wanted.keys()].map((family) => countedAs(call, name, family)))
    // Of several concurrent updates of one host, all but the first take turns, so that each is checked against those before it.
    if (!needsExisting && !counted.some((each) => this.#underWay.has(each)))
      return this.#whileUnderWay(counted, () =>
        this.#apply(this.#database, call, wishesOf(call, update, names, lines), lines),
      )
    return this.#database.transactInTurn(call.zone.id, async (tx) => {
      const existing = await existingAt(tx, call.zone.id, names)
      const wishes = wishesOf(call, update, names, lines, existing).filter(({ name, changes }) => {
        const full = this.#fullFamilies(call, update, name)
        const isAbuse = changes.some(
          ({ type, ask }) =>
            full.includes(type as Family) && ask.kind === 'replace' && !isSame(ask.records, existing(name, type)),
        )
        if (isAbuse) lines.set(name, 'abuse')
        return !isAbuse
      })
      return this.#apply(tx, call, wishes, lines)
    })
  }

  async #whileUnderWay<T>(counted: readonly string[], change: () => Promise<T>): Promise<T> {
    for (const each of counted) this.#underWay.add(each)
    try {
      return await change()
    } finally {
      for (const each of counted) this.#underWay.delete(each)
    }
  }

  /** Makes the change without the hosts that a rule refuses. */
  async #apply(
    database: Database | Tx,
    call: ZoneCall,
    wishes: readonly Wish[],
    lines: Map<string | undefined, string>,
  ): Promise<Pick<Answer, 'writtenBytes' | 'zoneSerial'> | undefined> {
    const changes = wishes.flatMap((wish) => wish.changes.map((change) => ({ wish, change })))
    if (changes.length === 0) {
      for (const { name, addresses } of wishes) lines.set(name, line('nochg', addresses))
      return undefined
    }
    try {
      const result = await changeRecords(database, {
        ...requestBy(
          { ...call, ifMatch: undefined },
          changes.map(({ change }) => change),
        ),
        changes: changes.map(({ change }) => change),
        pathOf: String,
      })
      const moved = new Set(result.moves.map(({ name }) => name))
      for (const { name, type } of result.moves) this.#changes.take(countedAs(call, name, type))
      for (const { name, addresses } of wishes) lines.set(name, line(moved.has(name) ? 'good' : 'nochg', addresses))
      return markOf(result, freeBytes)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable' || error.code === 'quota_exceeded') throw error
      const word = error.code === 'not_found' ? 'nohost' : 'dnserr'
      const refused = new Set(error.details.flatMap(({ path }) => changes[Number(path)]?.wish.name ?? []))
      // A refusal that is not about a single change is about all of them.
      const isOf = ({ name }: Wish): boolean => refused.size === 0 || refused.has(name)
      for (const wish of wishes) if (isOf(wish)) lines.set(wish.name, word)
      const others = wishes.filter((wish) => !isOf(wish))
      return others.length === 0 ? undefined : this.#apply(database, call, others, lines)
    }
  }

  #fullFamilies(call: ZoneCall, { wanted }: UpdateRequest, name: string): Family[] {
    return [...wanted.keys()].filter((family) => {
      const counted = countedAs(call, name, family)
      return this.#changes.isFull(counted, this.#underWay.has(counted) ? 1 : 0)
    })
  }
}

function countedAs({ zone }: ZoneCall, name: string, type: string): string {
  return `${zone.id} ${name} ${type}`
}

/** Why a host is not changed, if this can be determined without reading anything. */
function faultOf({ caller, zone }: DoorCall, { wanted, isInvalid }: UpdateRequest, name: string): string | undefined {
  if (zone === undefined || !isWithin(absolute(name), absolute(zone.name))) return 'nohost'
  if (!zone.covered || !holds(caller, 'records:write')) return '!yours'
  const access = new RecordAccess(caller, zone)
  const isOutside = [...wanted.keys()].some((type) => access.limits?.covers({ name, type }) === false)
  if (isOutside) return '!yours'
  return isInvalid ? 'dnserr' : undefined
}

type Existing = (name: string, type: string) => readonly string[]

async function existingAt(tx: Tx, id: string, names: readonly string[]): Promise<Existing> {
  const [zone] = await lockZonesAndRead(tx, [{ id, names }], 'wait')
  const found = new Map(zone?.rrsets.map(({ name, type, records }) => [`${name} ${type}`, records]))
  return (name, type) => found.get(`${name} ${type}`) ?? []
}

/** The changes of each host. A host with a fault gets its line instead. */
function wishesOf(
  { zone }: ZoneCall,
  { wanted }: UpdateRequest,
  names: readonly string[],
  lines: Map<string | undefined, string>,
  existing: Existing = () => [],
): Wish[] {
  return names.flatMap((name) => {
    const addresses: string[] = []
    const changes: RrsetChange[] = []
    for (const [type, given] of wanted) {
      const records = recordsOf(given, existing(name, type))
      const parsed =
        records && parseChange(zone.name, { name, type, ttl: ttlS, ask: { kind: 'replace', records } }, noPath)
      if (parsed === undefined || 'faults' in parsed) {
        const isName = parsed?.faults.some(({ path }) => path === noPath.name)
        lines.set(name, isName ? 'notfqdn' : 'dnserr')
        return []
      }
      addresses.push(...(records ?? []))
      changes.push(parsed.change)
    }
    return [{ name, changes, addresses }]
  })
}

const noPath = pathBelow('')

/** The addresses of a host. Undefined: the request has a prefix, and the host has no address whose remaining bits it could keep. */
function recordsOf(given: readonly Address[], existing: readonly string[]): string[] | undefined {
  const records = given.map((address) => (isWhole(address) ? [addressText(address)] : withPrefix(address, existing)))
  return records.some((each) => each === undefined) ? undefined : [...new Set(records.flatMap((each) => each ?? []))]
}

function isSame(wanted: readonly string[], existing: readonly string[]): boolean {
  return wanted.length === existing.length && wanted.every((record) => existing.includes(record))
}

function line(word: string, addresses: readonly string[]): string {
  return addresses.length === 0 ? word : `${word} ${addresses.join(',')}`
}

function text(body: string): Answer {
  return { status: 200, type: 'text/plain; charset=utf-8', body: `${body}\n` }
}
