import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after } from 'node:test'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import {
  buildMessage,
  DnsClass,
  type Edns,
  extendedErrorsOf,
  FrameReader,
  frame,
  type Message,
  type Prerequisite,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  type TsigKey,
  TsigSession,
  type UpdateChange,
  updateMessage,
} from '@zonewright/dns'
import { composeDoor } from '#compose/dns-door.ts'
import { createTsig, tsigNameOf } from '#modules/api-keys/index.ts'
import type { Endpoint } from '#modules/primary/index.ts'
import { hmac, unixSeconds } from '#modules/primary/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createMetrics, type Metrics } from '#platform/figures/metrics.ts'
import { sql } from '#platform/postgres/index.ts'
import type { TestApi } from '#testing/test-api.ts'

/** An API key with its TSIG secret. */
export interface SigningKey {
  readonly id: string
  /** The secret of the API key. */
  readonly secret: string
  readonly tsig: TsigKey
}

/** An answer of the door. */
export interface DoorAnswer {
  readonly rcode: number
  /** The texts of the answer's extended errors. */
  readonly reasons: readonly string[]
  readonly message: Message
}

/** A DNS door on the database of a test API. */
export interface TestDoor {
  readonly address: Endpoint
  readonly tlsAddress: Endpoint | undefined
  readonly metrics: Metrics
  renewCertificate(): void
  stop(): Promise<void>
  /** Creates an API key with a TSIG secret. */
  key(accountId: string, options?: Parameters<TestApi['key']>[1]): Promise<SigningKey>
  /** A connection, which is closed at the end of the test file. */
  connect(): Promise<DoorClient>
  /** Sends one datagram, and resolves with the answer. */
  sendDatagram(wire: Uint8Array): Promise<Uint8Array>
}

/** Opens a door for one test file. Without `updatesPerMinute`, keys may send any number of updates. */
export async function startTestDoor(
  api: TestApi,
  options: {
    updatesPerMinute?: number
    tls?: { certFile: string; keyFile: string }
    /** Where it connects to the database; left out: that of the API. */
    database?: TestApi['parts']['database']
  } = {},
): Promise<TestDoor> {
  const { tls, database = api.parts.database, updatesPerMinute = 1_000_000 } = options
  const listen = { host: '127.0.0.1', port: 0 }
  const metrics = createMetrics()
  const door = await composeDoor(
    { ...api.parts, database, metrics },
    { listen, tls: tls && { listen, ...tls }, updatesPerMinute },
  )
  const clients: DoorClient[] = []
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    for (const client of clients) client.close()
    await door.stop()
  }
  after(stop)
  return {
    ...door,
    metrics,
    stop,
    key: (accountId, keyOptions) => signingKey(api, accountId, keyOptions),
    connect: async () => {
      const client = await DoorClient.connect(door.address)
      clients.push(client)
      return client
    },
    sendDatagram: (wire) => sendDatagram(door.address, wire),
  }
}

export async function signingKey(
  api: TestApi,
  accountId: string,
  options?: Parameters<TestApi['key']>[1],
): Promise<SigningKey> {
  const secret = await api.key(accountId, options)
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where account_id = ${accountId} and hint = ${secret.slice(-4)} order by created_at desc, id desc limit 1`.execute(
    api.database.db,
  )
  const id = rows[0]?.id ?? ''
  return { id, secret, tsig: await tsigOf(api, accountId, id) }
}

/** Creates the TSIG secret of a key, or replaces it. */
export async function tsigOf(api: TestApi, accountId: string, keyId: string): Promise<TsigKey> {
  const { secrets } = api.parts
  const made = await api.database.transact((tx) =>
    createTsig(tx, secrets, actorNamed('operator', 'test'), { accountId, keyId }),
  )
  return {
    name: parseName(`${tsigNameOf(keyId)}.`),
    algorithm: 'hmac-sha256',
    secret: new Uint8Array(Buffer.from(made.secret, 'base64')),
  }
}

async function sendDatagram({ host, port }: Endpoint, wire: Uint8Array): Promise<Uint8Array> {
  const socket = createSocket('udp4')
  try {
    socket.send(wire, port, host)
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
    return answer
  } finally {
    socket.close()
  }
}

/** The OPT record that clients send. */
export const clientEdns: Edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] }

let ids = 0

/** A signed message. `client` verifies the answer. */
export function signed(
  message: Partial<Message>,
  key: TsigKey,
  atSeconds = unixSeconds(),
): { wire: Uint8Array; client: TsigSession; id: number } {
  const id = ++ids & 0xffff
  const client = new TsigSession(key, hmac)
  return { wire: client.sign(buildMessage({ edns: clientEdns, ...message, id }), atSeconds), client, id }
}

/** Reads an answer. Checks its signature if `client` is given. */
export function readAnswer(wire: Uint8Array, client?: TsigSession): DoorAnswer {
  client?.verify(wire, unixSeconds())
  const message = parseMessage(wire)
  return { rcode: message.rcode, reasons: extendedErrorsOf(message.edns).map(({ text }) => text), message }
}

/** A query for one name and type. */
export function question(name: string, type: string): Partial<Message> {
  return { questions: [{ name: parseName(name), type: parseType(type), class: DnsClass.IN }] }
}

/** An update of a zone, written without final dots. */
export function updateOf(
  zone: string,
  changes: readonly UpdateChange[],
  prerequisites: readonly Prerequisite[] = [],
): Partial<Message> {
  return updateMessage(0, { zone: parseName(`${zone}.`), prerequisites, changes })
}

export function add(name: string, type: string, value: string, ttl = 300): UpdateChange {
  const rrType = parseType(type)
  return {
    kind: 'add-record',
    record: { name: parseName(`${name}.`), type: rrType, ttl, data: parseRdata(rrType, value) },
  }
}

/**
 * One TCP or TLS connection with many concurrent messages, matched by their ids. A TCP connection is opened again if the door has closed
 * it, which it does if nothing arrives for a while.
 */
export class DoorClient {
  #socket: Socket
  readonly #endpoint: Endpoint | undefined
  readonly #open = new Map<number, { resolve: (wire: Uint8Array) => void; reject: (error: Error) => void }>()

  private constructor(socket: Socket, endpoint?: Endpoint) {
    this.#socket = socket
    this.#endpoint = endpoint
    this.#listen(socket)
  }

  #listen(socket: Socket): void {
    const reader = new FrameReader()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { reject } of this.#open.values()) reject(new Error('the connection was closed'))
      this.#open.clear()
    })
    socket.on('data', (chunk) => {
      for (const wire of reader.feed(chunk as Buffer)) {
        const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
        this.#open.get(id)?.resolve(wire)
      }
    })
  }

  static async connect({ host, port }: Endpoint): Promise<DoorClient> {
    const socket = connect({ host, port, noDelay: true })
    await once(socket, 'connect')
    return new DoorClient(socket, { host, port })
  }

  static async connectTls(
    { host, port }: Endpoint,
    options: ConnectionOptions,
  ): Promise<{ client: DoorClient; socket: ReturnType<typeof connectTls> }> {
    const socket = connectTls({ ...options, host, port })
    await once(socket, 'secureConnect')
    return { client: new DoorClient(socket), socket }
  }

  /** Sends a message unchanged, and resolves with the answer of the same id. */
  send(wire: Uint8Array): Promise<Uint8Array> {
    const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        if (this.#endpoint === undefined) return reject(new Error('the connection was closed'))
        this.#socket = connect({ ...this.#endpoint, noDelay: true })
        this.#listen(this.#socket)
      }
      this.#open.set(id, { resolve, reject })
      this.#socket.write(frame(wire))
    })
  }

  /** Sends a message unchanged, and calls `hear` for each message of the answer. */
  onEach(wire: Uint8Array, hear: (answer: Uint8Array) => void): void {
    const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
    this.#open.set(id, { resolve: hear, reject: () => undefined })
    this.#socket.write(frame(wire))
  }

  /** Signs a message, and checks the signature of the answer. */
  async ask(message: Partial<Message>, key: TsigKey): Promise<DoorAnswer> {
    const { wire, client } = signed(message, key)
    return readAnswer(await this.send(wire), client)
  }

  /** Sends a message unsigned. */
  async askUnsigned(message: Partial<Message>): Promise<DoorAnswer> {
    return readAnswer(await this.send(buildMessage({ edns: clientEdns, ...message, id: ++ids & 0xffff })))
  }

  close(): void {
    this.#socket.destroy()
  }
}
