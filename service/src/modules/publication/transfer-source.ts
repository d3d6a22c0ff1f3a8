import {
  type CatalogMember,
  catalogMemberRecord,
  catalogRrsets,
  type DomainName,
  type IxfrStep,
  type ResourceRecord,
  type Rrset,
  RrType,
  recordsOf,
  type Serial,
  soaToRdata,
} from '@zonewright/dns'
import { type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { absolute, apexRrsets, apexTtl, relativeToRoot, soaOf } from '#modules/zones/index.ts'
import type { Db } from '#platform/db.ts'
import { readCatalogJournal, readWholeCatalog } from './catalog-store.ts'
import { Gather } from './gather.ts'
import { type CatalogEntry, catalogSoa, type JournalStep, planIxfr, widenSerial } from './rules.ts'
import { Slots } from './slots.ts'
import { readJournals, readWholeZone, type ZoneAnswer, type ZoneQuestion } from './zone-store.ts'

/** What has happened to a zone since the serial that an asker has, and its SOA now. */
export interface Since {
  readonly soa: ResourceRecord
  /** Nothing newer, the differences step by step, or more than is worth sending as differences. */
  readonly plan: 'unchanged' | 'steps' | 'whole'
  readonly steps: Iterable<IxfrStep>
}

/** What secondaries may fetch: the live zones, and the catalog that lists them. Undefined: no such zone here. */
export interface TransferSource {
  soa(origin: DomainName): Promise<ResourceRecord | undefined>
  since(origin: DomainName, have: Serial): Promise<Since | undefined>
  /** All of the zone, SOA first. Read by then: sending it slowly holds up no snapshot. */
  whole(origin: DomainName): Promise<Iterable<Rrset> | undefined>
}

/** Connections that reading whole zones may take at once. */
const wholeReads = 2
/** Askers answered by one statement. */
const maxAskers = 500

export interface SourceParts {
  readonly db: Db
  /** Host names without trailing dot; the first is every SOA's mname. */
  readonly nameservers: readonly string[]
  readonly catalog: DomainName
}

export function createTransferSource(parts: SourceParts): TransferSource {
  const zones = new ZoneSource(parts)
  const catalog = new CatalogSource(parts)
  const sourceOf = (origin: DomainName): TransferSource => (origin === parts.catalog ? catalog : zones)
  return {
    soa: (origin) => sourceOf(origin).soa(origin),
    since: (origin, have) => sourceOf(origin).since(origin, have),
    whole: (origin) => sourceOf(origin).whole(origin),
  }
}

class ZoneSource implements TransferSource {
  readonly #db: Db
  readonly #nameservers: readonly string[]
  readonly #asked: Gather<ZoneQuestion, ZoneAnswer | undefined>
  readonly #slots = new Slots(wholeReads)

  constructor({ db, nameservers }: SourceParts) {
    this.#db = db
    this.#nameservers = nameservers
    this.#asked = new Gather({ maxItems: maxAskers }, (questions) => readJournals(db, questions))
  }

  async soa(origin: DomainName): Promise<ResourceRecord | undefined> {
    const found = await this.#asked.ask({ name: relativeToRoot(origin), have: null })
    return found && this.#soaAt(origin, found.serial)
  }

  async since(origin: DomainName, have: Serial): Promise<Since | undefined> {
    const found = await this.#asked.ask({ name: relativeToRoot(origin), have })
    if (found === undefined) return undefined
    const ownRrsets = 2
    const size = found.rrsetCount + ownRrsets
    const plan = planIxfr(widenSerial(have, found.serial), found.serial, size, found.journal)
    const soaAt = (serial: number): ResourceRecord => this.#soaAt(origin, serial)
    const steps = plan.kind === 'steps' ? stepsOf(plan.steps, soaAt, recordsOfRrset) : []
    return { soa: soaAt(found.serial), plan: plan.kind, steps }
  }

  async whole(origin: DomainName): Promise<Iterable<Rrset> | undefined> {
    const name = relativeToRoot(origin)
    const found = await this.#slots.run(() => readWholeZone(this.#db, name))
    return found && zoneRrsets({ name, serial: found.serial }, found.rrsets, this.#nameservers)
  }

  #soaAt(origin: DomainName, serial: number): ResourceRecord {
    const soa = soaOf({ name: relativeToRoot(origin), serial }, this.#nameservers)
    return { name: origin, type: RrType.SOA, ttl: apexTtl, data: soaToRdata(soa) }
  }
}

/** A published zone, made as it is read on: a large one must not hold up the others for long. */
function* zoneRrsets(
  zone: { name: string; serial: number },
  rrsets: readonly StoredRrset[],
  nameservers: readonly string[],
): Generator<Rrset> {
  yield* apexRrsets(zone, nameservers)
  for (const rrset of rrsets) yield toWireRrset(rrset)
}

function recordsOfRrset(rrset: StoredRrset): ResourceRecord[] {
  return recordsOf(toWireRrset(rrset))
}

class CatalogSource implements TransferSource {
  readonly #db: Db
  readonly #nameservers: readonly string[]
  readonly #slots = new Slots(1)

  constructor({ db, nameservers }: SourceParts) {
    this.#db = db
    this.#nameservers = nameservers
  }

  async soa(origin: DomainName): Promise<ResourceRecord> {
    const { serial } = await readCatalogJournal(this.#db, null)
    return this.#soaAt(origin, serial)
  }

  async since(origin: DomainName, have: Serial): Promise<Since> {
    const { serial, memberCount, journal } = await readCatalogJournal(this.#db, have)
    const ownRrsets = 3
    const plan = planIxfr(widenSerial(have, serial), serial, memberCount + ownRrsets, journal)
    const soaAt = (at: number): ResourceRecord => this.#soaAt(origin, at)
    const recordOf = (entry: CatalogEntry) => [catalogMemberRecord(origin, memberOf(entry))]
    const steps = plan.kind === 'steps' ? stepsOf(plan.steps, soaAt, recordOf) : []
    return { soa: soaAt(serial), plan: plan.kind, steps }
  }

  async whole(origin: DomainName): Promise<Iterable<Rrset>> {
    const { serial, members } = await this.#slots.run(() => readWholeCatalog(this.#db))
    return catalogZone(origin, catalogSoa(relativeToRoot(origin), serial, this.#nameservers), members)
  }

  #soaAt(origin: DomainName, serial: number): ResourceRecord {
    const soa = catalogSoa(relativeToRoot(origin), serial, this.#nameservers)
    return { name: origin, type: RrType.SOA, ttl: 0, data: soaToRdata(soa) }
  }
}

function* catalogZone(
  origin: DomainName,
  soa: ReturnType<typeof catalogSoa>,
  members: readonly CatalogEntry[],
): Generator<Rrset> {
  yield* catalogRrsets(origin, soa, [])
  for (const member of members) {
    const { data, ...record } = catalogMemberRecord(origin, memberOf(member))
    yield { ...record, data: [data] }
  }
}

function memberOf({ label, zone }: CatalogEntry): CatalogMember {
  return { label, zone: absolute(zone) }
}

function* stepsOf<E>(
  journal: readonly JournalStep<E>[],
  soaAt: (serial: number) => ResourceRecord,
  recordsOfEntry: (entry: E) => ResourceRecord[],
): Generator<IxfrStep> {
  for (const { from, to, removed, added } of journal) {
    yield {
      oldSoa: soaAt(from),
      removed: removed.flatMap(recordsOfEntry),
      newSoa: soaAt(to),
      added: added.flatMap(recordsOfEntry),
    }
  }
}
