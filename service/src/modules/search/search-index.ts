import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '#platform/postgres/index.ts'
import { briefly } from '#platform/work/briefly.ts'
import { inSlices } from '#platform/work/slices.ts'
import { Slots } from '#platform/work/slots.ts'
import { type ListedZone, type Listing, readListing, readRrsetsOf, type ZonePart } from './store.ts'
import { ZoneText } from './zone-text.ts'

/** The bounds of the memory of a process. Tests set other ones. */
export interface IndexLimits {
  /** Maximum size of the records of one account, in bytes as zones count them. Further zones are found only by name. */
  readonly accountBytes: number
  /** Maximum size of the indexes of all accounts. The least recently used ones are dropped. */
  readonly processBytes: number
  /** Indexes that are unused for this long are dropped. */
  readonly idleMs: number
  /** How long a search waits for records that have to be read. After this time, it answers with the data that the index has. */
  readonly patienceMs: number
}

export const usualIndexLimits: IndexLimits = {
  accountBytes: 64 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  idleMs: 15 * 60_000,
  patienceMs: 1_500,
}

/** How long a listing counts as fresh: at least this, and longer if reading it is slow, so that searches use at most a tenth of a connection. */
const freshMs = 1_000
const restPerWork = 10
const longestFreshMs = 10_000
/** Maximum number of indexes that are read at once. */
const maxReads = 2
/** Maximum numbers in one statement. */
const rrsetsInStatement = 5_000
const zonesInStatement = 500
/** Approximate size of an entry of a listing. */
const entryBytes = 200

/** What one account can search. */
export interface AccountIndex {
  readonly listing: Listing
  /** The records of a zone, by its id. Undefined: they are not in the index. */
  textOf(zoneId: string): ZoneText | undefined
  /** Whether it has the records of every zone, as they were a second ago. */
  readonly isComplete: boolean
}

/** The index of one account as it is kept. */
interface KeptIndex {
  listing: Listing
  readonly texts: Map<string, { readonly serial: number; readonly text: ZoneText }>
  /** Whether the last read completed and covered every zone. */
  isComplete: boolean
  bytes: number
  usedAtMs: number
  readonly refresh: () => Promise<void>
}

/**
 * The search indexes in the memory of this process: for each account that searches, what it owns and manages, and the text of its records.
 *
 * The first search of an account reads its records. Later ones read which zones have a different serial than before, at most once a second,
 * and only the records of these. Writers do nothing for it (docs/decisions/0031).
 */
export class SearchIndexes {
  readonly #db: Db
  readonly #limits: IndexLimits
  readonly #kept = new Map<string, KeptIndex>()
  readonly #slots = new Slots(maxReads)
  #sweep: NodeJS.Timeout | undefined

  constructor(db: Db, limits = usualIndexLimits) {
    this.#db = db
    this.#limits = limits
  }

  /** Bytes of all indexes. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The index of an account. It is not complete if its records were not read in time, or are too large. */
  async of(accountId: string): Promise<AccountIndex> {
    const kept = this.#keptOf(accountId)
    const isInTime = await this.#waitFor(kept.refresh())
    return {
      listing: kept.listing,
      textOf: (zoneId) => kept.texts.get(zoneId)?.text,
      isComplete: isInTime && kept.isComplete,
    }
  }

  /** Whether the work was done in time. Otherwise it continues, and the next search finds the data that it has read. */
  async #waitFor(work: Promise<void>): Promise<boolean> {
    const waited = new AbortController()
    const tooLong = delay(this.#limits.patienceMs, false, { signal: waited.signal, ref: false }).catch(() => false)
    const inTime = work.then(() => true)
    // If it fails later, the next search fails or repeats it.
    inTime.catch(() => undefined)
    try {
      return await Promise.race([inTime, tooLong])
    } finally {
      waited.abort()
    }
  }

  #keptOf(accountId: string): KeptIndex {
    const kept = this.#kept.get(accountId) ?? this.#newIndex(accountId)
    // The most recently used index comes last.
    this.#kept.delete(accountId)
    this.#kept.set(accountId, kept)
    kept.usedAtMs = performance.now()
    this.#sweep ??= setInterval(() => this.#dropIdle(), this.#limits.idleMs / 10).unref()
    return kept
  }

  #newIndex(accountId: string): KeptIndex {
    const kept: KeptIndex = {
      listing: { zones: [], domains: [], orders: [], keys: [] },
      texts: new Map(),
      isComplete: false,
      bytes: 0,
      usedAtMs: 0,
      refresh: briefly(
        () => this.#slots.run(() => this.#read(accountId, kept), accountId),
        (tookMs) => Math.min(longestFreshMs, Math.max(freshMs, restPerWork * tookMs)),
      ),
    }
    return kept
  }

  async #read(accountId: string, kept: KeptIndex): Promise<void> {
    kept.isComplete = false
    const listing = await readListing(this.#db, accountId)
    kept.listing = listing
    const covered = withinBytes(listing.zones, this.#limits.accountBytes)
    const ids = new Set(covered.map(({ id }) => id))
    for (const id of kept.texts.keys()) if (!ids.has(id)) kept.texts.delete(id)
    this.#count(kept)
    const stale = covered.filter(({ id, serial }) => kept.texts.get(id)?.serial !== serial)
    for (const zones of inStatements(stale)) {
      const parts = await readRrsetsOf(this.#db, zones)
      const texts = await inSlices(textsOf(parts))
      for (const { id, serial } of zones) kept.texts.set(id, { serial, text: texts.get(id) ?? noText })
      this.#count(kept)
      this.#dropOldest(accountId)
    }
    kept.isComplete = covered.length === listing.zones.length
  }

  #count(kept: KeptIndex): void {
    const { zones, domains, orders, keys } = kept.listing
    let bytes = (zones.length + domains.length + orders.length + keys.length) * entryBytes
    for (const { text } of kept.texts.values()) bytes += text.bytes
    kept.bytes = bytes
  }

  #dropOldest(except: string): void {
    let bytes = this.bytes
    for (const [accountId, kept] of this.#kept) {
      if (bytes <= this.#limits.processBytes) return
      if (accountId === except) continue
      this.#kept.delete(accountId)
      bytes -= kept.bytes
    }
  }

  #dropIdle(): void {
    const nowMs = performance.now()
    for (const [accountId, { usedAtMs }] of this.#kept)
      if (nowMs - usedAtMs > this.#limits.idleMs) this.#kept.delete(accountId)
    if (this.#kept.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

const noText = new ZoneText('', '')

/** The first zones that together have at most this many bytes. */
function withinBytes(zones: readonly ListedZone[], most: number): readonly ListedZone[] {
  let bytes = 0
  const past = zones.findIndex((zone) => {
    bytes += zone.bytes
    return bytes > most
  })
  return past === -1 ? zones : zones.slice(0, past)
}

/** Groups of zones. One statement reads the rrsets of a group. */
function* inStatements(zones: readonly ListedZone[]): Generator<readonly ListedZone[]> {
  let group: ListedZone[] = []
  let rrsets = 0
  for (const zone of zones) {
    if (group.length > 0 && (group.length === zonesInStatement || rrsets + zone.rrsetCount > rrsetsInStatement)) {
      yield group
      group = []
      rrsets = 0
    }
    group.push(zone)
    rrsets += zone.rrsetCount
  }
  if (group.length > 0) yield group
}

/** The texts of zones from their rrsets, by the ids of the zones. */
function* textsOf(parts: readonly ZonePart[]): Generator<undefined, ReadonlyMap<string, ZoneText>> {
  const texts = new Map<string, ZoneText>()
  for (const [id, ofZone] of Map.groupBy(parts, ({ zoneId }) => zoneId))
    texts.set(id, yield* ZoneText.of(ofZone.flatMap(({ rrsets }) => rrsets)))
  return texts
}
