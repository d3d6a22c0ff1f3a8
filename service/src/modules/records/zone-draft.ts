import { absolute, nextSerial, type ZoneAdvance, type ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { FaultDetail } from '#platform/errors.ts'
import { type IfMatch, refuseMoved } from '#platform/http/etag.ts'
import type { Statement } from '#platform/postgres/index.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { type DotlessName, missingDotFaults, suspectNames } from './forgotten-dots.ts'
import { keyOf, type RrsetMove, type StoredRrset, shownMoves } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import { lockedFaults, type Plan, planSliced } from './rules.ts'
import { addressFaults } from './secondary-addresses.ts'
import { ZoneNames } from './zone-names.ts'

/** A zone whose row this transaction has locked, with the requested rrsets. */
export interface LockedZone extends ZoneRow {
  readonly now: Date
  /** The clock for serials when the zone was read (`serialClock`). */
  readonly serialClock: number
  /** Whether it has any record at a wildcard. */
  readonly hasWildcards: boolean
  readonly rrsets: readonly StoredRrset[]
}

/** A preloaded zone (`ZonePreload`). */
interface Preloaded {
  /** The zone, if it is enough to plan a change of these owner names. */
  zoneFor(zoneId: string, ownerNames: readonly string[] | undefined, changedAtMs?: number): LockedZone | undefined
}

/** A request to change a zone's records. */
export interface ChangeRequest {
  readonly zoneId: string
  readonly actor: Actor
  readonly changes: readonly RrsetChange[]
  /**
   * Decides what is changed once the rrsets at the names of `changes` and `at` are known, in place of `changes`. What it throws is the outcome
   * of the request, and changes nothing. `all`: it needs all rrsets of the zone.
   */
  readonly decide?: {
    readonly at: readonly string[] | 'all'
    changes(
      zone: Pick<ZoneRow, 'name' | 'serial' | 'secondaryNames'>,
      rrsets: readonly StoredRrset[],
    ): readonly RrsetChange[]
  }
  /** A row that is written if the request changes something, in the same transaction. Requests with the same `write` share its statement. */
  readonly beside?: { readonly row: unknown; readonly write: (rows: readonly unknown[]) => Statement }
  /** Also delete every rrset that `changes` does not name. */
  readonly replaceAll?: boolean
  /** The rrsets that the request must leave as they are: `replaceAll` does not delete them, and any other change of them is an error. */
  readonly keeps?: (rrset: { readonly name: string; readonly type: string }) => boolean
  /** The service itself changes managed records: delegations to zones hosted here. */
  readonly byService?: boolean
  /** Refuse unless the zone has one of these versions. */
  readonly ifMatch: IfMatch
  /** The place of the n-th change in the request, for its errors. */
  readonly pathOf: (index: number) => string
  /** Its preload. If it is alone in its transaction, it is planned on this. */
  readonly preload?: Preloaded | undefined
  /** Names that are refused unless they match something in the zone; for a zone file, names that may get a warning. */
  readonly dotless?: readonly DotlessName[]
  /** Whether an error can name an rrset. By default, it can name any. */
  readonly mayReveal?: (rrset: { readonly name: string; readonly type: string }) => boolean
  /** Throws the refusal of a change that the caller is not allowed to make. By default, it can change any rrset. */
  readonly refuseChange?: (rrset: { readonly name: string; readonly type: string }) => void
}

/**
 * The version and serial of the zone afterwards, and the changed rrsets. No moves: nothing has changed, and version and serial are the old ones.
 */
export interface ChangeResult {
  readonly version: number
  readonly serial: number
  readonly moves: readonly RrsetMove[]
  readonly results: Plan['results']
  readonly at: Date
  /** Whether the zone had a wildcard before. */
  readonly hasWildcards: boolean
}

/** A change to write: its actor, the changed rrsets, and the state of the zone before and after it. */
export interface ZoneStep extends Pick<ChangeRequest, 'beside'> {
  readonly actor: Actor
  /** As customers see them. None: the step only publishes something of the service's, and makes no version. */
  readonly moves: readonly RrsetMove[]
  /** As they are stored and published. */
  readonly published: readonly RrsetMove[]
  readonly fromSerial: number
  readonly version: number
  readonly serial: number
}

/** A locked zone that one transaction edits: each change is planned on the result of those before it. */
export class ZoneDraft {
  readonly zone: LockedZone
  readonly #steps: ZoneStep[] = []
  readonly #rrsets: Map<string, StoredRrset>
  readonly #outline: readonly { readonly name: string; readonly type: string }[]
  #version: number
  #serial: number
  #rrsetCount: number
  #bytes: number

  /** `outline`: the records at and around the suspect names of its changes, unless all rrsets of the zone are known. */
  constructor(zone: LockedZone, outline: readonly { readonly name: string; readonly type: string }[] = []) {
    this.zone = zone
    this.#outline = outline
    this.#rrsets = new Map(zone.rrsets.map((rrset) => [keyOf(rrset), rrset]))
    this.#version = zone.version
    this.#serial = zone.serial
    this.#rrsetCount = zone.rrsetCount
    this.#bytes = zone.bytes
  }

  get steps(): readonly ZoneStep[] {
    return this.#steps
  }

  /** The known rrsets of the zone after all steps. */
  get rrsets(): StoredRrset[] {
    return [...this.#rrsets.values()]
  }

  /** The version and serial of the zone after all steps. */
  get place(): ZoneAdvance {
    return {
      id: this.zone.id,
      version: this.#version,
      serial: this.#serial,
      rrsetCount: this.#rrsetCount,
      bytes: this.#bytes,
    }
  }

  /** Every rrset that changed, in its state after all steps; null if it is gone. */
  get outcome(): { readonly name: string; readonly type: string; readonly after: StoredRrset | null }[] {
    const moved = new Map(this.#steps.flatMap(({ published }) => published.map((move) => [keyOf(move), move])))
    return [...moved].map(([key, { name, type }]) => ({ name, type, after: this.#rrsets.get(key) ?? null }))
  }

  /**
   * Adds one change as a whole, or refuses it as a whole. Earlier changes stay.
   *
   * Only `replaceAll` needs all rrsets of the zone. Any other change needs those at the owner names that it touches, and the outline.
   */
  change(request: ChangeRequest): ChangeResult {
    return withoutPauses(this.changing(request))
  }

  /** The same with pauses. */
  *changing(request: ChangeRequest): Generator<undefined, ChangeResult> {
    refuseMoved(request.ifMatch, this.#version)
    const changes = this.#changesOf(request)
    if (request.refuseChange) for (const change of changes) request.refuseChange(change)
    const size = { rrsetCount: this.#rrsetCount, bytes: this.#bytes, rrsetLimit: this.zone.rrsetLimit }
    const faultsAfter = (after: ReadonlyMap<string, StoredRrset>) => this.#faultsAfter(request, changes, after)
    const plan = yield* planSliced(size, this.rrsets, changes, request.pathOf, { ...request, faultsAfter })
    if (plan.moves.length === 0) return this.#resultAt(this.#version, this.#serial, plan)
    const moves = shownMoves(plan.moves)
    const step: ZoneStep = {
      actor: request.actor,
      moves,
      published: plan.moves,
      fromSerial: this.#serial,
      version: moves.length === 0 ? this.#version : this.#version + 1,
      serial: nextSerial(this.#serial, this.zone.serialClock),
      ...(request.beside && { beside: request.beside }),
    }
    this.#take(step, plan, request.byService ?? false)
    return this.#resultAt(step.version, step.serial, { ...plan, moves })
  }

  #changesOf({ changes, decide, replaceAll, keeps }: ChangeRequest): readonly RrsetChange[] {
    if (decide) return decide.changes({ ...this.zone, serial: this.#serial }, this.rrsets)
    return replaceAll ? this.#withDeletions(changes, keeps) : changes
  }

  *#faultsAfter(
    { dotless = [], byService, keeps, pathOf }: ChangeRequest,
    changes: readonly RrsetChange[],
    after: ReadonlyMap<string, StoredRrset>,
  ): Generator<FaultDetail> {
    if (keeps)
      yield* lockedFaults(changes.filter(keeps), this.#rrsets, after, (change) => pathOf(changes.indexOf(change)))
    const suspects = suspectNames(dotless)
    if (suspects.length > 0) yield* this.#missingDots(suspects, after)
    if (!byService) yield* addressFaults(this.zone, changes, pathOf, (rrset) => after.has(keyOf(rrset)))
  }

  #missingDots(suspects: readonly DotlessName[], after: ReadonlyMap<string, StoredRrset>): Iterable<FaultDetail> {
    const others = this.#outline.filter((rrset) => !this.#rrsets.has(keyOf(rrset)))
    return missingDotFaults(suspects, new ZoneNames(absolute(this.zone.name), [...others, ...after.values()]))
  }

  #take(step: ZoneStep, { rrsetCount, bytes }: Plan, managed: boolean): void {
    this.#steps.push(step)
    this.#version = step.version
    this.#serial = step.serial
    this.#rrsetCount = rrsetCount
    this.#bytes = bytes
    for (const { name, type, after } of step.published) {
      if (after) this.#rrsets.set(keyOf({ name, type }), { name, type, ...after, managed })
      else this.#rrsets.delete(keyOf({ name, type }))
    }
  }

  #withDeletions(changes: readonly RrsetChange[], keeps: ChangeRequest['keeps']): RrsetChange[] {
    const named = new Set(changes.map(keyOf))
    const gone = this.rrsets.filter((rrset) => !rrset.managed && !named.has(keyOf(rrset)) && keeps?.(rrset) !== true)
    return [
      ...changes,
      ...gone.map(
        ({ name, type }): RrsetChange => ({ name, type, ttl: undefined, ask: { kind: 'replace', records: [] } }),
      ),
    ]
  }

  #resultAt(version: number, serial: number, plan: Plan): ChangeResult {
    const { hasWildcards } = this.zone
    return { version, serial, moves: plan.moves, results: plan.results, at: this.zone.now, hasWildcards }
  }
}
