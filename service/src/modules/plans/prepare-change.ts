import { noSuchZone } from '#http/authorise.ts'
import type { CalledZone } from '#http/call.ts'
import {
  countedWarnings,
  fillTemplate,
  givenBy,
  namesToRead,
  type PresetCatalogue,
  planPreset,
  presetNamed,
  warningsOf,
} from '#modules/presets/index.ts'
import {
  type ChangeRequest,
  isSmall,
  leftToWire,
  type ParsedChanges,
  RecordAccess,
  type RecordWriter,
  type RrsetMove,
  readChanges,
  readFile,
  readRrsets,
  requestBy,
  requestOf,
  type WriteWish,
} from '#modules/records/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { PlanZone } from './read-zones.ts'
import { lockOf, type Replacement, type SentPlan, type SentZone } from './rules.ts'
import { namesWith } from './store.ts'

/** A zone of a plan with the request that changes it. */
export interface PreparedChange extends PlanZone {
  readonly zone: CalledZone
  readonly request: ChangeRequest
  /** The changes that the caller sends, for warnings about them. */
  readonly wish: ParsedChanges
  /** Additional members of its plan. */
  readonly more?: Readonly<Record<string, unknown>>
  /** For a preset: what it replaces. */
  readonly losses?: (
    moves: readonly RrsetMove[],
  ) => readonly { name: string; type: string; code: string; message: string }[]
}

/** A zone of a plan whose change is refused. */
export interface RefusedChange extends PlanZone {
  readonly refusal: Refusal
}

/** Who makes a plan. */
export interface PlannedBy {
  readonly caller: Caller
  readonly actor: Actor
}

/** What all zones of a plan share. */
export interface Shared {
  readonly replacement?: Replacement | undefined
  readonly preset?: SentPlan['preset']
}

/** Number of zones that one statement searches for the names with a value. */
const searchedAtOnce = 50

/** Turns the contents of plans into requests to change zones. */
export class ChangePreparer {
  readonly #writer: RecordWriter
  readonly #presets: PresetCatalogue['presets']
  readonly #by: PlannedBy
  readonly #shared: Shared
  readonly #db: Db
  /** The preset that all zones get. */
  readonly presetId: string | undefined

  constructor(writer: RecordWriter, presets: PresetCatalogue['presets'], by: PlannedBy, shared: Shared) {
    this.#writer = writer
    this.#presets = presets
    this.#by = by
    this.#shared = shared
    this.#db = writer.db
    this.presetId = shared.preset && presetNamed(presets, shared.preset.id).id
  }

  /**
   * Prepares the zones one after the other. Errors in one zone do not affect the others.
   *
   * @throws Refusal `forbidden` for a change that the caller is not allowed to make
   */
  async *prepare(zones: readonly PlanZone[]): AsyncGenerator<PreparedChange | RefusedChange> {
    const { replacement } = this.#shared
    for (let at = 0; at < zones.length; at += searchedAtOnce) {
      const some = zones.slice(at, at + searchedAtOnce)
      const ids = some.flatMap(({ zone }) => zone?.id ?? [])
      const names = replacement && (await namesWith(this.#db, ids, replacement))
      for (const one of some) yield this.#prepared(one, names?.get(one.zone?.id ?? '') ?? [])
    }
  }

  async #prepared(one: PlanZone, names: readonly string[]): Promise<PreparedChange | RefusedChange> {
    const { zone, place, sent } = one
    if (zone === undefined) return { ...one, refusal: missing(place) }
    try {
      return { ...one, zone, ...(await this.#changeOf(zone, place, sent, names)) }
    } catch (error) {
      if (!(error instanceof Refusal) || isOfAll(error)) throw error
      return { ...one, refusal: error }
    }
  }

  #changeOf(
    zone: CalledZone,
    place: number,
    sent: SentZone,
    names: readonly string[],
  ): Promise<Omit<PreparedChange, keyof PlanZone>> {
    const call = { ...this.#by, zone, ifMatch: sent.if_match === undefined ? undefined : [sent.if_match] }
    if (this.#shared.replacement) return this.#replacing(call, place, this.#shared.replacement, names)
    if (this.#shared.preset) return this.#applying(call, this.#shared.preset)
    return this.#writing(call, place, sent)
  }

  async #replacing(call: ZoneCall, place: number, { type, from, to }: Replacement, names: readonly string[]) {
    const { limits } = new RecordAccess(call.caller, call.zone)
    const covered = limits ? names.filter((name) => limits.covers({ name, type })) : names
    const requested = covered.map((name) => ({
      name: `${name}.`,
      type,
      ask: { kind: 'edit' as const, add: [to], remove: [from] },
    }))
    const path = { name: `/zones/${place}/zone`, type: '/replace/type', ttl: '/replace', records: '/replace' }
    const paths = { ...path, add: '/replace/to', remove: '/replace/from' }
    const parsed = await this.#writer.parseMany(call, requested, () => paths)
    const wish = { ...parsed, pathOf: () => '/replace/to' }
    return { request: requestOf(call, wish), wish }
  }

  async #applying(call: ZoneCall, { id, parameters }: NonNullable<SentPlan['preset']>) {
    const { caller, zone } = call
    const wanted = inPreset(() => fillTemplate(presetNamed(this.#presets, id).template, zone.name, parameters))
    const given = givenBy(wanted)
    const request: ChangeRequest = {
      ...requestBy(call, wanted),
      changes: [],
      decide: {
        at: namesToRead(zone.name, wanted) ?? 'all',
        changes: (_, rrsets) => planPreset(rrsets, wanted),
      },
      pathOf: () => '/preset/parameters',
    }
    const readsAll = new RecordAccess(caller, zone).readsAll
    return {
      request,
      wish: { changes: given, warnings: [], dotless: [] },
      losses: (moves: readonly RrsetMove[]) => (readsAll ? warningsOf(moves) : countedWarnings(zone.name, moves)),
    }
  }

  async #writing(call: ZoneCall, place: number, sent: SentZone) {
    const replaceAll = sent.mode === 'replace'
    if (replaceAll) new RecordAccess(call.caller, call.zone).refuseWholeZone()
    const lock = sent.lock && lockOf(call.zone.name, sent.lock, `/zones/${place}/lock`)
    const { wish, more } = await this.#read(call, place, sent)
    const request = requestOf(call, { ...wish, replaceAll })
    return { request: lock ? { ...request, keeps: lock } : request, wish, ...(more && { more }) }
  }

  async #read(call: ZoneCall, place: number, { changes, rrsets, zone_file: text }: SentZone): Promise<ReadContents> {
    const at = `/zones/${place}`
    if (changes) return { wish: await readChanges(this.#writer, call, changes, (i) => `${at}/changes/${i}`) }
    if (rrsets) {
      const { wish, left } = await readRrsets(this.#writer, call, rrsets, `${at}/rrsets`)
      return { wish, more: leftToWire(left) }
    }
    const file = await this.#writer.parsingFile(call, () => readFile(this.#writer, call, text ?? ''))
    if (file.faults.length > 0) throw Refusal.of(file.faults)
    return { wish: { ...file, pathOf: String }, more: leftToWire(file.left) }
  }
}

interface ReadContents {
  readonly wish: WriteWish
  readonly more?: Readonly<Record<string, unknown>>
}

type ZoneCall = PlannedBy & Pick<Parameters<typeof requestOf>[0], 'zone' | 'ifMatch'>

/** Whether a refusal applies to the whole request, whichever zone it is about. */
export function isOfAll({ code }: Refusal): boolean {
  return code === 'forbidden' || code === 'unavailable'
}

function missing(place: number): Refusal {
  const { code, message } = noSuchZone()
  return new Refusal(code, message, { details: [{ path: `/zones/${place}/zone`, code, message }] })
}

/** The errors of a preset's parameters, at their place in the body of a plan. */
function inPreset<T>(fill: () => T): T {
  try {
    return fill()
  } catch (error) {
    if (!(error instanceof Refusal) || error.details.length === 0) throw error
    throw Refusal.of(error.details.map((fault): FaultDetail => ({ ...fault, path: `/preset${fault.path ?? ''}` })))
  }
}

/** Changes that one transaction plans or makes, for at most this many zones. A preset counts as ten changes. */
const batch = { zones: 32, changes: 200, ofPreset: 10 }

/** Zones whose changes are small and are handled together, or one zone whose change is large. */
export interface Batch {
  readonly ones: readonly PreparedChange[]
  readonly isLarge: boolean
}

/** The changes of a plan in batches, in its order. */
export async function* inBatches(
  prepared: AsyncIterable<PreparedChange | RefusedChange>,
): AsyncGenerator<Batch | RefusedChange> {
  let ones: PreparedChange[] = []
  let changes = 0
  for await (const one of prepared) {
    const joins = !('refusal' in one) && isSmall(one.request)
    if (joins) {
      ones.push(one)
      changes += one.request.decide ? batch.ofPreset : one.request.changes.length
    }
    if (ones.length > 0 && (!joins || ones.length === batch.zones || changes >= batch.changes)) {
      yield { ones, isLarge: false }
      ones = []
      changes = 0
    }
    if (!joins) yield 'refusal' in one ? one : { ones: [one], isLarge: true }
  }
  if (ones.length > 0) yield { ones, isLarge: false }
}
