import { type DomainName, nameToWire, type ResourceRecord } from '@zonewright/dns'
import type { Log } from '../log.ts'
import { reasonOf } from '../startup-fault.ts'
import { canonicalKey, packOwners } from '../store/pack-owners.ts'
import type { StoreChange } from '../store/store.ts'
import type { StoreWriter } from '../store/store-writer.ts'
import type { Owner } from '../tables/owners.ts'
import type { Tables } from '../tables/tables.ts'
import type { SecondaryZone } from './secondary-zone.ts'

/** The changes of a zone that are not on disk yet. */
type Unsaved =
  | { readonly kind: 'contact' }
  | { readonly kind: 'records'; readonly touched: Set<DomainName> }
  | { readonly kind: 'whole' }

/** How long writes are collected. Under load, a batch contains dozens of zones. */
const gatherMs = 50
const batchChanges = 5000
/** A zone with at most this many records is written as one row, whatever changed. */
const smallRecords = 100
const retryMs = 5000
/** How long a stop waits for the disk. */
const closeMs = 500

/**
 * Writes zones to disk after they are served.
 *
 * It remembers only which parts differ. In its turn, it writes the current content of the zone in the tables, records and serial in one transaction.
 * So several quick changes cost one write, and the disk never contains a mixture of versions.
 */
export class Saver {
  /** Absent while another process is the writer. Unsaved changes wait. */
  #writer: StoreWriter | undefined
  readonly #tables: Tables
  readonly #zones: ReadonlyMap<DomainName, SecondaryZone>
  readonly #log: Log
  #unsaved = new Map<DomainName, Unsaved>()
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined
  #isClosing = false

  /** `zones` is where the zones are looked up; one that has been removed from it is deleted from disk. */
  constructor(
    writer: StoreWriter | undefined,
    tables: Tables,
    zones: ReadonlyMap<DomainName, SecondaryZone>,
    log: Log,
  ) {
    this.#writer = writer
    this.#tables = tables
    this.#zones = zones
    this.#log = log
  }

  /**
   * Begins to save. Another process has written the store since this one read it: where the store differs, and where this process has changed a part,
   * whole zones are written, because the changed parts may not match the current store.
   */
  takeOver(writer: StoreWriter): void {
    this.#writer = writer
    const left = new Map(this.#zones)
    for (const { origin, label, serial, isByName } of writer.forms ?? []) {
      const zone = left.get(origin)
      left.delete(origin)
      if (zone && zone.label === label && zone.serial === serial) zone.isStoredByName = isByName
      else this.#unsaved.set(origin, { kind: 'whole' })
    }
    for (const origin of left.keys()) this.#unsaved.set(origin, { kind: 'whole' })
    for (const [origin, { kind }] of this.#unsaved) if (kind === 'records') this.#unsaved.set(origin, { kind: 'whole' })
    if (this.#unsaved.size > 0) this.#schedule(gatherMs)
  }

  /** The zone was added, removed, reset or transferred as a whole. */
  whole(origin: DomainName): void {
    this.#unsaved.set(origin, { kind: 'whole' })
    this.#schedule(gatherMs)
  }

  /** These records were removed from or added to the zone. */
  records(origin: DomainName, ...changed: readonly (readonly ResourceRecord[])[]): void {
    const known = this.#unsaved.get(origin)
    if (known?.kind === 'whole') return
    const touched = known?.kind === 'records' ? known.touched : new Set<DomainName>()
    for (const { name } of changed.flat()) touched.add(name)
    this.#unsaved.set(origin, { kind: 'records', touched })
    this.#schedule(gatherMs)
  }

  /** The primary confirmed the current version. */
  contact(origin: DomainName): void {
    if (!this.#unsaved.has(origin)) this.#unsaved.set(origin, { kind: 'contact' })
    this.#schedule(gatherMs)
  }

  /** Saves what it can within `patienceMs`, and closes the store. Unsaved zones are transferred again after the next start. */
  async close(patienceMs = closeMs): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    const writer = this.#writer
    if (!writer) return
    const saved = (async () => {
      await this.#saving
      while (this.#unsaved.size > 0 && (await this.#save(writer))) {}
      await writer.close()
    })()
    await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
  }

  #schedule(delayMs: number): void {
    const writer = this.#writer
    if (!writer || this.#timer || this.#saving || this.#isClosing) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#saving = this.#save(writer).then((isSaved) => {
        this.#saving = undefined
        if (this.#unsaved.size > 0) this.#schedule(isSaved ? gatherMs : retryMs)
      })
    }, delayMs).unref()
  }

  async #save(writer: StoreWriter): Promise<boolean> {
    const taken = this.#take()
    const changes = [...taken].flatMap(([origin, unsaved]) => [...this.#changesOf(origin, unsaved)])
    if (changes.length === 0) return true
    try {
      await writer.save(changes)
      return true
    } catch (error) {
      this.#log.error('store not written: retrying', { reason: reasonOf(error) })
      for (const origin of taken.keys()) this.#unsaved.set(origin, { kind: 'whole' })
      return false
    }
  }

  /** As many zones as make one small batch, the longest waiting first. */
  #take(): Map<DomainName, Unsaved> {
    const taken = new Map<DomainName, Unsaved>()
    let changes = 0
    for (const [origin, unsaved] of this.#unsaved) {
      if (changes >= batchChanges) break
      taken.set(origin, unsaved)
      this.#unsaved.delete(origin)
      changes += unsaved.kind === 'records' ? unsaved.touched.size : 1
      if (unsaved.kind === 'whole') changes += this.#tables.zone(origin)?.recordCount ?? 0
    }
    return taken
  }

  *#changesOf(origin: DomainName, unsaved: Unsaved): Iterable<StoreChange> {
    const held = this.#zones.get(origin)
    if (!held) {
      yield { kind: 'drop', origin }
      return
    }
    const { label, contactAtMs, serial } = held
    if (unsaved.kind === 'contact') {
      yield { kind: 'contact', origin, contactAtMs }
      return
    }
    const zone = this.#tables.zone(origin)
    const head = { origin, label, serial, contactAtMs }
    const isLarge = (zone?.recordCount ?? 0) > smallRecords
    if (!zone || !isLarge) {
      held.isStoredByName = false
      yield { kind: 'whole', head, packed: packOwners([...(zone?.owners() ?? [])]) }
      return
    }
    const touched = unsaved.kind === 'records' && held.isStoredByName ? unsaved.touched : undefined
    held.isStoredByName = true
    yield { kind: 'large', head, isAnew: touched === undefined }
    if (touched === undefined) {
      for (const owner of zone.owners()) yield nameChange(origin, owner)
    } else {
      for (const name of touched) yield nameChange(origin, { name: nameToWire(name), rrsets: zone.rrsetsAt(name) })
    }
  }
}

function nameChange(origin: DomainName, owner: Owner): StoreChange {
  const key = canonicalKey(owner.name)
  if (owner.rrsets.length === 0) return { kind: 'no_name', origin, key }
  return { kind: 'name', origin, key, packed: packOwners([owner]) }
}
