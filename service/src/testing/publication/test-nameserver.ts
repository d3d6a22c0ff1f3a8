import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  buildMessage,
  type DomainName,
  Opcode,
  parseMessage,
  parseName,
  Rcode,
  RrType,
  responseTo,
  soaFromRdata,
  TsigSession,
  toWireRecord,
} from '@zonewright/dns'
import { type Endpoint, endpointToText } from '#modules/primary/endpoint.ts'
import { hmac, unixSeconds } from '#modules/primary/tsig.ts'
import { soaOfSerial, TestSecondary, testKey } from '../primary/test-secondary.ts'

/** A nameserver reduced to what publication sees: it receives NOTIFY, and returns serials, over UDP. */
export class TestNameserver {
  readonly name: string
  readonly endpoint: Endpoint
  readonly #socket: Socket
  readonly #serials = new Map<DomainName, number>()
  /** For each zone that is being fetched, the last announced serial. */
  readonly #wanted = new Map<DomainName, number>()
  /** The received NOTIFYs, as zone and serial. */
  readonly notifies: string[] = []
  /** The number of transfers since it follows a primary, by their result. */
  readonly transfers = { full: 0, steps: 0, unchanged: 0 }
  #follows: Endpoint | undefined
  /** Connected at the first transfer, because a primary closes connections that are silent at first. */
  #primary: Promise<TestSecondary> | undefined
  /** Silent: does not respond at all. Deaf: acknowledges, but applies nothing. */
  mood: 'well' | 'silent' | 'deaf' = 'well'
  /** Zones that it does not update, without trailing dot. It continues to serve their old version. */
  readonly refused = new Set<string>()
  /** The number of following SOA queries for a zone that are lost. Names without trailing dot. */
  readonly losses = new Map<string, number>()
  /** The number of SOA queries that it has answered. */
  asked = 0
  /** What it does between receiving a NOTIFY and serving the zone. */
  apply: () => Promise<unknown> = () => wait(1)

  private constructor(name: string, socket: Socket) {
    this.name = name
    this.#socket = socket
    this.endpoint = { host: '127.0.0.1', port: socket.address().port }
    socket.on('message', (wire, from) => {
      if (this.mood === 'silent') return
      const answer = this.#answer(wire)
      if (answer !== undefined) socket.send(answer, from.port, from.address, () => undefined)
    })
  }

  static async start(name: string): Promise<TestNameserver> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new TestNameserver(name, socket)
  }

  get entry(): { name: string; address: string } {
    return { name: this.name, address: endpointToText(this.endpoint) }
  }

  /** From now on, it fetches the zones of its NOTIFYs. */
  follow(primary: Endpoint): void {
    this.#follows = primary
  }

  /** Serves this serial as if after a transfer. Undefined: as if the zone had left the catalog. */
  serve(zone: string, serial: number | undefined): void {
    const origin = parseName(`${zone}.`)
    if (serial === undefined) this.#serials.delete(origin)
    else this.#serials.set(origin, serial)
  }

  serialOf(zone: string): number | undefined {
    return this.#serials.get(parseName(`${zone}.`))
  }

  close(): void {
    this.#socket.close()
    void this.#primary?.then((primary) => primary.close())
  }

  #answer(wire: Uint8Array): Uint8Array | undefined {
    const query = parseMessage(wire)
    const origin = query.questions[0]?.name ?? parseName('.')
    if (query.opcode === Opcode.NOTIFY) {
      const session = new TsigSession(testKey, hmac)
      session.verify(wire, unixSeconds())
      const soa = query.answers.find(({ type }) => type === RrType.SOA)
      if (soa !== undefined) void this.#notified(origin, soaFromRdata(soa.data).serial)
      return session.sign(buildMessage(responseTo(query)), unixSeconds())
    }
    const losses = this.losses.get(origin.slice(0, -1)) ?? 0
    this.losses.set(origin.slice(0, -1), losses - 1)
    if (losses > 0) return undefined
    this.asked++
    const serial = this.#serials.get(origin)
    if (serial === undefined) return buildMessage(responseTo(query, { rcode: Rcode.REFUSED }))
    const answers = [toWireRecord(soaOfSerial(origin, serial))]
    return buildMessage(responseTo(query, { aa: true, answers }))
  }

  async #notified(origin: DomainName, serial: number): Promise<void> {
    this.notifies.push(`${origin} ${serial}`)
    if (this.mood === 'deaf' || this.refused.has(origin.slice(0, -1))) return
    if (this.#follows === undefined) {
      await this.apply()
      // Like any secondary, it ignores a serial that is not newer than its own.
      if (serial > (this.serialOf(origin.slice(0, -1)) ?? 0)) this.#serials.set(origin, serial)
    } else await this.#fetchUpTo(serial, origin, this.#follows)
  }

  /** One fetch at a time: a NOTIFY that was repeated because its answer was late does not start another one. */
  async #fetchUpTo(serial: number, origin: DomainName, from: Endpoint): Promise<void> {
    const isUnderWay = this.#wanted.has(origin)
    this.#wanted.set(origin, serial)
    if (isUnderWay) return
    while ((this.#serials.get(origin) ?? 0) < (this.#wanted.get(origin) ?? 0))
      this.#serials.set(origin, await this.#fetch(from, origin))
    this.#wanted.delete(origin)
  }

  async #fetch(from: Endpoint, origin: DomainName): Promise<number> {
    this.#primary ??= TestSecondary.connect(from)
    const primary = await this.#primary
    const zone = origin.slice(0, -1)
    const have = this.#serials.get(origin)
    const outcome = await (have === undefined ? primary.axfr(zone) : primary.ixfr(zone, have))
    this.transfers[outcome.kind]++
    return outcome.kind === 'unchanged' ? (have ?? 0) : outcome.serial
  }
}
