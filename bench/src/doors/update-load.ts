// A load of signed updates from many clients, as a process of its own: update-load.ts HOST:PORT NAME:SECRET,… ZONE,… CLIENTS SECONDS.
// Each client has one connection, and sends its next update when the last one is answered. It uses one key after another, and changes one rrset
// after another, in the same zones and names as put-load.ts.
// Prints one JSON line, as put-load.ts does, and counts like it.
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  buildMessage,
  FrameReader,
  frame,
  parseName,
  parseRdata,
  RrType,
  TsigSession,
  updateMessage,
} from '@zonewright/dns'
import type { PutLoadResult } from '../put-load.ts'
import { percentile } from '../report.ts'
import { hmac, readKeys } from './signing.ts'

const [door = '', keysText = '', zonesText = '', clientsText = '', secondsText = ''] = process.argv.slice(2)
const [host = '', port = ''] = door.split(':')
const zones = zonesText.split(',').map((zone) => parseName(`${zone}.`))
const keys = readKeys(keysText)
const clients = Number(clientsText)
const seconds = Number(secondsText)
const uncountedMs = 2_000
const latencies: number[] = []
let acceptedInAll = 0
let refused = 0
const start = performance.now() + uncountedMs
const end = start + seconds * 1_000

await Promise.all(Array.from({ length: clients }, (_, client) => updateUntilTheEnd(client)))
const result: PutLoadResult = {
  accepted: latencies.length,
  acceptedInAll,
  refused,
  perSecond: latencies.length / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
}
process.stdout.write(`${JSON.stringify(result)}\n`)

async function updateUntilTheEnd(client: number): Promise<void> {
  const socket = connect({ host, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  const reader = new FrameReader()
  let answered = (_: Uint8Array): void => undefined
  socket.on('data', (chunk: Buffer) => {
    for (const answer of reader.feed(chunk)) answered(answer)
  })
  for (let i = 0; performance.now() < end; i++) {
    const { wire, session } = updateAt(client, i)
    const began = performance.now()
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    answered = resolve
    socket.write(frame(wire))
    const answer = await promise
    const ended = performance.now()
    session.verify(answer, Date.now() / 1_000)
    if (((answer[3] ?? 0) & 15) !== 0) refused += 1
    else {
      acceptedInAll += 1
      if (ended >= start) latencies.push(ended - began)
    }
  }
  socket.destroy()
}

/** The update of one rrset, with values that it does not have yet, as put-load.ts sends them. */
function updateAt(client: number, i: number): { wire: Uint8Array; session: TsigSession } {
  const zone = zones[(client + i * clients) % zones.length]
  const key = keys[(client + i * clients) % keys.length]
  if (zone === undefined || key === undefined) throw new Error('a client needs a zone and a key')
  const name = parseName(`c${client}-${i % 50}.${zone}`)
  const values = [
    `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
    `192.0.2.${1 + Math.floor(Math.random() * 250)}`,
  ]
  const update = updateMessage(i & 0xffff, {
    zone,
    prerequisites: [],
    changes: [
      { kind: 'delete-rrset', name, type: RrType.A },
      ...values.map((value) => ({
        kind: 'add-record' as const,
        record: { name, type: RrType.A, ttl: 300, data: parseRdata(RrType.A, value) },
      })),
    ],
  })
  const session = new TsigSession(key, hmac)
  return { wire: session.sign(buildMessage(update), Date.now() / 1_000), session }
}
