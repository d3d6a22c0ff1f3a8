import {
  type CatalogMember,
  DnsFault,
  type DomainName,
  InfoCode,
  type Serial,
  serialNewer,
  TsigFault,
  type ZoneDiff,
} from '@zonewright/dns'
import { Burst } from '../burst.ts'
import type { Log } from '../log.ts'
import type { FollowingFigures } from '../metrics/server-figures.ts'
import { TransferTally } from '../metrics/transfer-tally.ts'
import { reasonOf } from '../startup-fault.ts'
import type { StoreWriter } from '../store/store-writer.ts'
import type { Tables } from '../tables/tables.ts'
import { Agenda } from './agenda.ts'
import { CatalogMembers } from './catalog-members.ts'
import { HeldZones } from './held-zones.ts'
import { Lag } from './lag.ts'
import { BrokenOff, LinkDown, type PrimaryLink } from './primary-link.ts'
import { Saver } from './saver.ts'
import type { SecondaryZone } from './secondary-zone.ts'
import { askSerial, BadAnswer, transfer } from './transfer.ts'
import { type Lane, TransferQueue, usualQueueLimits } from './transfer-queue.ts'

const manyRuns = 10_000

export interface SecondaryParts {
  readonly tables: Tables
  readonly link: PrimaryLink
  readonly catalog: DomainName
  /** The zones that the last process left. They are already in the tables, and are served even if the primary is down. */
  readonly restored: Map<DomainName, SecondaryZone>
  /** Absent while another process writes the store. */
  readonly writer: StoreWriter | undefined
  readonly log: Log
  /** Called when many zones have queried the primary one after another, and none is left. */
  readonly afterBurst?: () => void
}

/** How long a start waits for the primary. */
interface CatchUp {
  readonly patienceMs: number
  readonly endsIfAway: boolean
}

/**
 * A secondary of one primary, whose catalog zone lists the zones to serve (RFC 9432).
 *
 * Every change takes the same path: a NOTIFY, a timer or the catalog requests a zone, the queue gives it its turn, the transfer is applied in one
 * synchronous step, and the saver writes it to disk later.
 */
export class Secondary {
  readonly #link: PrimaryLink
  readonly #log: Log
  readonly #saver: Saver
  readonly #zones: HeldZones
  readonly #catalog: SecondaryZone
  readonly #members: CatalogMembers
  readonly #lag = new Lag()
  readonly #transfers = new TransferTally()
  readonly #queue = new TransferQueue(usualQueueLimits, (zone, lane) => this.#run(zone, lane))
  readonly #agenda = new Agenda<SecondaryZone>(
    (zone) => this.#due(zone),
    () => this.#clockWentBack(),
  )
  readonly #burst: Burst
  /** Zones that have not been checked at the primary since the start. */
  #unasked: Set<SecondaryZone> | undefined
  #allAsked: () => void = () => {}
  #primaryAway: () => void = () => {}

  constructor({ tables, link, catalog, restored, writer, log, afterBurst = () => {} }: SecondaryParts) {
    this.#link = link
    this.#log = log
    this.#saver = new Saver(writer, tables, restored, log)
    this.#zones = new HeldZones(tables, this.#saver, restored)
    this.#burst = new Burst(manyRuns, afterBurst)
    this.#takeOver(catalog)
    this.#catalog = this.#zones.get(catalog) ?? this.#zones.add(catalog, undefined)
    this.#members = new CatalogMembers(this.#zones)
    if (this.#zones.content(this.#catalog)) this.#followCatalog()
  }

  start(): void {
    this.#link.open({
      up: (wasAway) => {
        if (wasAway) this.#requestAll()
        this.#queue.open()
      },
      down: () => this.#queue.shut(),
      away: () => this.#primaryAway(),
    })
  }

  /**
   * Resolves once every zone that was held at the start or added since has been checked at the primary, or after `patienceMs`. The answers of this
   * instance are then as new as those of another instance, or of this one before a crash. With `endsIfAway`, it also resolves once no primary can be
   * reached.
   */
  async catchUp({ patienceMs, endsIfAway }: CatchUp): Promise<void> {
    this.#unasked = new Set(this.#zones.zones())
    const patience = setTimeout(() => this.#allAsked(), patienceMs)
    await new Promise<void>((resolve) => {
      this.#allAsked = resolve
      if (endsIfAway) this.#primaryAway = resolve
    })
    clearTimeout(patience)
    this.#unasked = undefined
  }

  /** Starts saving, because the process that wrote the store has ended. */
  takeOver(writer: StoreWriter): void {
    this.#saver.takeOver(writer)
  }

  #asked(zone: SecondaryZone): void {
    if (this.#unasked?.delete(zone) && this.#unasked.size === 0) this.#allAsked()
  }

  #requestAll(): void {
    for (const zone of this.#zones.zones()) if (!zone.isSuspect) this.#request(zone)
  }

  /** Handles a signed NOTIFY (RFC 1996). @returns whether the zone is one of ours. */
  notified(origin: DomainName, serial: Serial | undefined): boolean {
    this.#link.nudge()
    const zone = this.#zones.get(origin)
    // A zone unknown here may be new in the catalog.
    if (!zone) {
      this.#queue.request(this.#catalog, 'catalog')
    } else if (zone.notified(serial)) {
      this.#lag.begin(zone)
      this.#queue.request(zone, zone.isCatalog ? 'catalog' : 'notified')
    }
    return zone !== undefined
  }

  /** For the metrics. */
  get figures(): FollowingFigures {
    return {
      zonesBehind: () => this.#lag.zonesBehind,
      lagMs: () => this.#lag.longestMs,
      transfers: this.#transfers,
    }
  }

  /** Ends all work within a second; zones that are not saved by then are transferred again. */
  async stop(): Promise<void> {
    this.#queue.shut()
    this.#agenda.stop()
    this.#burst.stop()
    this.#link.close()
    await this.#saver.close()
  }

  /** Continues with the restored zones. A store of another catalog is emptied, but a store that has lost its catalog is not. */
  #takeOver(catalog: DomainName): void {
    const catalogs = [...this.#zones.zones()].filter((zone) => zone.isCatalog)
    const isOurs =
      catalogs.length === 0 ? this.#zones.get(catalog) === undefined : catalogs.some(({ origin }) => origin === catalog)
    const nowMs = Date.now()
    for (const zone of [...this.#zones.zones()]) {
      if (!isOurs || (zone.origin === catalog) !== zone.isCatalog) {
        this.#zones.drop(zone)
        continue
      }
      this.#zones.expireIfDue(zone, nowMs)
      this.#agenda.set(zone)
    }
  }

  #due(zone: SecondaryZone): void {
    const nowMs = Date.now()
    if (this.#zones.expireIfDue(zone, nowMs)) this.#log.warn('zone has expired', { zone: zone.origin })
    if (zone.refreshAtMs > nowMs) return
    this.#request(zone)
  }

  /** While the clock was ahead, zones expired, or were deferred until a date that is now far away. */
  #clockWentBack(): void {
    this.#log.warn('the clock was set back: all zones are checked')
    for (const zone of this.#zones.zones()) this.#request(zone)
  }

  /** By timer or after the link was down. If the zone already waits because of a NOTIFY that is outdated by then, its run becomes this check. */
  #request(zone: SecondaryZone): void {
    zone.queued()
    this.#queue.request(zone, laneOf(zone))
  }

  async #run(zone: SecondaryZone, lane: Lane): Promise<void> {
    // The NOTIFY arrived during a transfer, which brought the announced change. If a check is due as well, this run does it.
    const isOvertaken = lane === 'notified' && !zone.isBehind
    if (isOvertaken && !zone.isWaiting) return
    const isCheck = lane === 'check' || isOvertaken
    this.#burst.count()
    const { wanted } = zone
    try {
      if (!isCheck) await this.#transfer(zone)
      else if (await this.#check(zone)) return
      if (!zone.isBehind) this.#asked(zone)
    } catch (error) {
      if (!this.#zones.has(zone)) return
      this.#zones.notTransferred(zone, infoCodeOf(error))
      if (error instanceof LinkDown) {
        zone.wanted ??= wanted
        this.#queue.request(zone, lane)
        return
      }
      this.#asked(zone)
      zone.isSuspect = error instanceof BrokenOff
      this.#transfers.count(isCheck ? 'soa' : zone.serial === undefined ? 'axfr' : 'ixfr', 'failed')
      this.#failed(zone, reasonOf(error))
    }
  }

  /** @returns whether the zone is older than the primary's, and a transfer was requested */
  async #check(zone: SecondaryZone): Promise<boolean> {
    const serial = await askSerial(this.#link, zone.origin)
    if (!this.#zones.has(zone)) return false
    if (zone.serial === undefined || serialNewer(serial, zone.serial)) {
      this.#lag.begin(zone)
      this.#unasked?.add(zone)
      this.#queue.request(zone, 'stale')
      return true
    }
    this.#transfers.count('soa', 'unchanged')
    this.#refreshed(zone)
    return false
  }

  async #transfer(zone: SecondaryZone): Promise<void> {
    zone.asked()
    const result = await transfer(this.#link, zone.origin, this.#zones.content(zone))
    if (!this.#zones.has(zone)) return
    this.#transfers.count(
      result.kind === 'whole' ? 'axfr' : 'ixfr',
      result.kind === 'unchanged' ? 'unchanged' : 'applied',
    )
    if (result.kind === 'diff') this.#zones.change(zone, result.diff)
    if (result.kind === 'whole') this.#zones.replace(zone, result.rrsets)
    this.#refreshed(zone)
    if (result.kind === 'whole' && result.whyNotDiff) {
      this.#log.warn('zone transferred in full', { zone: zone.origin, reason: result.whyNotDiff })
    }
    if (zone.isCatalog && result.kind !== 'unchanged') {
      this.#followCatalog(result.kind === 'diff' ? result.diff : undefined)
    }
  }

  #refreshed(zone: SecondaryZone): void {
    this.#zones.vouchedFor(zone, Date.now())
    if (!zone.isBehind) this.#lag.end(zone)
    const { wanted } = zone
    // A NOTIFY without a serial that arrived since then may have been handled: the run that it requested will check.
    if (typeof wanted === 'number' && zone.isBehind)
      this.#failed(zone, 'the primary does not have the serial of its NOTIFY yet')
    else this.#agenda.set(zone)
  }

  #failed(zone: SecondaryZone, reason: string): void {
    zone.failed(Date.now())
    this.#agenda.set(zone)
    this.#log.warn('zone not refreshed', { zone: zone.origin, serial: zone.serial, reason })
  }

  /** Starts and stops serving zones as the catalog says. A broken catalog changes nothing. */
  #followCatalog(diff?: ZoneDiff): void {
    const { serial } = this.#catalog
    const content = this.#zones.content(this.#catalog)
    if (!content) return
    try {
      const { removed, added } = this.#members.follow(content, diff)
      for (const member of removed) this.#drop(member)
      for (const member of added) this.#admit(member)
      if (removed.length + added.length > 0) {
        this.#log.info('catalog followed', { serial, removed: removed.length, added: added.length })
      }
    } catch (error) {
      this.#log.warn('catalog is broken: not followed', { serial, reason: reasonOf(error) })
    }
  }

  #drop({ zone: origin }: CatalogMember): void {
    const zone = this.#zones.get(origin)
    if (!zone || zone.isCatalog) return
    this.#queue.forget(zone)
    this.#agenda.delete(zone)
    this.#lag.end(zone)
    this.#asked(zone)
    this.#zones.drop(zone)
  }

  #admit({ zone: origin, label }: CatalogMember): void {
    // A catalog that lists itself would be served to the public.
    if (origin === this.#catalog.origin) return
    const zone = this.#zones.add(origin, label)
    this.#unasked?.add(zone)
    this.#queue.request(zone, 'cold')
  }
}

/** The extended error of a zone that has no data because its transfer failed (RFC 8914 §4). */
function infoCodeOf(error: unknown): number {
  if (error instanceof BrokenOff) return InfoCode.NETWORK_ERROR
  if (error instanceof DnsFault && error.code === 'too_many_iterations') return InfoCode.UNSUPPORTED_NSEC3_ITERATIONS
  const isAnswer = error instanceof BadAnswer || error instanceof DnsFault || error instanceof TsigFault
  return isAnswer ? InfoCode.INVALID_DATA : InfoCode.NO_REACHABLE_AUTHORITY
}

function laneOf(zone: SecondaryZone): Lane {
  if (zone.isCatalog) return 'catalog'
  return zone.serial === undefined ? 'cold' : 'check'
}
