import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import {
  axfrAnswers,
  buildMessage,
  buildResponse,
  type CatalogMember,
  catalogRrsets,
  type DomainName,
  diffRrsets,
  FrameReader,
  frame,
  ixfrAnswers,
  type Message,
  notifyMessage,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  Rcode,
  type ResourceRecord,
  type Rrset,
  RrType,
  recordsOf,
  responseTo,
  type SoaData,
  soaFromRdata,
  soaToRdata,
  type TsigKey,
  TsigSession,
  toSerial,
  toWireRecord,
  transferMessages,
  typeToText,
} from '@zonewright/dns'
import type { Endpoint } from '../endpoint.ts'
import { hmac, unixSeconds } from '../tsig.ts'
import { sendTcp, sendUdp } from './ask.ts'

/** How the primary misbehaves for one zone. */
export type Fault =
  | 'no_ixfr'
  | 'misfit_ixfr'
  | 'wrong_tsig'
  | 'unsigned_end'
  | 'truncated'
  | 'out_of_zone'
  | 'looping'
  | 'silent'
  | 'foreign_soa'
  | 'servfail'

export const testKey: TsigKey = {
  name: parseName('test-key.'),
  algorithm: 'hmac-sha256',
  secret: new Uint8Array(32).fill(7),
}
const otherKey: TsigKey = { ...testKey, secret: new Uint8Array(32).fill(8) }
export const catalogName = parseName('catalog.test.')

interface SoaTimes {
  readonly refresh?: number
  readonly retry?: number
  readonly expire?: number
}

/** A small real primary: TCP, TSIG, SOA, AXFR, IXFR across all published versions, and the faults that a test sets. */
export class ScriptedPrimary {
  /** The queries in order, as `TYPE zone`. */
  readonly asked: string[] = []
  readonly faults = new Map<DomainName, Fault>()
  /** Responses about these zones wait until the promise resolves. */
  readonly holds = new Map<DomainName, Promise<void>>()
  /** Connections accepted so far. */
  connections = 0
  readonly #versions = new Map<DomainName, Rrset[][]>()
  readonly #members = new Map<DomainName, string>()
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #endpoint: Endpoint = { host: '127.0.0.1', port: 0 }
  #catalogSerial = 0

  get endpoint(): Endpoint {
    return this.#endpoint
  }

  /** Starts listening. After a stop, it uses the same port as before. */
  async start(): Promise<this> {
    const server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
    server.listen(this.#endpoint.port, this.#endpoint.host)
    await once(server, 'listening')
    this.#server = server
    this.#endpoint = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
    return this
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    if (!this.#server?.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Drops every connection and continues to listen. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Publishes a new version of a zone. `records` are `name TYPE data`, without the SOA and NS. */
  publish(zone: string, serial: number, records: readonly string[], times: SoaTimes = {}): void {
    const origin = parseName(zone)
    const soa = soaOf(serial, times)
    const rrsets = [
      { name: origin, type: RrType.SOA, ttl: 300, data: [soaToRdata(soa)] },
      { name: origin, type: RrType.NS, ttl: 300, data: [parseRdata(RrType.NS, 'ns.test.')] },
      ...records.map((line) => rrsetOf(line, origin)),
    ]
    this.publishRrsets(origin, rrsets)
  }

  publishRrsets(origin: DomainName, rrsets: Rrset[]): void {
    this.#versions.set(origin, [...(this.#versions.get(origin) ?? []), rrsets])
  }

  /** Adds a zone to the catalog, under a label that defaults to the zone's own, and publishes the next version of the catalog. */
  list(zone: string, label = zone.replaceAll('.', '-')): void {
    this.#members.set(parseName(zone), label)
    this.publishCatalog()
  }

  unlist(zone: string): void {
    this.#members.delete(parseName(zone))
    this.publishCatalog()
  }

  get catalogSerial(): number {
    return this.#catalogSerial
  }

  /** The next version of the catalog; `twist` may break it. */
  publishCatalog(twist: (rrsets: Rrset[]) => Rrset[] = (rrsets) => rrsets): void {
    const soa = soaOf(++this.#catalogSerial, {})
    const members: CatalogMember[] = Array.from(this.#members, ([zone, label]) => ({ zone, label }))
    this.publishRrsets(catalogName, twist(catalogRrsets(catalogName, soa, members)))
  }

  /** Sends a NOTIFY and returns the response. The NOTIFY contains the SOA unless `hint` is false. */
  async notify(
    to: Endpoint,
    zone: string,
    { hint = true, key = testKey as TsigKey | 'none', tcp = false } = {},
  ): Promise<Message> {
    const origin = parseName(zone)
    const [soa] = hint ? this.#newest(origin) : []
    const wire = buildMessage(notifyMessage(99, origin, soa && recordsOf(soa)[0]))
    const session = key === 'none' ? undefined : new TsigSession(key, hmac)
    const sent = session ? session.sign(wire, unixSeconds()) : wire
    const [answer = new Uint8Array(0)] = tcp ? await sendTcp(to, [sent]) : [await sendUdp(to, sent)]
    const message = parseMessage(answer)
    if (session && message.tsig && message.tsig.mac.length > 0) session.verify(answer, unixSeconds())
    return message
  }

  notifyCatalog(to: Endpoint): Promise<Message> {
    return this.notify(to, catalogName)
  }

  #serve(socket: Socket): void {
    this.connections++
    this.#sockets.add(socket)
    const reader = new FrameReader()
    socket.on('data', (chunk) => {
      for (const wire of reader.feed(chunk as Buffer)) void this.#respond(socket, wire)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  async #respond(socket: Socket, wire: Uint8Array): Promise<void> {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (!question) return
    const { name, type } = question
    this.asked.push(`${typeToText(type)} ${name}`)
    const fault = this.faults.get(name)
    if (fault === 'silent') return
    const checking = new TsigSession(testKey, hmac)
    checking.verify(wire, unixSeconds())
    const signing = fault === 'wrong_tsig' ? new TsigSession(otherKey, hmac) : checking
    if (fault === 'wrong_tsig') signing.sign(wire, unixSeconds())
    await this.holds.get(name)
    const answers = [...this.#answersTo(query, wire, name, type, fault)]
    for (const [index, answer] of answers.entries()) {
      const isBare = fault === 'unsigned_end' && index > 0 && index === answers.length - 1
      socket.write(frame(isBare ? answer : signing.sign(answer, unixSeconds())))
    }
    if (fault === 'truncated' && type !== RrType.SOA) socket.end()
  }

  *#answersTo(
    query: Message,
    wire: Uint8Array,
    name: DomainName,
    type: RrType,
    fault: Fault | undefined,
  ): Iterable<Uint8Array> {
    const newest = this.#newest(name)
    const [soa] = newest.flatMap(recordsOf)
    const refuse = (rcode: number) => buildResponse(wire, responseTo(query, { rcode }))
    if (!soa || fault === 'servfail') {
      yield refuse(soa ? Rcode.SERVFAIL : Rcode.REFUSED)
    } else if (type === RrType.SOA) {
      const answer = toWireRecord(fault === 'foreign_soa' ? { ...soa, name: parseName('elsewhere.') } : soa)
      yield buildResponse(wire, responseTo(query, { aa: true, answers: [answer] }))
    } else if (type === RrType.IXFR && fault === 'no_ixfr') {
      yield refuse(Rcode.NOTIMP)
    } else {
      const maxSize = fault === 'unsigned_end' ? 120 : 16384
      yield* transferMessages(query, wire, this.#recordsFor(query, name, type, fault), { maxSize })
    }
  }

  *#recordsFor(query: Message, name: DomainName, type: RrType, fault: Fault | undefined): Iterable<ResourceRecord> {
    const newest = this.#newest(name)
    let records = [...(type === RrType.IXFR ? this.#difference(query, name) : axfrAnswers(newest))]
    if (fault === 'truncated') records = records.slice(0, -1)
    if (fault === 'looping') records = [...records, ...records]
    const [soa] = records
    if (fault === 'misfit_ixfr' && type === RrType.IXFR) {
      const stray = recordsOf(rrsetOf('never.there A 192.0.2.66', name))
      records.splice(2, 0, ...stray)
    }
    if (fault === 'out_of_zone' && soa) {
      records.splice(1, 0, ...recordsOf(rrsetOf('www.elsewhere. A 192.0.2.66', name)))
    }
    yield* records
  }

  #difference(query: Message, name: DomainName): Iterable<ResourceRecord> {
    const versions = this.#versions.get(name) ?? []
    const [held] = query.authorities
    const heldSerial = held && soaFromRdata(held.data).serial
    const from = versions.findIndex((rrsets) => serialOf(rrsets) === heldSerial)
    const newest = this.#newest(name)
    const [newSoa] = newest.flatMap(recordsOf)
    if (!newSoa) return []
    if (from === -1) return axfrAnswers(newest)
    const steps = versions.slice(from, -1).map((before, index) => stepOf(before, versions[from + index + 1] ?? newest))
    return ixfrAnswers(newSoa, steps)
  }

  #newest(name: DomainName): Rrset[] {
    return this.#versions.get(name)?.at(-1) ?? []
  }
}

/** Whether a socket can be opened on this address, because some machines have no IPv6. */
export async function canListen(host: string): Promise<boolean> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    socket.bind(0, host)
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    socket.close()
  }
}

function stepOf(before: Rrset[], after: Rrset[]) {
  const { removed, added } = diffRrsets(before, after)
  const isSoa = (record: ResourceRecord) => record.type === RrType.SOA
  const [oldSoa, newSoa] = [soaRecordOf(before), soaRecordOf(after)]
  return { oldSoa, newSoa, removed: removed.filter((r) => !isSoa(r)), added: added.filter((r) => !isSoa(r)) }
}

function soaRecordOf(rrsets: Rrset[]): ResourceRecord {
  const [soa] = rrsets.flatMap(recordsOf)
  if (!soa) throw new Error('a version without SOA')
  return soa
}

function serialOf(rrsets: Rrset[]): number {
  return soaFromRdata(soaRecordOf(rrsets).data).serial
}

function soaOf(serial: number, { refresh = 14400, retry = 3600, expire = 1209600 }: SoaTimes): SoaData {
  const [mname, rname] = [parseName('ns.test.'), parseName('hostmaster.test.')]
  return { mname, rname, serial: toSerial(serial), refresh, retry, expire, minimum: 300 }
}

function rrsetOf(line: string, origin: DomainName): Rrset {
  const [name = '@', typeText = '', ...data] = line.split(' ')
  const type = parseType(typeText)
  return { name: parseName(name, origin), type, ttl: 300, data: [parseRdata(type, data.join(' '), origin)] }
}
