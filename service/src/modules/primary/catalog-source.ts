import {
  catalogMemberRecord,
  catalogRrsets,
  type DomainName,
  type IxfrStep,
  type ResourceRecord,
  type Rrset,
  RrType,
  type Serial,
  soaToRdata,
} from '@zonewright/dns'
import { absolute } from '#modules/zones/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { Slots } from '#platform/work/slots.ts'
import { readCatalogJournal, readWholeCatalog } from './catalog-store.ts'
import {
  type CatalogEntry,
  catalogSoa,
  type JournalStep,
  planIxfr,
  type Since,
  type TransferSource,
  widenSerial,
} from './rules.ts'

/** Rrsets of the catalog that list no member: SOA, NS and the version. */
const ownRrsets = 3

/** The catalog zone, which exists from the first start on. */
export class CatalogSource implements TransferSource {
  readonly #db: Db
  readonly #slots = new Slots(1)

  constructor(db: Db) {
    this.#db = db
  }

  async soa(origin: DomainName): Promise<ResourceRecord> {
    const { serial } = await readCatalogJournal(this.#db, null)
    return catalogSoaRecord(origin, serial)
  }

  async since(origin: DomainName, have: Serial): Promise<Since> {
    const { serial, memberCount, journal } = await readCatalogJournal(this.#db, have)
    const plan = planIxfr(widenSerial(have, serial), serial, memberCount + ownRrsets, journal)
    const steps = plan.kind === 'steps' ? ixfrSteps(origin, plan.steps) : []
    return { soa: catalogSoaRecord(origin, serial), plan: plan.kind, steps }
  }

  async whole(origin: DomainName): Promise<Iterable<Rrset>> {
    const { serial, members } = await this.#slots.run(() => readWholeCatalog(this.#db))
    return catalogZone(origin, serial, members)
  }
}

/** The catalog's SOA as a record. */
export function catalogSoaRecord(origin: DomainName, serial: number): ResourceRecord {
  return { name: origin, type: RrType.SOA, ttl: 0, data: soaToRdata(catalogSoa(serial)) }
}

function* ixfrSteps(origin: DomainName, journal: readonly JournalStep<CatalogEntry>[]): Generator<IxfrStep> {
  for (const { from, to, removed, added } of journal) {
    yield {
      oldSoa: catalogSoaRecord(origin, from),
      removed: removed.map((entry) => memberRecord(origin, entry)),
      newSoa: catalogSoaRecord(origin, to),
      added: added.map((entry) => memberRecord(origin, entry)),
    }
  }
}

function* catalogZone(origin: DomainName, serial: number, members: readonly CatalogEntry[]): Generator<Rrset> {
  yield* catalogRrsets(origin, catalogSoa(serial), [])
  for (const member of members) {
    const { data, ...record } = memberRecord(origin, member)
    yield { ...record, data: [data] }
  }
}

function memberRecord(origin: DomainName, { label, zone }: CatalogEntry): ResourceRecord {
  return catalogMemberRecord(origin, { label, zone: absolute(zone) })
}
