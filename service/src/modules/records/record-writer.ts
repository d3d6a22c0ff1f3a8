import type { Answer, CalledZone, Finish } from '#http/call.ts'
import { hurryFailing, type ResolveTargets } from '#modules/alias/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import type { Database, Db, Tx } from '#platform/postgres/index.ts'
import { inSlices, withoutPauses } from '#platform/work/slices.ts'
import { Slots } from '#platform/work/slots.ts'
import { aliasTargets, readAliasWarnings } from './alias-records.ts'
import { isOfWholeZone, isSmall } from './change-group.ts'
import { changeRecords } from './change-records.ts'
import { readChangeWarnings, sentWarnings } from './change-warnings.ts'
import { warningsOnLines } from './file-warnings.ts'
import { type DotlessName, JsonNames } from './forgotten-dots.ts'
import { ZonePreload } from './preload.ts'
import { type Preview, previewChange } from './preview-change.ts'
import { RecordAccess } from './record-access.ts'
import { type IsServed, waitForNameservers } from './replication.ts'
import type { RrsetMove } from './rrset.ts'
import {
  type ChangePath,
  duplicateWarnings,
  type ParsedChange,
  parseChange,
  type RequestedChange,
  type RrsetChange,
  readableTarget,
  readChange,
} from './rrset-change.ts'
import type { Warning } from './warnings.ts'
import { allOrRefuse, bulkBody, headersOf } from './write-answers.ts'
import type { ChangeRequest, ChangeResult } from './zone-draft.ts'

/** The members of a call that every write of records needs. */
export interface WriteCall {
  readonly caller: Caller
  readonly actor: ChangeRequest['actor']
  readonly zone: CalledZone
  readonly ifMatch: IfMatch
  readonly query: { dry_run: boolean }
  readonly isKept: boolean
  readonly transact: (work: (tx: Tx) => Promise<Answer>) => Promise<Answer>
}

/** The caller of a change, and its zone. */
type ChangesBy = Pick<WriteCall, 'caller' | 'zone'>

/** Changes in canonical form, with warnings about how they were written. */
export interface ParsedChanges {
  readonly changes: readonly RrsetChange[]
  readonly warnings: readonly Warning[]
  /** Names that are refused unless they match something in the zone; for a zone file, names that may get a warning. */
  readonly dotless: readonly DotlessName[]
  /** For a zone file, the line on which each change's record set begins. */
  readonly lines?: readonly number[]
}

/** The changes that a handler requests, and the place of each in its request. */
export interface WriteWish extends ParsedChanges {
  readonly replaceAll?: boolean
  readonly pathOf: (index: number) => string
  /** Additional members of the response to a bulk write or to its dry run. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Writes more in the transaction of the change, which then has no other changes. A dry run does not call it. */
  readonly also?: ((tx: Tx) => Promise<void>) | undefined
}

/** How many changes of more than 100 record sets run at once. Each holds a connection while it is planned. */
const bulkAtOnce = 4
/**
 * How many changes of whole zones run at once. While one of 16 MiB is planned, the transactions of the others are idle, and PostgreSQL
 * ends them after 30 s.
 */
const wholeAtOnce = 2
/** How many reads of whole zones or their changes run at once, including dry runs. Each may take hundreds of megabytes. */
const readAtOnce = 2
/** How many zone files are parsed at once. Each can have 16 MiB, and many times that after parsing. */
const filesAtOnce = 2
/** How many of each of these can wait per account. */
export const maxWaiting = 200

/** Handles the requests of the record routes, including dry runs and repeats. */
export class RecordWriter {
  readonly db: Db
  readonly #database: Database
  readonly #bulk = new Slots(bulkAtOnce, maxWaiting)
  readonly #whole = new Slots(wholeAtOnce, maxWaiting)
  readonly #readings = new Slots(readAtOnce, maxWaiting)
  readonly #files = new Slots(filesAtOnce)
  /** Waits for the nameservers, if the caller prefers this. */
  readonly finish: Finish
  readonly #resolveTargets: ResolveTargets

  constructor(database: Database, isServed: IsServed, resolveTargets: ResolveTargets) {
    this.db = database.db
    this.#resolveTargets = resolveTargets
    this.#database = database
    this.finish = waitForNameservers(database.db, isServed)
  }

  /** A change in canonical form. Refuses first what the caller is not allowed to change, then reports all errors at once. */
  parse(by: ChangesBy, requested: RequestedChange, path: ChangePath): ParsedChanges {
    withoutPauses(refuseUntouchable(by, [requested]))
    const names = new JsonNames()
    return together([withoutNames(parseChange(by.zone.name, requested, path), names)], names)
  }

  /** The same for many changes, with pauses, because ten thousand record sets take seconds. */
  async parseMany(
    by: ChangesBy,
    requested: readonly RequestedChange[],
    pathOf: (index: number) => ChangePath,
  ): Promise<ParsedChanges> {
    return inSlices(parseEach(by, requested, pathOf))
  }

  /**
   * Makes the change and responds by `answer`, or, in a dry run, with the effect.
   *
   * The change shares a transaction with those of other callers, unless the response must be stored in the same transaction.
   */
  async write(call: WriteCall, wish: WriteWish, answer: AnswerTo): Promise<Answer> {
    const request = requestOf(call, wish)
    return this.withTargets(aliasTargets(wish.changes), () => this.#writeRequest(call, request, wish, answer))
  }

  /** Runs a write of ALIAS records: looks up their targets before it, and has those that fail looked up again after it. */
  async withTargets<T>(targets: readonly string[], write: () => Promise<T>): Promise<T> {
    if (targets.length === 0) return write()
    await this.#resolveTargets(targets)
    const done = await write()
    // Outside the transaction: the worker then sees hosts that the same request has created.
    await hurryFailing(this.db, targets)
    return done
  }

  #writeRequest(call: WriteCall, request: ChangeRequest, wish: WriteWish, answer: AnswerTo): Promise<Answer> {
    if (call.query.dry_run) return this.preview(call, request, wish)
    const countsOver = request.changes.some(({ ask }) => ask.kind === 'edit') ? freeBytes : undefined
    const answered = async (made: ChangeResult, db: Db) => {
      const body = await answer(made, db, () => writeWarnings(db, call, wish, made))
      return { ...body, ...markOf(made, countsOver) }
    }
    const make = async () =>
      call.isKept || wish.also
        ? call.transact(async (tx) => {
            const made = await changeRecords(tx, request)
            await wish.also?.(tx)
            return answered(made, tx)
          })
        : answered(await changeRecords(this.#database, request), this.db)
    return this.inTurn(call, request, make)
  }

  /** Makes a change when it is its turn: immediately if it is small. */
  inTurn<T>(call: Pick<WriteCall, 'caller'>, request: ChangeRequest, make: () => Promise<T>): Promise<T> {
    if (isOfWholeZone(request)) return this.wholeZone(call, make)
    return isSmall(request) ? make() : this.#bulk.run(make, call.caller.accountId)
  }

  /** Runs a change of a whole zone when it is its turn. */
  wholeZone<T>({ caller }: Pick<WriteCall, 'caller'>, make: () => Promise<T>): Promise<T> {
    return this.#whole.run(make, caller.accountId)
  }

  /** Reads a whole zone, or its changes, when it is its turn. */
  reading<T>({ caller }: Pick<WriteCall, 'caller'>, read: () => Promise<T>): Promise<T> {
    return this.#readings.run(read, caller.accountId)
  }

  /** Parses a zone file when it is its turn. */
  parsingFile<T>({ caller }: Pick<WriteCall, 'caller'>, parse: () => Promise<T>): Promise<T> {
    return this.#files.run(parse, caller.accountId)
  }

  /** Responds to a dry run. */
  async preview(
    call: WriteCall,
    request: ChangeRequest,
    wish: ParsedChanges & Pick<WriteWish, 'more'>,
  ): Promise<Answer> {
    const result = await this.reading(call, () => previewChange(this.db, request))
    return {
      status: 200,
      body: { ...(await this.previewBody(call, result, wish)), ...wish.more },
      headers: headersOf(result),
    }
  }

  /** The body of the response to a dry run: the difference and the warnings, limited to what the caller can read or has sent. */
  async previewBody({ caller, zone }: ChangesBy, result: Preview, wish: ParsedChanges) {
    const access = new RecordAccess(caller, zone)
    const told = access.readsAll ? result.warnings : sentWarnings(zone.name, wish)
    const warnings = allWarnings(wish, [...told, ...(await readAliasWarnings(this.db, wish.changes))])
    return bulkBody(access, result, wish.changes, warnings)
  }
}

/** The response to a change that was made. `db`: its transaction, if it is still open; `warnings` reads the zone if necessary. */
type AnswerTo = (made: ChangeResult, db: Db, warnings: () => Promise<Warning[]>) => Promise<Answer>

/** The warnings of a change that was made. A caller that cannot read gets only those about what it sent. */
export async function writeWarnings(
  db: Db,
  { caller, zone }: ChangesBy,
  wish: ParsedChanges,
  made: ChangeResult,
): Promise<Warning[]> {
  const told = new RecordAccess(caller, zone).readsAll
    ? await readChangeWarnings(db, zone, made, wish.dotless)
    : sentWarnings(zone.name, wish)
  return allWarnings(wish, [...told, ...(await readAliasWarnings(db, wish.changes))])
}

/** The warnings about how changes were written, and those about their effect. */
function allWarnings({ changes, warnings, lines }: ParsedChanges, told: readonly Warning[]): Warning[] {
  const all = [...warnings, ...told]
  return lines === undefined ? all : warningsOnLines(all, changes, lines)
}

/** Above this size, records that a small body rewrites count toward the daily change budget separately. */
export const freeBytes = 4 * 1024

/**
 * What a response reports about a change to the code that runs after the handler. A change that writes more than its body counts with the size
 * of its history entry, both sides of the difference, if that is more than `countsOver` bytes.
 */
export function markOf(
  { serial, moves }: ChangeResult,
  countsOver = Number.POSITIVE_INFINITY,
): Pick<Answer, 'zoneSerial' | 'writtenBytes'> {
  if (moves.length === 0) return { zoneSerial: serial, writtenBytes: 0 }
  if (countsOver === Number.POSITIVE_INFINITY) return { zoneSerial: serial }
  const bytes = bytesOfMoves(moves)
  return { zoneSerial: serial, ...(bytes > countsOver && { writtenBytes: bytes }) }
}

/** Bytes of both sides of a difference. */
export function bytesOfMoves(moves: readonly RrsetMove[]): number {
  const sideBytes = (side: RrsetMove['after']) => (side?.records ?? []).reduce((sum, record) => sum + record.length, 0)
  return moves.reduce((sum, { name, before, after }) => sum + name.length + sideBytes(before) + sideBytes(after), 0)
}

function* refuseUntouchable(
  { caller, zone }: ChangesBy,
  requested: readonly RequestedChange[],
): Generator<undefined, void> {
  const access = new RecordAccess(caller, zone)
  if (access.changesAll) return
  for (const change of requested) {
    const target = readableTarget(zone.name, change)
    if (target !== undefined) access.refuseChange(target)
    yield
  }
}

function* parseEach(
  by: ChangesBy,
  requested: readonly RequestedChange[],
  pathOf: (index: number) => ChangePath,
): Generator<undefined, ParsedChanges> {
  yield* refuseUntouchable(by, requested)
  const parsed: ParsedChange[] = []
  const names = new JsonNames()
  let faults = 0
  for (const [i, change] of requested.entries()) {
    const read = yield* readChange(by.zone.name, change, pathOf(i))
    parsed.push(withoutNames(read, names))
    if ('faults' in read) faults += read.faults.length
    if (faults > Refusal.maxFaults) break
  }
  return together(parsed, names)
}

/** The change without its names, which are added to `names`. */
function withoutNames(parsed: ParsedChange, names: JsonNames): ParsedChange {
  if (!('change' in parsed) || parsed.dotless.length === 0) return parsed
  names.add(parsed.dotless)
  return { ...parsed, dotless: [] }
}

function together(parsed: readonly ParsedChange[], names: JsonNames): ParsedChanges {
  return {
    changes: allOrRefuse(parsed),
    warnings: [...duplicateWarnings(parsed), ...names.warnings],
    dotless: names.suspects,
  }
}

/** What a call requests of the zone's records. */
export function requestOf(
  call: Pick<WriteCall, 'caller' | 'actor' | 'zone' | 'ifMatch'>,
  wish: WriteWish,
): ChangeRequest {
  const { warnings: _, lines: __, more: ___, also: ____, ...rest } = wish
  return { ...requestBy(call, wish.changes, wish.replaceAll), ...rest }
}

/**
 * The part of a request that follows from the call: who changes which zone, and what the caller can change and see in it. `sent`: the record
 * sets that it has sent.
 */
export function requestBy(
  call: Pick<WriteCall, 'caller' | 'actor' | 'zone' | 'ifMatch'>,
  sent: readonly { readonly name: string; readonly type: string }[],
  replaceAll = false,
): Omit<ChangeRequest, 'changes' | 'pathOf'> {
  const access = new RecordAccess(call.caller, call.zone)
  if (replaceAll) access.refuseWholeZone()
  return {
    zoneId: call.zone.id,
    actor: call.actor,
    ifMatch: call.ifMatch,
    preload: call.zone.preload instanceof ZonePreload ? call.zone.preload : undefined,
    mayReveal: access.mayReveal(sent),
    ...(!access.changesAll && { refuseChange: (rrset) => access.refuseChange(rrset) }),
  }
}
