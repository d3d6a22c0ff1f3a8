import {
  catalogRrsets,
  type DomainName,
  groupRecords,
  joinName,
  parseName,
  parseZoneFile,
  type ResourceRecord,
  type Rrset,
  RrType,
  soaToRdata,
  toSerial,
} from '@zonewright/dns'
import { addressWord, originOf, versionNetworks, type ZoneSet, zoneOf, zoneText } from '../zones/zone-set.ts'

export const catalogName = 'catalog.bench.invalid'
const catalogOrigin = parseName(`${catalogName}.`)
const catalogSerial = 1
const ttl = 300
/** As in `zoneText`. */
const soa = {
  mname: parseName('ns1.nameservers.example.'),
  rname: parseName('hostmaster.nameservers.example.'),
  refresh: 14400,
  retry: 3600,
  expire: 1209600,
  minimum: 300,
}

/** A zone by its number. */
export type BookedZone = number | 'catalog'

/** The zones of a primary, which differ only in their number and serial, and the catalog that lists them. */
export class ZoneBook {
  readonly #set: ZoneSet
  readonly #serials: Uint32Array

  constructor(set: ZoneSet) {
    this.#set = set
    this.#serials = new Uint32Array(set.count).fill(set.serial)
  }

  /** Creates the next version of a zone. @returns its serial. */
  change(zone: number): number {
    this.#serials[zone] = this.serialOf(zone) + 1
    return this.serialOf(zone)
  }

  serialOf(zone: BookedZone): number {
    return zone === 'catalog' ? catalogSerial : (this.#serials[zone] ?? 0)
  }

  find(name: DomainName): BookedZone | undefined {
    if (name === catalogOrigin) return 'catalog'
    const zone = zoneOf(name)
    return zone < this.#set.count ? zone : undefined
  }

  soaOf(zone: BookedZone, serial = this.serialOf(zone)): ResourceRecord {
    const name = zone === 'catalog' ? catalogOrigin : originOf(zone)
    return { name, type: RrType.SOA, ttl, data: soaToRdata({ ...soa, serial: toSerial(serial) }) }
  }

  /** All records of a zone, its SOA first. */
  rrsetsOf(zone: BookedZone): Rrset[] {
    if (zone !== 'catalog') {
      const text = zoneText(zone, this.serialOf(zone), this.#set.isChanging)
      const rrsets = groupRecords(parseZoneFile(text, { origin: originOf(zone) }).records)
      return rrsets.sort((a, b) => Number(b.type === RrType.SOA) - Number(a.type === RrType.SOA))
    }
    const members = Array.from({ length: this.#set.count }, (_, each) => ({ label: `m${each}`, zone: originOf(each) }))
    return catalogRrsets(catalogOrigin, { ...soa, serial: toSerial(catalogSerial) }, members)
  }

  /** The records in which one version of a zone differs from all others, except the SOA. */
  changingOf(zone: number, serial = this.serialOf(zone)): ResourceRecord[] {
    const name = joinName('version', originOf(zone))
    return versionNetworks.map((network) => {
      const data = new Uint8Array(4)
      new DataView(data.buffer).setUint32(0, addressWord(serial, network))
      return { name, type: RrType.A, ttl, data }
    })
  }
}
