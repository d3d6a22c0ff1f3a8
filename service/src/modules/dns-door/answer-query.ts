import {
  type DomainName,
  isWithin,
  lookup,
  type Message,
  namesIn,
  Rcode,
  type Rrset,
  RrType,
  typeToText,
  Zone,
} from '@zonewright/dns'
import type { CalledZone } from '#http/call.ts'
import { RecordAccess, type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { absolute, apexRrsets, relativeToRoot } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import type { Found } from './response.ts'
import { findZonesAbove, type HostedZone, readAround } from './store.ts'
import { refuseRead } from './update-records.ts'

/** How lookups are batched: the maximum number in a statement, and of concurrent statements. */
const gathering = { maxItems: 200, slots: 2, besides: 16 }

/** How many times an answer continues at another name of the zone. */
const maxSteps = 8

/** Answers queries from the database, with what the zones publish. */
export class Queries {
  readonly #db: Database['db']
  readonly #nameservers: readonly string[]
  readonly #zones: Gather<DomainName, HostedZone | undefined>

  constructor({ db }: Database, nameservers: readonly string[]) {
    this.#db = db
    this.#nameservers = nameservers
    this.#zones = new Gather(gathering, (names) => findZonesAbove(db, names))
  }

  /** The nearest live zone at or above a name. */
  zoneAbove(name: DomainName): Promise<HostedZone | undefined> {
    return this.#zones.ask(name)
  }

  /**
   * Answers a query for SOA or NS, which anyone may send. Clients find the apex of a zone this way: below it, there are no records, and
   * the SOA shows where it is. The answer does not reveal whether other records exist.
   */
  apex({ questions: [question] }: Message, zone: HostedZone): Found {
    const [soa, ns] = apexRrsets(zone, this.#nameservers)
    if (question?.name !== absolute(zone.name)) return { authorities: [negative(soa)] }
    return { answers: [question.type === RrType.SOA ? soa : ns] }
  }

  /**
   * Answers a signed query of any other type, as the nameservers do. A key that cannot read the whole zone gets only the record set that it
   * has requested, or that there is none.
   *
   * @throws Refusal of what the key cannot read
   */
  async find({ questions: [question] }: Message, zone: HostedZone, caller: Caller<'key'>, called: CalledZone) {
    if (question === undefined) throw new Error('a query has a question')
    const access = new RecordAccess(caller, called)
    const { name, type } = question
    if (!access.readsAll) refuseRead(caller, access, { name: relativeToRoot(name), type: typeToText(type) })
    const asked = [name]
    let rrsets = await readAround(this.#db, zone, asked)
    if (!access.readsAll) return this.#exactly(zone, rrsets, { name, type })
    let found = lookup(this.#zoneOf(zone, rrsets), name, type)
    for (let step = 0; step < maxSteps; step++) {
      const further = nextNames(found.answers, found.authorities).filter(
        (next) => isWithin(next, absolute(zone.name)) && !asked.includes(next),
      )
      if (further.length === 0) break
      asked.push(...further)
      rrsets = await readAround(this.#db, zone, asked)
      found = lookup(this.#zoneOf(zone, rrsets), name, type)
    }
    if (found.kind === 'refused') throw new Refusal('validation_failed', 'The records at this name form a loop.')
    return found
  }

  #zoneOf(zone: HostedZone, rrsets: readonly StoredRrset[]): Zone {
    return Zone.fromRrsets(absolute(zone.name), [...apexRrsets(zone, this.#nameservers), ...rrsets.map(toWireRrset)])
  }

  #exactly(
    zone: HostedZone,
    rrsets: readonly StoredRrset[],
    { name, type }: { name: DomainName; type: RrType },
  ): Found {
    const there = rrsets.find((rrset) => absolute(rrset.name) === name && rrset.type === typeToText(type))
    if (there) return { answers: [toWireRrset(there)] }
    return { authorities: [negative(apexRrsets(zone, this.#nameservers)[0])] }
  }
}

/** Names at which an answer continues: the targets of aliases, and the hosts of a delegation. */
function nextNames(answers: readonly Rrset[], authorities: readonly Rrset[]): DomainName[] {
  const aliases = answers.filter(({ type }) => type === RrType.CNAME)
  const cuts = authorities.filter(({ type }) => type === RrType.NS)
  return [...aliases, ...cuts].flatMap(({ type, data }) => data.flatMap((each) => namesIn(type, each)))
}

/** Negative answers carry the SOA with the TTL of RFC 2308 §3. */
function negative(soa: Rrset): Rrset {
  return { ...soa, ttl: Math.min(soa.ttl, negativeTtlS) }
}

/** The minimum of the SOA of every zone. */
const negativeTtlS = 300

/** The response code for a zone that is not here. */
export const notHosted = {
  rcode: Rcode.REFUSED,
  reason: 'This zone is not live here, or the account of the key has no access to it.',
} as const
