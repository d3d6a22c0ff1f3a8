/** A thread that queries the tables repeatedly with the same questions and the DO bit while another thread changes how the zone is signed. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { parseMessage } from '@zonewright/dns'
import { Responder } from '../responder/responder.ts'
import { ReaderSlot } from '../tables/reader-slot.ts'
import { scratchBytes } from '../tables/resolver.ts'
import { Segments, type TablesHandle } from '../tables/segments.ts'
import { keptLog } from './kept-log.ts'
import { messageText } from './signed-questions.ts'

export interface SignedReadingData {
  readonly tables: TablesHandle
  /** Not 0 if the thread should stop. */
  readonly stop: SharedArrayBuffer
  readonly reader: number
  /** The queries, and the allowed responses to each. */
  readonly queries: readonly Uint8Array[]
  readonly allowed: readonly ReadonlySet<string>[]
}

export interface SignedReadingReport {
  readonly answered: number
  /** Responses that no version of the zone gives, and lines of the log. */
  readonly wrong: readonly string[]
}

const packetBytes = 65536
const { tables, stop, reader, queries, allowed } = workerData as SignedReadingData
const stopping = new Int32Array(stop)
const segments = new Segments(tables)
const packets = new DataView(new ArrayBuffer(packetBytes + 1024 + scratchBytes))
const memory = new Uint8Array(packets.buffer)
const log = keptLog()
const fetchSegments = () => {
  if (!parentPort) return
  for (let got = receiveMessageOnPort(parentPort); got; got = receiveMessageOnPort(parentPort)) {
    segments.add(got.message as SharedArrayBuffer)
  }
}
const doors = { udp: 0, tcp: 2 }
const responder = new Responder({ segments, packets, scratchAt: packetBytes + 1024, fetchSegments, log, doors })
const slot = new ReaderSlot(segments.control, reader)
const client = { view: packets, at: 0, bytes: 4 }
const wrong: string[] = []
let answered = 0
parentPort?.postMessage('ready')
while (Atomics.load(stopping, 0) === 0) {
  for (const [index, query] of queries.entries()) {
    slot.enter()
    memory.set(query)
    const text = messageText(parseMessage(memory.slice(0, responder.respond(0, query.length, 'tcp', client))))
    slot.leave()
    answered++
    if (!allowed[index]?.has(text)) wrong.push(text)
  }
}
const report: SignedReadingReport = { answered, wrong: [...wrong, ...log.lines.map(({ msg }) => msg)].slice(0, 3) }
parentPort?.postMessage(report)
