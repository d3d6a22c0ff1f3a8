import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BenchPrimary } from './primary/bench-primary.ts'
import { writeTransferKey } from './primary/transfer-key.ts'
import { ZoneBook } from './primary/zone-book.ts'
import { type Following, followWithOurs } from './servers/ours.ts'
import type { StartedServer, Workplace } from './workplace.ts'
import type { ZoneSet } from './zones/zone-set.ts'

/** Our nameserver with all its zones from a primary. */
export interface OurSecondary {
  readonly server: StartedServer
  readonly primary: BenchPrimary
  readonly following: Following
}

/** Starts a primary and our nameserver as its secondary; `startSeconds` is the time until it had the last zone. */
export async function startOurSecondary(place: Workplace, name: string, zones: ZoneSet): Promise<OurSecondary> {
  const primary = new BenchPrimary(new ZoneBook(zones))
  const folder = place.newFolder(name)
  const following = {
    primary: await primary.start(),
    keyFile: writeTransferKey(folder),
    store: join(folder, 'store'),
  }
  const server = await place.launchTimed((port) => followWithOurs(port, following), zones)
  await place.untilComplete(server, zones)
  return { server, primary, following }
}

/** Waits until everything that a nameserver has received is on disk and its garbage is collected: nothing was written for a while. */
export async function untilSaved({ store }: Following): Promise<void> {
  const quietMs = 4_000
  const written = (): number => Math.max(...['zones.sqlite', 'zones.sqlite-wal'].map((file) => changedMs(store, file)))
  while (Date.now() - written() < quietMs) await delay(100)
}

function changedMs(folder: string, file: string): number {
  return statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
