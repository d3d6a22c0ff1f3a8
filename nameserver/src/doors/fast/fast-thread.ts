/** One thread of the fast door: receives queries and sends responses until it is stopped. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type DomainName, nameToWire, type Serial, type TsigKey } from '@zonewright/dns'
import type { Log, LogFields, LogLevel } from '../../log.ts'
import { CountedDoor, Counters, Silence } from '../../metrics/counters.ts'
import { Responder } from '../../responder/responder.ts'
import { attachGuards, type SharedGuards } from '../../responder/shared-guards.ts'
import { NameFinder } from '../../tables/name-finder.ts'
import { ReaderSlot } from '../../tables/reader-slot.ts'
import { Segments, type TablesHandle } from '../../tables/segments.ts'
import { addressAt, Datagrams, slotAt } from './datagrams.ts'
import { openLibc } from './libc.ts'
import { ipAddressAt, Stop } from './udp-socket.ts'

export interface FastThreadData {
  /** The socket, which the main thread owns. */
  readonly descriptor: number
  readonly isIpv6: boolean
  /** One of `Stop` if the thread should stop, otherwise 0. */
  readonly stop: SharedArrayBuffer
  readonly tables: TablesHandle
  readonly guards: SharedGuards
  /** The number of the thread, counted from 1 across all doors. The main thread is 0. */
  readonly thread: number
  readonly keys: readonly [TsigKey, ...TsigKey[]] | undefined
  /** Whether the main thread wants NOTIFY messages. */
  readonly hearsNotify: boolean
}

/** Messages from the thread to the main thread. Messages in the other direction contain only segments of the tables. */
export type FromFastThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'notified'; readonly origin: DomainName; readonly serial: Serial | undefined }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly msg: string; readonly fields: LogFields | undefined }

/** The kernel's code for "no datagram in time". */
const [tryAgain, interrupted] = [11, 4]

const port = parentPort
if (!port) throw new Error('fast-thread.ts runs as a worker only')
const tell = (message: FromFastThread) => port.postMessage(message)
run(workerData as FastThreadData)

function run({ descriptor, isIpv6, stop, tables, guards, thread, keys, hearsNotify }: FastThreadData): void {
  const libc = openLibc()
  const datagrams = new Datagrams(libc)
  const segments = new Segments(tables)
  const fetchSegments = () => fetchFrom(segments)
  const zones = new NameFinder(segments, new DataView(new ArrayBuffer(260)), fetchSegments)
  const responder = new Responder({
    segments,
    packets: datagrams.view,
    scratchAt: datagrams.scratchAt,
    fetchSegments,
    doors: { udp: CountedDoor.fast, tcp: CountedDoor.tcp },
    ...attachGuards(guards, thread),
    log: logByMessage(),
    keys,
    onNotify: hearsNotify ? (origin, serial) => notified(zones, origin, serial) : undefined,
  })
  const counters = new Counters(guards.counters, thread)
  const slot = new ReaderSlot(segments.control, thread)
  const stopping = new Int32Array(stop)
  const client = { view: datagrams.view, at: 0, bytes: isIpv6 ? 16 : 4 }
  const ipAt = ipAddressAt(isIpv6)
  tell({ kind: 'ready' })

  const answer = (count: number) => {
    slot.enter()
    responder.tick(Date.now())
    let first = 0
    let lost = 0
    for (let index = 0; index < count; index++) {
      client.at = addressAt(index) + ipAt
      const length = responder.respond(slotAt(index), datagrams.lengthOf(index), 'udp', client)
      if (length > 0) {
        datagrams.setLength(index, length)
      } else {
        lost += datagrams.send(descriptor, first, index)
        first = index + 1
      }
    }
    // A thread that waits for datagrams must not block the tables.
    slot.leave()
    lost += datagrams.send(descriptor, first, count)
    datagrams.reset(count)
    for (; lost > 0; lost--) counters.silent(Silence.sendFault)
  }
  while (Atomics.load(stopping, 0) === 0) {
    const count = datagrams.receive(descriptor)
    if (count > 0) answer(count)
    else checkError(count, libc.errorNumber())
  }
  if (Atomics.load(stopping, 0) === Stop.answerWaiting) {
    for (let count = datagrams.receiveWaiting(descriptor); count > 0; count = datagrams.receiveWaiting(descriptor))
      answer(count)
  }
  // An open port would keep the thread alive.
  port?.close()
}

function checkError(result: number, errorNumber: number): void {
  if (result < 0 && errorNumber !== tryAgain && errorNumber !== interrupted) {
    throw new Error(`receiving failed: errno ${errorNumber}`)
  }
}

function fetchFrom(segments: Segments): void {
  if (!port) return
  for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
    segments.add(got.message as SharedArrayBuffer)
  }
}

/** Whether the tables contain the zone. The main thread gets the NOTIFY in any case. */
function notified(zones: NameFinder, origin: DomainName, serial: Serial | undefined): boolean {
  tell({ kind: 'notified', origin, serial })
  return zones.holdsZone(nameToWire(origin))
}

function logByMessage(): Log {
  const at = (level: LogLevel) => (msg: string, fields?: LogFields) => tell({ kind: 'log', level, msg, fields })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
