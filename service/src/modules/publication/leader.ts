import { heldZones } from '#modules/events/index.ts'
import { readCatalogSerial } from '#modules/primary/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { Announcer, type AnnouncerParts } from './announcer.ts'
import { type CatalogBatch, catalogPublisher } from './catalog-publisher.ts'
import type { LeaderPolls } from './leader-polls.ts'
import { adoptTimeline } from './move-serials.ts'
import { nameserverRename } from './nameserver-rename.ts'
import { RemovalWatch } from './removal-watch.ts'
import { SerialWatch } from './serial-watch.ts'
import { readLags, writeLag } from './store.ts'

/** How often all zones are compared with their sightings, even if no one waits. */
const compareMs = 60_000
/** `heldZones` answers with pages of this length. */
const heldPage = 1_000

/** The work of the leading primary in addition to answering transfers. */
export interface Lead {
  /** If no zones are named, any may have changed. */
  zonesChanged(zoneIds: readonly string[]): void
  catalogChanged(): void
  readonly announcer: Announcer
  end(): Promise<void>
}

/** What a leader works with. */
export interface LeadParts extends AnnouncerParts {
  readonly polls: LeaderPolls
  /** How long after it began to lead it first compares serials with the nameservers. */
  readonly watchAfterMs: number
}

/**
 * Starts to lead: adopts the database's timeline, continues the work of the last leader, then announces changes, publishes the catalog, and sweeps
 * each second.
 */
export async function beginLead(parts: LeadParts): Promise<Lead> {
  const { database, log, polls } = parts
  const { isNew, isToBeCompared } = await database.transact(adoptTimeline)
  if (isNew) log.warn('the database failed over or was restored; all serials continue ahead of those that may be lost')
  const announcer = new Announcer(parts)
  const lagsWritten = await resumeLags(announcer, parts)
  const removals = new RemovalWatch(log, (zone) => announcer.isServedBySome(zone))
  const publisher = catalogPublisher(parts, (batch) => announceBatch(batch, announcer, removals))
  const rename = nameserverRename(parts, (zoneIds) => announcer.changed(zoneIds))
  const serials = new SerialWatch({ ...parts, announcer, firstAfterMs: parts.watchAfterMs, isToBeCompared })
  announcer.announceCatalog(await readCatalogSerial(database.db))
  let comparedAtMs = performance.now()

  const sweep = new Rounds({
    name: 'publication',
    log,
    // What it compares is in memory.
    look: async () => true,
    round: async () => {
      if (!parts.isLeading()) return false
      if (performance.now() - comparedAtMs > compareMs) {
        comparedAtMs = performance.now()
        announcer.doubtAll()
      }
      await announcer.compare()
      const [isAny, isAhead] = await Promise.all([polls.isAnyHeld(), polls.isCatalogLaterThan(announcer.catalogSerial)])
      // This covers a commit whose response was lost, a late commit of a former leader, and an operator's command.
      if (isAhead) announcer.announceCatalog(await readCatalogSerial(database.db))
      if (isAny) await lookAfterHeld(announcer, parts)
      await writeLags(announcer, parts, lagsWritten)
      return false
    },
  })
  publisher.start()
  rename.start()
  sweep.start()
  serials.start()
  return {
    announcer,
    zonesChanged: (zoneIds) => {
      if (zoneIds.length > 0) return announcer.changed(zoneIds)
      announcer.doubtAll()
      sweep.wake()
    },
    catalogChanged: () => publisher.wake(),
    end: async () => {
      removals.stop()
      await Promise.all([serials.stop(), announcer.stop(), publisher.stop(), rename.stop(), sweep.stop()])
      forgetFigures(parts)
    },
  }
}

/** The next leader has the current values. The last values of this process would otherwise stay in the metrics forever. */
function forgetFigures({ figures }: AnnouncerParts): void {
  const { lagSeconds, announcing, zonesNotFollowed, zonesToMove } = figures
  for (const figure of [lagSeconds, announcing, zonesNotFollowed, zonesToMove]) figure.reset()
}

function announceBatch({ serial, removed, added }: CatalogBatch, announcer: Announcer, removals: RemovalWatch): void {
  if (serial === undefined) return
  announcer.forget(removed.map(({ zone }) => zone))
  announcer.announceCatalog(serial)
  announcer.changed(
    added.map(({ zoneId }) => zoneId),
    true,
  )
  removals.add(removed.map(({ zone }) => zone))
  removals.forget(added.map(({ zone }) => zone))
}

/** Wake-ups may be lost: zones whose events have waited for a second are checked again. */
async function lookAfterHeld(announcer: Announcer, { database }: AnnouncerParts): Promise<void> {
  let after: string | undefined
  for (;;) {
    const page = await heldZones(database.db, after)
    if (page.length > 0) await announcer.lookAfter(page)
    if (page.length < heldPage) return
    after = page.at(-1)
  }
}

async function resumeLags(announcer: Announcer, { database }: AnnouncerParts): Promise<Set<string>> {
  const lags = new Map((await readLags(database.db)).map(({ name, seconds }) => [name, seconds]))
  for (const line of announcer.awaited) {
    const seconds = lags.get(line.name)
    if (seconds !== undefined) line.resumeBehind(performance.now() - seconds * 1_000)
  }
  return new Set(lags.keys())
}

/** Records which nameservers are out of sync if this has changed, and updates their metrics. */
async function writeLags(announcer: Announcer, parts: AnnouncerParts, written: Set<string>) {
  const { database, figures, log, isLeading } = parts
  for (const line of announcer.awaited) {
    figures.lagSeconds.set({ nameserver: line.name }, line.lagMs() / 1_000)
    figures.announcing.set({ nameserver: line.name }, line.zoneCount)
    const sinceMs = line.outOfSyncSinceMs()
    if ((sinceMs !== undefined) === written.has(line.name)) continue
    if (!isLeading()) return
    const seconds = sinceMs === undefined ? null : (performance.now() - sinceMs) / 1_000
    await writeLag(database.db, line.name, seconds)
    if (seconds === null) written.delete(line.name)
    else written.add(line.name)
    log.warn(
      { nameserver: line.name, seconds },
      seconds === null ? 'the nameserver is in sync again' : 'the nameserver is out of sync',
    )
  }
}
