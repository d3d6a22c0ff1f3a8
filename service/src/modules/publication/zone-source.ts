import type { DomainName, ResourceRecord, Rrset, Serial } from '@zonewright/dns'
import { type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { apexRrsets, relativeToRoot } from '#modules/zones/index.ts'
import type { Db } from '#platform/db.ts'
import { Gather } from '#platform/gather.ts'
import { planIxfr, widenSerial } from './rules.ts'
import { Slots } from './slots.ts'
import type { Since, TransferSource } from './transfer-source.ts'
import { condense, ixfrStep, zoneSoa } from './zone-steps.ts'
import { readJournals, readWholeZone, type ZoneAnswer, type ZoneQuestion } from './zone-store.ts'

/** Connections that reading whole zones may take at once. */
const wholeReads = 2
/** Askers answered by one statement. */
const maxAskers = 500
/** Rrsets of every zone that are not in its table: SOA and NS. */
const ownRrsets = 2

/** The live zones. */
export class ZoneSource implements TransferSource {
  readonly #db: Db
  readonly #asked: Gather<ZoneQuestion, ZoneAnswer | undefined>
  readonly #slots = new Slots(wholeReads)

  constructor(db: Db) {
    this.#db = db
    this.#asked = new Gather({ maxItems: maxAskers }, (questions) => readJournals(db, questions))
  }

  async soa(origin: DomainName): Promise<ResourceRecord | undefined> {
    const name = relativeToRoot(origin)
    const found = await this.#asked.ask({ name, have: null })
    return found && zoneSoa(name, found.serial, found.nameservers)
  }

  async since(origin: DomainName, have: Serial): Promise<Since | undefined> {
    const name = relativeToRoot(origin)
    const found = await this.#asked.ask({ name, have })
    if (found === undefined) return undefined
    const { serial, nameservers, journal } = found
    const plan = planIxfr(widenSerial(have, serial), serial, found.rrsetCount + ownRrsets, journal, condense)
    const steps = plan.kind === 'steps' ? plan.steps.map((step) => ixfrStep(name, step, nameservers)) : []
    return { soa: zoneSoa(name, serial, nameservers), plan: plan.kind, steps }
  }

  async whole(origin: DomainName): Promise<Iterable<Rrset> | undefined> {
    const name = relativeToRoot(origin)
    const found = await this.#slots.run(() => readWholeZone(this.#db, name))
    return found && zoneRrsets({ name, serial: found.serial }, found.rrsets, found.nameservers)
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
