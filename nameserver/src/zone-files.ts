import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DnsFault, type DomainName, groupRecords, parseName, parseZoneFile, type Rrset, RrType } from '@zonewright/dns'
import { reasonOf, StartupFault } from './startup-fault.ts'

const suffix = '.zone'

/** A zone from a file: its rrsets in canonical order, with one SOA. */
export interface FileZone {
  readonly origin: DomainName
  readonly rrsets: readonly Rrset[]
}

/**
 * Reads every `NAME.zone` of a directory, one after the other; the file name is the zone's name.
 *
 * @throws StartupFault naming the file and line of the first fault.
 */
export function* readZoneFiles(directory: string): Generator<FileZone> {
  const files = list(directory)
    .filter((file) => file.endsWith(suffix))
    .sort()
  for (const file of files) {
    const origin = originOf(directory, file)
    yield { origin, rrsets: readZone(join(directory, file), origin) }
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw new StartupFault(`--zone-dir ${directory} cannot be read: ${reasonOf(error)}`)
  }
}

function originOf(directory: string, file: string): DomainName {
  const text = file.slice(0, -suffix.length)
  try {
    return parseName(text.endsWith('.') ? text : `${text}.`)
  } catch (error) {
    if (error instanceof DnsFault) throw new StartupFault(`${join(directory, file)}: ${error.message}`)
    throw error
  }
}

function readZone(path: string, origin: DomainName): Rrset[] {
  const { records, faults } = parseZoneFile(readText(path), { origin, keepsCase: true })
  const [fault] = faults
  if (fault) {
    const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    throw new StartupFault(`${path}:${fault.line}: ${fault.message}${others}`)
  }
  const soas = records.filter((record) => record.type === RrType.SOA)
  const [soa, second] = soas
  if (!soa) throw new StartupFault(`${path}: the zone has no SOA record`)
  if (second) throw new StartupFault(`${path}:${second.line}: a second SOA record`)
  return groupRecords(records)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupFault(`${path} cannot be read: ${reasonOf(error)}`)
  }
}
