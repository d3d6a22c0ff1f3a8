import { absolute, type ZoneAdvance, type ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { FaultDetail } from '#platform/errors.ts'
import { type IfMatch, refuseMoved } from '#platform/http/etag.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { type DotlessName, missingDotFaults, suspectNames } from './forgotten-dots.ts'
import { keyOf, type RrsetMove, type StoredRrset } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import { nextZoneSerial, type Plan, planSliced } from './rules.ts'
import { ZoneNames } from './zone-names.ts'

/** A zone whose row this transaction holds, with the rrsets that were asked for. */
export interface LockedZone extends ZoneRow {
  readonly now: Date
  /** Whether it has any record at a wildcard. */
  readonly hasWildcards: boolean
  readonly rrsets: readonly StoredRrset[]
}

/** A preloaded zone (`ZonePreload`). */
interface Preloaded {
  /** The zone, if it is all that a change of these owner names needs to know. */
  zoneFor(zoneId: string, ownerNames: readonly string[] | undefined, changedAtMs?: number): LockedZone | undefined
}

/** A wish to change a zone's records. */
export interface ChangeRequest {
  readonly zoneId: string
  readonly actor: Actor
  readonly changes: readonly RrsetChange[]
  /** Also delete every rrset that `changes` does not name. */
  readonly replaceAll?: boolean
  /** The service itself changes what is its own: delegations to zones hosted here. */
  readonly byService?: boolean
  /** Refuse unless the zone has one of these versions. */
  readonly ifMatch: IfMatch
  /** Where the n-th change stands in the request, for its faults. */
  readonly pathOf: (index: number) => string
  /** What was preloaded for it: alone, it is planned on that. */
  readonly preload?: Preloaded | undefined
  /** Names that are refused unless they lead somewhere in the zone; of a zone file, those that may be warned of. */
  readonly dotless?: readonly DotlessName[]
  /** May a fault tell of an rrset by name? Of any, unless this says otherwise. */
  readonly mayReveal?: (rrset: { readonly name: string; readonly type: string }) => boolean
}

/** Where the zone is afterwards, and what moved. No moves: nothing was changed, and version and serial are the old ones. */
export interface ChangeResult {
  readonly version: number
  readonly serial: number
  readonly moves: readonly RrsetMove[]
  readonly results: Plan['results']
  readonly at: Date
  /** Whether the zone had a wildcard before. */
  readonly hasWildcards: boolean
}

/** One change that is to be written: who made it, what moved, and where the zone was before and is after. */
export interface ZoneStep {
  readonly actor: Actor
  readonly moves: readonly RrsetMove[]
  readonly fromSerial: number
  readonly version: number
  readonly serial: number
}

/** A locked zone as one transaction edits it: each change is planned on what those before it made of the zone. */
export class ZoneDraft {
  readonly zone: LockedZone
  readonly #steps: ZoneStep[] = []
  readonly #rrsets: Map<string, StoredRrset>
  readonly #outline: readonly { readonly name: string; readonly type: string }[]
  #version: number
  #serial: number
  #rrsetCount: number
  #bytes: number

  /** `outline`: what stands at the suspect names of its changes and around them, unless all of the zone's rrsets are known. */
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

  /** What is known of the zone's rrsets, as they are after all steps. */
  get rrsets(): StoredRrset[] {
    return [...this.#rrsets.values()]
  }

  /** The zone's place after all steps. */
  get place(): ZoneAdvance {
    return {
      id: this.zone.id,
      version: this.#version,
      serial: this.#serial,
      rrsetCount: this.#rrsetCount,
      bytes: this.#bytes,
    }
  }

  /** Every rrset that moved, as it is after all steps; null where it is gone. */
  get outcome(): { readonly name: string; readonly type: string; readonly after: StoredRrset | null }[] {
    const moved = new Map(this.#steps.flatMap(({ moves }) => moves.map((move) => [keyOf(move), move])))
    return [...moved].map(([key, { name, type }]) => ({ name, type, after: this.#rrsets.get(key) ?? null }))
  }

  /**
   * Takes one change in, whole, or refuses it, whole: what was taken in before it stays.
   *
   * Only `replaceAll` needs all of the zone's rrsets to be known, any other those at the owner names that it touches, and the outline.
   */
  change(request: ChangeRequest): ChangeResult {
    return withoutPauses(this.changing(request))
  }

  /** The same with pauses. */
  *changing(request: ChangeRequest): Generator<undefined, ChangeResult> {
    refuseMoved(request.ifMatch, this.#version)
    const changes = request.replaceAll ? this.#withDeletions(request.changes) : request.changes
    const size = { rrsetCount: this.#rrsetCount, bytes: this.#bytes, rrsetLimit: this.zone.rrsetLimit }
    const suspects = suspectNames(request.dotless ?? [])
    const faultsAfter = (after: ReadonlyMap<string, StoredRrset>) => this.#missingDots(suspects, after)
    const judgement = suspects.length > 0 ? { ...request, faultsAfter } : request
    const plan = yield* planSliced(size, this.rrsets, changes, request.pathOf, judgement)
    if (plan.moves.length === 0) return this.#resultAt(this.#version, this.#serial, plan)
    const step: ZoneStep = {
      actor: request.actor,
      moves: plan.moves,
      fromSerial: this.#serial,
      version: this.#version + 1,
      serial: nextZoneSerial(this.#serial, Math.floor(this.zone.now.getTime() / 1000)),
    }
    this.#take(step, plan, request.byService ?? false)
    return this.#resultAt(step.version, step.serial, plan)
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
    for (const { name, type, after } of step.moves) {
      if (after) this.#rrsets.set(keyOf({ name, type }), { name, type, ...after, managed })
      else this.#rrsets.delete(keyOf({ name, type }))
    }
  }

  #withDeletions(changes: readonly RrsetChange[]): RrsetChange[] {
    const named = new Set(changes.map(keyOf))
    const gone = this.rrsets.filter((rrset) => !rrset.managed && !named.has(keyOf(rrset)))
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
