import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ZoneSet, zoneName, zoneText } from './zone-set.ts'

/** Zones on disk, which every server can load. */
export interface ZoneFiles extends ZoneSet {
  readonly folder: string
}

/** Writes a set of zones as `NAME.zone` into a new folder. */
export function writeZoneFiles(set: ZoneSet, folder: string): ZoneFiles {
  mkdirSync(folder, { recursive: true })
  for (let zone = 0; zone < set.count; zone++) {
    writeFileSync(join(folder, `${zoneName(zone)}.zone`), zoneText(zone, set.serial))
  }
  return { ...set, folder }
}
