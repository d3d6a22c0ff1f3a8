import { type DomainName, type Message, Rcode, readUpdate, UpdateFault } from '@zonewright/dns'
import { keyLacks, remedyFor } from '#http/authorise.ts'
import type { CalledZone, Preload } from '#http/call.ts'
import type { Transport } from '#modules/primary/index.ts'
import {
  type ChangeResult,
  changeRecords,
  freeBytes,
  isTrueWithin,
  markOf,
  RecordAccess,
  requestBy,
  zonePreloadAt,
} from '#modules/records/index.ts'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Database, isUnavailable } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { Slots } from '#platform/work/slots.ts'
import type { DoorFigures } from './figures.ts'
import { doorLimits } from './limits.ts'
import type { Verdict } from './response.ts'
import type { SignedMessage } from './signatures.ts'
import { insertAnswers, readAnswer, storeAnswer } from './store.ts'
import { namesIn, PrerequisiteFailed, planUpdate, readUpdateOf, type Target } from './update-plan.ts'

/** Finds the caller of a signed message, and its zone. Throws a Refusal. */
export type Authenticate = (
  secretSha256: Buffer,
  message: { zoneRef: string | undefined; address: string; preload?: Preload | undefined; wasAdmitted?: boolean },
) => Promise<{ readonly caller: Caller<'key'>; readonly zone: CalledZone | undefined }>

export interface UpdateParts {
  readonly database: Database
  readonly authenticate: Authenticate
  /** The host names of the nameservers. */
  readonly nameservers: readonly string[]
  /** Makes a change within the daily budget of its account. It returns how many bytes it wrote, if they may be far more than the message. */
  readonly withinBudget: <T extends { readonly writtenBytes?: number }>(
    accountId: string,
    bytes: number,
    change: () => Promise<T>,
  ) => Promise<T>
  /** Whether every nameserver that is in sync serves a serial of a zone. */
  readonly isServed: (zoneId: string, serial: number) => Promise<boolean>
  /** How announcements are paced (docs/decisions/0008-announcements-are-paced.md). */
  readonly pace: Pace
  /** Aborted when the process stops. */
  readonly leaving: AbortSignal
  readonly figures: Pick<DoorFigures, 'repeats'>
}

/** Which zones would wait for a beat. `underWay` is how many changes wait for the nameservers. */
export interface Pace {
  changed(underWay: number): void
  waitMs(origin: DomainName): number
  started(origin: DomainName): void
}

/** A signed update, as it arrived. */
export interface SignedUpdate {
  readonly wire: Uint8Array
  readonly message: Message
  readonly signed: SignedMessage
  readonly transport: Transport
  /** The address of the client. */
  readonly from: string
}

/** How many large updates run at once, and how many of an account may wait. Each holds a connection while it is planned. */
const large = { changes: 100, atOnce: 4, waiting: 200 }

/** In milliseconds: no nameserver has a change sooner, and waiting for many updates must not cost more than the updates themselves. */
const pauses = { begin: 10, first: 10, most: 250 }

/**
 * Carries out signed updates (RFC 2136), each once: a message that arrives again gets the same answer (docs/customers/dns-updates.md).
 *
 * An update is one change of the module records, with one version and one event. It waits a moment for the nameservers.
 */
export class Updates {
  readonly #parts: UpdateParts
  readonly #large = new Slots(large.atOnce, large.waiting)
  /** Updates in progress, by key and MAC. */
  readonly #running = new Map<string, Promise<Verdict>>()
  /** How many wait for the nameservers. */
  #waiting = 0

  constructor(parts: UpdateParts) {
    this.#parts = parts
  }

  /** @throws what is not the sender's fault */
  async carryOut(update: SignedUpdate): Promise<Verdict> {
    const { keyId, mac, signer } = update.signed
    const key = `${keyId} ${mac}`
    const running = this.#running.get(key)
    if (running !== undefined || signer.answered !== null) this.#parts.figures.repeats.inc()
    if (signer.answered !== null) return verdictOf(signer.answered)
    if (running !== undefined) return running
    const verdict = this.#once(update)
    this.#running.set(key, verdict)
    try {
      return await verdict
    } finally {
      this.#running.delete(key)
    }
  }

  async #once(update: SignedUpdate): Promise<Verdict> {
    const { database } = this.#parts
    const { keyId, mac } = update.signed
    const store = async (verdict: Verdict): Promise<Verdict> => {
      const { rcode, reason: message = null } = verdict
      await storeAnswer(database.db, { key_id: keyId, mac, rcode, message })
      return verdict
    }
    try {
      const { result, zone } = await this.#change(update)
      if (result.moves.length === 0) return await store({ rcode: Rcode.NOERROR })
      await this.#untilServed(zone, result.serial, update.transport)
      return { rcode: Rcode.NOERROR }
    } catch (error) {
      if (error instanceof PrerequisiteFailed) return store({ rcode: error.rcode })
      if (error instanceof ZoneUnknown) return { rcode: Rcode.NOTAUTH, reason: error.message }
      if (error instanceof UpdateFault) return { rcode: error.rcode, reason: error.message }
      if (isRepeat(error)) return verdictOf(await readAnswer(database.db, keyId, mac))
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'unavailable') return { rcode: Rcode.SERVFAIL, reason: error.message }
      const verdict = { rcode: Rcode.REFUSED, reason: error.message }
      return mayPass.has(error.code) ? verdict : store(verdict)
    }
  }

  /**
   * Waits a moment for the nameservers, but not with a zone that changes all the time in a busy installation: it is announced only once
   * a second, and a client that sends one update after another could make only one a second.
   */
  async #untilServed(zone: CalledZone, serial: number, transport: Transport): Promise<void> {
    const { pace, isServed, leaving } = this.#parts
    const origin = absolute(zone.name)
    pace.changed(this.#waiting)
    const isPaced = pace.waitMs(origin) > 0
    pace.started(origin)
    if (isPaced) return
    this.#waiting++
    try {
      await isTrueWithin(doorLimits.waitS[transport], leaving, zone, () => isServed(zone.id, serial), pauses)
    } finally {
      this.#waiting--
    }
  }

  async #change(update: SignedUpdate): Promise<{ result: ChangeResult; zone: CalledZone }> {
    const { database, authenticate, nameservers, withinBudget } = this.#parts
    const { wire, message, signed, from } = update
    // Before the message is processed any further, because every update counts.
    const { caller, zone } = await authenticate(signed.signer.secretSha256, {
      zoneRef: zoneRefOf(message),
      address: from,
      preload: preloadFor(message),
    })
    const { prerequisites, changes } = readUpdate(message)
    if (zone === undefined || zone.state !== 'live') throw new ZoneUnknown(noSuchZone)
    refuseCaller(caller, zone)
    for (const [what, { length }] of [
      ['changes', changes],
      ['prerequisites', prerequisites],
    ] as const)
      if (length > doorLimits.changes)
        throw new Refusal(
          'validation_failed',
          `An update can have at most ${doorLimits.changes} ${what}. This one has ${length}.`,
        )
    const read = await inSlices(readUpdateOf(zone.name, prerequisites, changes))
    const access = accessOf(caller, zone)
    const request = {
      ...requestBy({ caller, actor: actorOf(caller, from), zone, ifMatch: undefined }, read.changes),
      changes: read.changes,
      pathOf: () => '',
      decide: {
        at: namesIn(read),
        changes: (of: Parameters<typeof planUpdate>[1], rrsets: Parameters<typeof planUpdate>[2]) =>
          planUpdate(read, of, rrsets, { access, nameservers }),
      },
      beside: {
        row: { key_id: signed.keyId, mac: signed.mac, rcode: Rcode.NOERROR, message: null },
        write: insertAnswers,
      },
    }
    const make = () =>
      withinBudget(caller.accountId, wire.length, async () => {
        const result = await changeRecords(database, request)
        return { result, ...markOf(result, freeBytes) }
      })
    const { result } = await (changes.length > large.changes ? this.#large.run(make, caller.accountId) : make())
    return { result, zone }
  }
}

/** The zone is not hosted here, or the key does not cover it: for the sender, that is the same. */
class ZoneUnknown extends Error {
  override readonly name = 'ZoneUnknown'
}

const noSuchZone = 'This zone is not live here, or the account of the key has no access to it.'

/** Refusals that are not final: the same message may pass later. */
const mayPass: ReadonlySet<string> = new Set(['rate_limited', 'quota_exceeded', 'invalid_key'])

function verdictOf({ rcode, message }: NonNullable<SignedMessage['signer']['answered']>): Verdict {
  return { rcode, reason: message ?? undefined }
}

/** Another process has handled the message in the meantime, and its answer is already stored. */
function isRepeat(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'update_answers_pkey'
}

function zoneRefOf({ questions }: Message): string | undefined {
  const name = questions[0]?.name
  return name === undefined || name === '.' ? undefined : relativeToRoot(name)
}

/** Most updates are about one name: what they need is read together with the key. */
function preloadFor({ answers, authorities }: Message): Preload | undefined {
  const names = new Set([...answers, ...authorities].map(({ name }) => name))
  const [name] = names
  return name === undefined || name === '.' || names.size > 1 ? undefined : zonePreloadAt(relativeToRoot(name))
}

function refuseCaller(caller: Caller<'key'>, zone: CalledZone): void {
  if (!zone.covered)
    throw new ZoneUnknown(keyLacks(caller, `the zone ${zone.name}`, remedyFor('zone', zone.name, zone.role)).message)
  if (holds(caller, 'records:write') || holds(caller, 'acme:dns01')) return
  throw keyLacks(caller, 'the permission records:write or acme:dns01', 'Create a key that has this permission.')
}

function accessOf(caller: Caller<'key'>, zone: CalledZone) {
  const access = new RecordAccess(caller, zone)
  return {
    refuseRead: (target: Target) => refuseRead(caller, access, target),
    refuseChange: (target: Target) => access.refuseChange(target),
    types: access.limits?.byType.map(({ type }) => type) ?? (access.changesAll ? undefined : ['TXT']),
  }
}

/** Refuses to show a caller a record set that it cannot read. */
export function refuseRead(caller: Caller<'key'>, access: RecordAccess, target: Target): void {
  if (access.mayRead(target)) return
  access.refuseRead(target)
  throw keyLacks(caller, 'the permission records:read', 'Create a key that has this permission.')
}

function actorOf(caller: Caller<'key'>, address: string): Actor {
  return { kind: 'key', name: caller.keyName, id: caller.keyId, source: 'rfc2136', requestId: null, address }
}

/** Whether an error says that the database cannot be used now. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Refusal && error.code === 'unavailable')
}
