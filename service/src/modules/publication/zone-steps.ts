import { type IxfrStep, type ResourceRecord, RrType, recordsOf, soaToRdata } from '@zonewright/dns'
import { type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { absolute, apexTtl, soaOf } from '#modules/zones/index.ts'
import type { JournalStep } from './rules.ts'

/** A step of a zone's journal. Its apex NS rrset is among them only where the zone came to name other nameservers. */
export type ZoneStep = JournalStep<StoredRrset>

/** The SOA record of a zone that names these at this serial. */
export function zoneSoa(name: string, serial: number, nameservers: readonly string[]): ResourceRecord {
  const soa = soaToRdata(soaOf({ name, serial }, nameservers))
  return { name: absolute(name), type: RrType.SOA, ttl: apexTtl, data: soa }
}

/** The step by which a zone comes to name other nameservers. Both sides are whole, for the order of their names. */
export function apexStep(
  zone: { readonly name: string; readonly serial: number; readonly unixSeconds: number },
  from: readonly string[],
  to: readonly string[],
): ZoneStep {
  const entry = (hosts: readonly string[]): StoredRrset => ({
    name: zone.name,
    type: 'NS',
    ttl: apexTtl,
    records: hosts.map((host) => `${host}.`),
  })
  const serial = Math.max(zone.serial + 1, zone.unixSeconds)
  return { from: zone.serial, to: serial, removed: [entry(from)], added: [entry(to)] }
}

/**
 * A zone's journal as an IXFR sends it, the SOA of each serial with the nameserver that the zone named first at that time.
 *
 * @param nameservers those that it names after the last step
 */
export function* ixfrSteps(
  name: string,
  journal: readonly ZoneStep[],
  nameservers: readonly string[],
): Generator<IxfrStep> {
  const changes = journal.map(({ removed, added }) => ({ from: hostsIn(name, removed), to: hostsIn(name, added) }))
  let hosts = changes.find(({ from }) => from !== undefined)?.from ?? nameservers
  for (const [i, { from, to, removed, added }] of journal.entries()) {
    const oldSoa = zoneSoa(name, from, hosts)
    hosts = changes[i]?.to ?? hosts
    // A nameserver that stays is in both sides of the journal, and in neither of the difference.
    yield {
      oldSoa,
      removed: recordsIn(name, removed, changes[i]?.to),
      newSoa: zoneSoa(name, to, hosts),
      added: recordsIn(name, added, changes[i]?.from),
    }
  }
}

/** The nameservers that a side of a step names, if any. */
function hostsIn(name: string, rrsets: readonly StoredRrset[]): string[] | undefined {
  return rrsets.find((rrset) => isApex(name, rrset))?.records.map((record) => record.slice(0, -1))
}

function recordsIn(name: string, rrsets: readonly StoredRrset[], unless: readonly string[] = []): ResourceRecord[] {
  return rrsets.flatMap((rrset) => {
    if (!isApex(name, rrset)) return recordsOf(toWireRrset(rrset))
    const records = rrset.records.filter((record) => !unless.includes(record.slice(0, -1)))
    return recordsOf(toWireRrset({ ...rrset, records }))
  })
}

function isApex(name: string, rrset: StoredRrset): boolean {
  return rrset.type === 'NS' && rrset.name === name
}
