import { DnsFault } from '@zonewright/dns'
import { Burst } from './burst.ts'
import { CookieJar } from './cookies/cookie-jar.ts'
import { keepCookieSecrets } from './cookies/cookie-secrets.ts'
import { type ChosenDoor, chooseDoor } from './doors/choose-door.ts'
import type { Door } from './doors/door.ts'
import { FastDoors } from './doors/fast/fast-door.ts'
import { checkDoors, closeAll, openDoors, openInheritedDoors } from './doors/open-doors.ts'
import { openPortableDoor } from './doors/portable.ts'
import { tcpDoor, usualTcpLimits } from './doors/tcp.ts'
import { TcpTally } from './doors/tcp-tally.ts'
import type { Endpoint } from './endpoint.ts'
import { giveMemoryBack } from './give-memory-back.ts'
import { type InheritedEndpoint, inheritedEndpoints } from './listen/inherited.ts'
import type { Log } from './log.ts'
import { standardError } from './log-lines.ts'
import { CountedDoor, Counters, CounterTotals } from './metrics/counters.ts'
import { openMetricsServer } from './metrics/metrics-server.ts'
import { type FollowingFigures, type ServerFigures, serverFamilies } from './metrics/server-figures.ts'
import type { Options, Source } from './options.ts'
import { parseAddressPrefix } from './rate-limit/address-prefix.ts'
import { RateLimiter } from './rate-limit/rate-limiter.ts'
import { type AnswerParts, createAnswer } from './responder/answer.ts'
import { attachGuards, type SharedGuards } from './responder/shared-guards.ts'
import { PrimaryLink } from './secondary/primary-link.ts'
import { restoreZones } from './secondary/restore-zones.ts'
import { Secondary } from './secondary/secondary.ts'
import { Siblings } from './secondary/siblings.ts'
import { reasonOf, StartupFault } from './startup-fault.ts'
import { readStore } from './store/open-store.ts'
import type { StoredZone } from './store/store.ts'
import { openStoreWriter } from './store/store-writer.ts'
import { WriterLock } from './store/writer-lock.ts'
import { Tables } from './tables/tables.ts'
import { readZoneFiles } from './zone-files.ts'

/** If at least this many records are loaded, so much garbage is left that its memory is returned. */
const manyRecords = 50_000
/** The same for this many connections in quick succession. */
const manyConnections = 5_000
/** How long a start waits for changes that the store lacks. After that, or immediately if no primary can be reached, it answers without them. */
const alone = { patienceMs: 2_000, endsIfAway: true }
/** The same if another instance is answering. */
const besideAnother = { patienceMs: 20_000, endsIfAway: false }

/** A nameserver that answers. */
export interface Nameserver {
  readonly endpoints: readonly Endpoint[]
  /** How UDP is served. */
  readonly door: 'fast' | 'portable'
  /** How many zones it answers for, the catalog not counted. */
  readonly zoneCount: number
  /** Stops within a second, even with connections open and transfers in progress. */
  stop(): Promise<void>
}

/** The source of the zones, and what depends on it. */
interface Zones {
  readonly tables: Tables
  readonly answering: Pick<AnswerParts, 'keys' | 'onNotify'>
  /** Absent if no primary is followed. */
  readonly following?: FollowingFigures
  /**
   * Follows the primary. Resolves once no zone is older than what this nameserver has served before. After a crash, the store lacks the last changes.
   */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Loads the zones, catches up with the primary, and then opens the doors.
 *
 * @throws StartupFault in one line if a file, the store or a port cannot be opened; nothing is left open.
 */
export async function startNameserver(options: Options, log: Log): Promise<Nameserver> {
  const ends: (() => unknown)[] = []
  const doors: Door[] = []
  const stop = async () => {
    // A NOTIFY that a door has read is handled or passed on before the zones are closed.
    await closeAll(doors.splice(0))
    await Promise.all(ends.splice(0).map((end) => end()))
  }
  try {
    let fast: FastDoors | undefined
    const chosen = chooseDoor(options.door ?? 'auto', options.threads, log)
    const makeTables = () => new Tables({ onSegment: (buffer) => fast?.addSegment(buffer) })
    const inherited = inheritedFrom(options, chosen)
    const zones = await loadZones(options, makeTables, log)
    ends.push(() => zones.stop())
    if (zones.tables.recordCount > manyRecords) giveMemoryBack()

    // A start that cannot succeed ends before it queries the primary.
    if (!inherited) await checkDoors(options.listen)
    await zones.start()

    const threads = 1 + threadCount(options, chosen, inherited)
    const guards = shareGuards(options, threads)
    ends.push(keepCookieSecrets(guards.cookies, options.cookieSecretFile, log))
    const { tables, answering } = zones
    const { segments } = tables
    const answer = createAnswer({
      segments,
      log,
      doors: { udp: CountedDoor.portable, tcp: CountedDoor.tcp },
      ...attachGuards(guards, 0),
      ...answering,
    })
    const storm = new Burst(manyConnections, giveMemoryBack)
    ends.push(() => storm.stop())
    const tally = new TcpTally(() => storm.count())
    const openTcp = tcpDoor(usualTcpLimits, tally)
    if (chosen.kind === 'fast') fast = new FastDoors({ libc: chosen.libc, segments, guards, log, ...answering })
    const opened =
      inherited && fast
        ? await openInheritedDoors(
            inherited,
            (endpoint, descriptor) => openTcp(endpoint, answer, log, descriptor),
            fast.inherit.bind(fast),
          )
        : await openDoors(
            options.listen,
            (endpoint) => openTcp(endpoint, answer, log),
            (endpoint) =>
              chosen.kind === 'fast' && fast
                ? fast.open(endpoint, chosen.threads)
                : openPortableDoor(endpoint, answer, log),
          )
    doors.push(...opened)
    if (options.metrics) {
      const figures = serverFigures(zones, tally)
      const totals = new CounterTotals(guards.counters)
      const families = () => [...totals.families(), ...serverFamilies(figures)]
      const metrics = await openMetricsServer(options.metrics, { families, isHealthy: () => true }, log)
      ends.push(() => metrics.close())
    }
    const endpoints = opened.map(({ endpoint }) => endpoint)
    return { endpoints, door: chosen.kind, zoneCount: tables.publicSize, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function inheritedFrom({ descriptors = [] }: Options, chosen: ChosenDoor): InheritedEndpoint[] | undefined {
  if (descriptors.length === 0) return undefined
  if (chosen.kind !== 'fast') throw new StartupFault('the sockets of a socket unit need --door fast')
  return inheritedEndpoints(chosen.libc, descriptors)
}

function threadCount({ listen }: Options, chosen: ChosenDoor, inherited?: readonly InheritedEndpoint[]): number {
  if (chosen.kind !== 'fast') return 0
  return inherited?.reduce((sum, { udp }) => sum + udp.length, 0) ?? chosen.threads * listen.length
}

function loadZones({ source, descriptors = [] }: Options, makeTables: () => Tables, log: Log): Promise<Zones> {
  if (source.kind === 'files') return loadFiles(source.directory, makeTables)
  return loadStore(source, makeTables, log, descriptors.length > 0)
}

async function loadFiles(directory: string, makeTables: () => Tables): Promise<Zones> {
  const tables = makeTables()
  for (const { origin, rrsets } of readZoneFiles(directory)) {
    try {
      tables.publish(origin, rrsets)
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
      throw new StartupFault(`--zone-dir ${directory}: ${origin} cannot be served: ${error.message}`)
    }
  }
  return { tables, answering: {}, start: async () => {}, stop: async () => {} }
}

async function loadStore(
  { primaries, catalog, keys, storeDirectory }: Extract<Source, { kind: 'secondary' }>,
  makeTables: () => Tables,
  log: Log,
  isShared: boolean,
): Promise<Zones> {
  const lock = new WriterLock(storeDirectory)
  try {
    const isFirst = lock.isHeld
    if (!isFirst && !isShared) throw new StartupFault(`--store ${storeDirectory} is in use by another process`)
    const take = (stored: Iterable<StoredZone>) => {
      const tables = makeTables()
      return { tables, restored: restoreZones(tables, stored, log) }
    }
    const { file, taken } = readStore(storeDirectory, log, take, isFirst ? 'writer' : 'reader')
    const writer = isFirst ? await openStoreWriter(file) : undefined
    const link = new PrimaryLink(primaries, keys[0], log)
    const secondary = new Secondary({ ...taken, link, catalog, writer, log, afterBurst: giveMemoryBack })
    const siblings = new Siblings(storeDirectory, log, (origin, serial) => secondary.notified(origin, serial))
    const takeOver = async () => {
      await lock.wait()
      secondary.takeOver(await openStoreWriter(file, true))
      siblings.listen()
      log.info('the store is written by this process from now on')
    }
    const start = () => {
      if (isFirst) {
        if (isShared) siblings.listen()
      } else {
        siblings.connect()
        takeOver().catch((error: unknown) => log.error('store not taken over', { reason: reasonOf(error) }))
      }
      secondary.start()
      return secondary.catchUp(isFirst ? alone : besideAnother)
    }
    return {
      tables: taken.tables,
      answering: {
        keys,
        onNotify: (origin, serial) => {
          siblings.tell(origin, serial)
          return secondary.notified(origin, serial)
        },
      },
      following: secondary.figures,
      start,
      stop: async () => {
        siblings.close()
        await secondary.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function shareGuards({ rateLimits, source, nsid }: Options, threads: number): SharedGuards {
  // A primary queries the serial of every zone that has changed, and must not be rate-limited as the victim of an attack.
  const primaries = source.kind === 'secondary' ? source.primaries : []
  const trusted = primaries.flatMap(({ host }) => parseAddressPrefix(host) ?? [])
  return {
    cookies: CookieJar.allocate(),
    limiter: rateLimits && RateLimiter.allocate({ ...rateLimits, allow: [...rateLimits.allow, ...trusted] }),
    counters: Counters.allocate(threads),
    nsid,
    tcpIdleMs: usualTcpLimits.idleMs,
  }
}

function serverFigures({ tables, following }: Zones, tcp: TcpTally): ServerFigures {
  return {
    startedAtMs: Date.now() - Math.round(performance.now()),
    zones: () => tables.publicSize,
    records: () => tables.recordCount,
    signed: (nowS) => tables.signed(nowS),
    droppedLines: () => standardError().dropped,
    tableBytes: () => ({ used: tables.usedBytes, reserved: tables.reservedBytes }),
    tcp,
    ...(following && { following }),
  }
}
