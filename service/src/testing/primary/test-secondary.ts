import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  axfrQuery,
  buildMessage,
  type DomainName,
  FrameReader,
  frame,
  ixfrQuery,
  type Message,
  parseMessage,
  parseName,
  type ResourceRecord,
  RrType,
  rdataToText,
  soaToRdata,
  type TransferOutcome,
  TransferReader,
  type TsigKey,
  TsigSession,
  toSerial,
  typeToText,
} from '@zonewright/dns'
import type { Endpoint } from '#modules/primary/endpoint.ts'
import { hmac, unixSeconds } from '#modules/primary/tsig.ts'

/** One key for the primary and its secondaries in these tests. */
export const testKey: TsigKey = {
  name: parseName('transfer.test.'),
  algorithm: 'hmac-sha256',
  secret: new Uint8Array(32).fill(7),
}

interface Open {
  readonly session: TsigSession | undefined
  readonly hear: (message: Message, bytes: number) => boolean
  readonly fail: (error: unknown) => void
}

/** A secondary's side of one TCP connection: many concurrent queries, matched by id, with their signatures checked. */
export class TestSecondary {
  readonly #socket: Socket
  readonly #open = new Map<number, Open>()
  #id = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    const reader = new FrameReader()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { fail } of this.#open.values()) fail(new Error('the connection was closed'))
    })
    socket.on('data', (chunk) => {
      for (const wire of reader.feed(chunk as Buffer)) this.#hear(wire)
    })
  }

  static async connect({ port, host }: Endpoint): Promise<TestSecondary> {
    const socket = connect({ port, host })
    await once(socket, 'connect')
    return new TestSecondary(socket)
  }

  /** Connects, and sends one query, because a primary soon closes a connection without a query that is signed with its key. */
  static async connectForLong(endpoint: Endpoint): Promise<TestSecondary> {
    const secondary = await TestSecondary.connect(endpoint)
    await secondary.ask(
      (id) => axfrQuery(id, parseName('nowhere.test.')),
      () => true,
    )
    return secondary
  }

  /** Sends one query, and calls `hear` with every message of the answer and its length until it returns something. */
  ask<T>(
    query: (id: number) => Message,
    hear: (message: Message, bytes: number) => T | undefined,
    key: TsigKey | null = testKey,
  ): Promise<T> {
    return new Promise((resolve, fail) => {
      const id = ++this.#id
      const session = key === null ? undefined : new TsigSession(key, hmac)
      const wire = buildMessage(query(id))
      const hearOne = (message: Message, bytes: number): boolean => {
        const result = hear(message, bytes)
        if (result !== undefined) resolve(result)
        return result !== undefined
      }
      if (this.#socket.destroyed) return fail(new Error('the connection was closed'))
      this.#open.set(id, { session, hear: hearOne, fail })
      this.#socket.write(frame(session ? session.sign(wire, unixSeconds()) : wire))
    })
  }

  axfr(zone: string): Promise<TransferOutcome> {
    const origin = parseName(`${zone}.`)
    const reader = new TransferReader(origin, 'axfr')
    return this.ask(
      (id) => axfrQuery(id, origin),
      (message) => reader.feed(message),
    )
  }

  ixfr(zone: string, have: number): Promise<TransferOutcome> {
    const origin = parseName(`${zone}.`)
    const serial = toSerial(have)
    const reader = new TransferReader(origin, 'ixfr', serial)
    return this.ask(
      (id) => ixfrQuery(id, origin, soaOfSerial(origin, have)),
      (message) => reader.feed(message),
    )
  }

  close(): void {
    this.#socket.destroy()
  }

  #hear(wire: Uint8Array): void {
    const message = parseMessage(wire)
    const open = this.#open.get(message.id)
    if (open === undefined) return
    try {
      open.session?.verify(wire, unixSeconds())
      if (open.hear(message, wire.length)) this.#open.delete(message.id)
    } catch (error) {
      this.#open.delete(message.id)
      open.fail(error)
    }
  }
}

export function soaOfSerial(origin: DomainName, serial: number): ResourceRecord {
  const timers = { refresh: 1, retry: 1, expire: 1, minimum: 1 }
  const data = soaToRdata({ mname: origin, rname: origin, serial: toSerial(serial), ...timers })
  return { name: origin, type: RrType.SOA, ttl: 0, data }
}

/** The records as sorted lines, with only the serial of the SOA. */
export function lines(records: Iterable<ResourceRecord>): string[] {
  return [...records]
    .map(({ name, type, data }) => {
      const text = rdataToText(type, data)
      return `${name} ${typeToText(type)} ${type === RrType.SOA ? text.split(' ')[2] : text}`
    })
    .sort()
}
