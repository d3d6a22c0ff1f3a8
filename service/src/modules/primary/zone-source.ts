import { type DomainName, type ResourceRecord, type Rrset, type Serial, toSerial } from '@zonewright/dns'
import { publishedRrsets } from '#modules/records/index.ts'
import { relativeToRoot } from '#modules/zones/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { Slots } from '#platform/work/slots.ts'
import { planIxfr, type Since, type TransferSource, widenSerial } from './rules.ts'
import { condense, ixfrStep, zoneSoa } from './zone-steps.ts'
import { readJournals, readWholeZone, type WholeZone, type ZoneAnswer, type ZoneQuestion } from './zone-store.ts'

/** Maximum number of connections that reading whole zones may use at once. */
const wholeReads = 2
/** Maximum number of requesters that one statement answers. */
const maxRequesters = 500
/** Maximum size in bytes of the steps that are read at once, for any number of requesters: as values they use several times as much memory. */
const mostBytesAtOnce = 64 * 1024 * 1024
/** Rrsets of every zone that are not in its table: SOA and NS. */
const ownRrsets = 2

/** The live zones. */
export class ZoneSource implements TransferSource {
  readonly #db: Db
  readonly #asked: Gather<ZoneQuestion, FoundZone | undefined>
  readonly #slots = new Slots(wholeReads)
  /** Reads of whole zones that have not started, by name. */
  readonly #unread = new Map<string, Promise<WholeZone | undefined>>()

  constructor(db: Db) {
    this.#db = db
    this.#asked = new Gather({ maxItems: maxRequesters }, (questions) => findZones(db, questions))
  }

  async soa(origin: DomainName): Promise<ResourceRecord | undefined> {
    const found = await this.#asked.ask({ name: relativeToRoot(origin), have: null })
    return found?.soa
  }

  async since(origin: DomainName, have: Serial): Promise<Since | undefined> {
    const found = await this.#asked.ask({ name: relativeToRoot(origin), have })
    return found?.since
  }

  async whole(origin: DomainName): Promise<Iterable<Rrset> | undefined> {
    const name = relativeToRoot(origin)
    const found = await this.#readWhole(name)
    return found && publishedRrsets({ name, serial: found.serial }, found.rrsets, found.nameservers)
  }

  /** One read for all requests that arrive before it starts, because the nameservers fetch a new zone at the same moment. */
  #readWhole(name: string): Promise<WholeZone | undefined> {
    const unread = this.#unread.get(name) ?? this.#slots.run(() => this.#beginWhole(name))
    this.#unread.set(name, unread)
    return unread
  }

  async #beginWhole(name: string): Promise<WholeZone | undefined> {
    // Not immediately, so that all requests of this turn share the read.
    await null
    this.#unread.delete(name)
    return await readWholeZone(this.#db, name)
  }
}

/** Answers each question once for all requesters: the nameservers mostly ask at the same time, and have the same serial. */
async function findZones(db: Db, questions: readonly ZoneQuestion[]): Promise<(FoundZone | undefined)[]> {
  const keyOf = ({ name, have }: ZoneQuestion): string => `${have} ${name}`
  const distinct = new Map(questions.map((question) => [keyOf(question), question]))
  const answers = await readShares(db, [...distinct.values()])
  const found = new Map(
    [...distinct].map(([key, question], i) => [key, answers[i] && new FoundZone(question, answers[i])]),
  )
  return questions.map((question) => found.get(keyOf(question)))
}

/**
 * First reads at most its share of each journal, then as many of the larger journals as fit into the limit. The zones of the others are
 * sent whole.
 */
async function readShares(db: Db, asked: readonly ZoneQuestion[]): Promise<(ZoneAnswer | undefined)[]> {
  const share = Math.floor(mostBytesAtOnce / asked.length)
  const answers = await readJournals(db, asked, share)
  const large = new Map<number, ZoneQuestion>()
  let bytesLeft = mostBytesAtOnce
  for (const [place, question] of asked.entries()) {
    const bytes = answers[place]?.journalBytes ?? 0
    if (bytes <= share || bytes > bytesLeft) continue
    bytesLeft -= bytes
    large.set(place, question)
  }
  if (large.size === 0) return answers
  const more = await readJournals(db, [...large.values()], mostBytesAtOnce)
  for (const [i, place] of [...large.keys()].entries()) answers[place] = more[i]
  return answers
}

/** The result for a question, prepared for sending when it is first needed. */
class FoundZone {
  readonly #question: ZoneQuestion
  readonly #answer: ZoneAnswer
  #since: Since | undefined

  constructor(question: ZoneQuestion, answer: ZoneAnswer) {
    this.#question = question
    this.#answer = answer
  }

  get soa(): ResourceRecord {
    return zoneSoa(this.#question.name, this.#answer.serial, this.#answer.nameservers)
  }

  get since(): Since {
    this.#since ??= this.#prepared()
    return this.#since
  }

  #prepared(): Since {
    const { name, have } = this.#question
    const { serial, nameservers, rrsetCount, journal } = this.#answer
    const from = have === null ? serial : widenSerial(toSerial(have), serial)
    const plan = planIxfr(from, serial, rrsetCount + ownRrsets, journal, condense)
    const steps = plan.kind === 'steps' ? plan.steps.map((step) => ixfrStep(name, step, nameservers)) : []
    return { soa: this.soa, plan: plan.kind, steps }
  }
}
