/** A thread that queries the tables repeatedly with the same questions while another thread changes them. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type Message, parseMessage, Rcode, rdataToText, soaFromRdata } from '@zonewright/dns'
import { Responder } from '../responder/responder.ts'
import { ReaderSlot } from '../tables/reader-slot.ts'
import { scratchBytes } from '../tables/resolver.ts'
import { Segments, type TablesHandle } from '../tables/segments.ts'
import { queryFor } from './ask.ts'
import { keptLog } from './kept-log.ts'

export interface ReadingData {
  readonly tables: TablesHandle
  /** Not 0 if the thread should stop. */
  readonly stop: SharedArrayBuffer
  readonly reader: number
  /** How many times each reader has sent all its queries. */
  readonly passes: SharedArrayBuffer
  /** The zone does not always exist, so SERVFAIL and REFUSED are also correct. */
  readonly comesAndGoes?: boolean
}

export interface ReadingReport {
  readonly queries: number
  /** Responses that mix two versions of the zone, or contain nothing. */
  readonly torn: string[]
  readonly rcodes: Record<number, number>
}

const { tables, stop, reader, passes, comesAndGoes = false } = workerData as ReadingData
const stopping = new Int32Array(stop)
const passed = new Int32Array(passes)
const segments = new Segments(tables)
const packets = new DataView(new ArrayBuffer(4096 + scratchBytes))
const memory = new Uint8Array(packets.buffer)
const log = keptLog()
const fetchSegments = () => {
  if (!parentPort) return
  for (let got = receiveMessageOnPort(parentPort); got; got = receiveMessageOnPort(parentPort)) {
    segments.add(got.message as SharedArrayBuffer)
  }
}
const responder = new Responder({ segments, packets, scratchAt: 4096, fetchSegments, log, doors: { udp: 0, tcp: 2 } })
const slot = new ReaderSlot(segments.control, reader)
const client = { view: packets, at: 0, bytes: 4 }
const questions = ['alias', 'flip', 'x.flip', 'steady', 'none'].map((name) => queryFor(`${name}.example.`, 'TXT'))
const report: ReadingReport = { queries: 0, torn: [], rcodes: {} }
let queries = 0
parentPort?.postMessage('ready')
while (Atomics.load(stopping, 0) === 0) {
  slot.enter()
  for (const [index, question] of questions.entries()) {
    memory.set(question)
    const answer = parseMessage(memory.slice(0, responder.respond(0, question.length, 'udp', client)))
    queries++
    report.rcodes[answer.rcode] = (report.rcodes[answer.rcode] ?? 0) + 1
    const isAway = comesAndGoes && (answer.rcode === Rcode.SERVFAIL || answer.rcode === Rcode.REFUSED)
    if (!isAway && !isWhole(index, answer)) report.torn.push(JSON.stringify(answer))
  }
  slot.leave()
  Atomics.add(passed, reader, 1)
}
parentPort?.postMessage({ ...report, queries, torn: [...report.torn, ...log.lines.map(({ msg }) => msg)].slice(0, 5) })

/** Versions with an odd serial have a wildcard, those with an even one the name `flip`; see tables/reading.test.ts. */
function isWhole(index: number, { rcode, answers, authorities }: Message): boolean {
  const [soa] = authorities
  const serial = soa && soaFromRdata(soa.data).serial
  const last = answers.at(-1)
  const text = last && rdataToText(last.type, last.data)
  if (index === 0) return answers.length === 2 && answers[1]?.name === `${text?.slice(1, -1)}.target.example.`
  if (index === 1 || index === 3) return answers.length === 1
  if (index === 2)
    return answers.length === 1 ? text === '"any"' : rcode === 3 && serial !== undefined && serial % 2 === 0
  return answers.length === 1 || (rcode === 3 && serial !== undefined && serial % 2 === 0)
}
