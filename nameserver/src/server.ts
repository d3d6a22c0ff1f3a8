import { createResponder } from './answer.ts'
import type { Door } from './doors/door.ts'
import { openDoors } from './doors/open-doors.ts'
import type { Endpoint } from './endpoint.ts'
import type { Log } from './log.ts'
import { readStore } from './open-store.ts'
import type { Options, Source } from './options.ts'
import { PrimaryLink } from './secondary/primary-link.ts'
import { Secondary } from './secondary/secondary.ts'
import { openStoreWriter } from './store-writer.ts'
import { readZoneFiles } from './zone-files.ts'
import { ZoneTable } from './zone-table.ts'

/** A nameserver that answers. */
export interface Nameserver {
  readonly endpoints: readonly Endpoint[]
  /** How many zones it answers for, the catalog not counted. */
  readonly zoneCount: number
  /** Stops within a second, also with connections open and transfers under way. */
  stop(): Promise<void>
}

/**
 * Loads the zones, opens the doors, and only then looks for the primary.
 *
 * @throws StartupFault in one line when a file, the store or a port cannot be had; nothing is left open.
 */
export async function startNameserver({ listen, source }: Options, log: Log): Promise<Nameserver> {
  return source.kind === 'files' ? serveFiles(listen, source.directory, log) : serveAsSecondary(listen, source, log)
}

async function serveFiles(listen: readonly Endpoint[], directory: string, log: Log): Promise<Nameserver> {
  const zones = new ZoneTable()
  for (const zone of readZoneFiles(directory)) zones.publish(zone)
  const doors = await openDoors(listen, createResponder({ zones, log }), log)
  return { ...describe(doors, zones), stop: () => closeAll(doors) }
}

async function serveAsSecondary(
  listen: readonly Endpoint[],
  { primary, catalog, key, storeDirectory }: Extract<Source, { kind: 'secondary' }>,
  log: Log,
): Promise<Nameserver> {
  const zones = new ZoneTable()
  const { file, zones: stored } = readStore(storeDirectory, log)
  const writer = await openStoreWriter(file)
  const link = new PrimaryLink(primary, key, log)
  const secondary = new Secondary({ table: zones, link, catalog, stored, writer, log })
  const onNotify = secondary.notified.bind(secondary)
  try {
    const doors = await openDoors(listen, createResponder({ zones, log, key, onNotify }), log)
    secondary.start()
    const stop = async () => {
      await Promise.all([closeAll(doors), secondary.stop()])
    }
    return { ...describe(doors, zones), stop }
  } catch (error) {
    await secondary.stop()
    throw error
  }
}

function describe(doors: readonly Door[], zones: ZoneTable) {
  return { endpoints: doors.map((door) => door.endpoint), zoneCount: zones.publicSize }
}

async function closeAll(doors: readonly Door[]): Promise<void> {
  await Promise.all(doors.map((door) => door.close()))
}
