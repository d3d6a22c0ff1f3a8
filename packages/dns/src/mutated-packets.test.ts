import assert from 'node:assert/strict'
import fc from 'fast-check'
import { hostName } from './arbitraries.test.ts'
import { cpuMs } from './cpu-time.test.ts'
import {
  axfrAnswers,
  axfrQuery,
  buildMessage,
  cookieOf,
  cookieOption,
  DnsClass,
  DnsFault,
  type Edns,
  extendedErrorOption,
  extendedErrorsOf,
  groupRecords,
  type Message,
  namesIn,
  notifyMessage,
  Opcode,
  OptionCode,
  parseMessage,
  RrType,
  rdataToText,
  readUpdate,
  TransferReader,
  type TsigKey,
  TsigSession,
  toWireRecord,
  transferMessages,
  tsigKeyNameOf,
  updateMessage,
  type WireRecord,
} from './index.ts'
import { anyDataOf } from './rdata-samples.test.ts'
import { splitTsig } from './split-tsig.ts'
import { example, recordsFrom, soaLine } from './zone-samples.test.ts'

/** Valid packets that were modified, for tests with hostile packets. Contains no tests. */

/** The results of the packets. */
export interface MutationTally {
  readonly read: number
  readonly refused: number
  /** The longest that one packet took, in milliseconds of processor time. */
  readonly slowestMs: number
}

/**
 * Modifies valid packets in `count` ways, and reads everything in them that can be read. Only the seed determines the modifications.
 *
 * @throws any error that is not a `DnsFault`, with the packet in hexadecimal, and if a message that was read and written is different
 */
export function readMutatedPackets(seed: number, count: number): MutationTally {
  const packets = goodPackets(seed)
  const random = randomFrom(seed)
  let refused = 0
  let slowestMs = 0
  for (let index = 0; index < count; index++) {
    const packet = mutated(packets, random)
    const tookMs = cpuMs(() => {
      try {
        readAll(packet, index % 8 === 0)
      } catch (fault) {
        if (!(fault instanceof DnsFault)) {
          throw new Error(`Packet ${index} of seed ${seed}: ${Buffer.from(packet).toString('hex')}`, { cause: fault })
        }
        refused++
      }
    })
    slowestMs = Math.max(slowestMs, tookMs)
  }
  return { read: count - refused, refused, slowestMs }
}

/** Reads a packet in every way that a server or secondary would. */
function readAll(packet: Uint8Array, isRebuilt: boolean): void {
  const message = parseMessage(packet)
  for (const record of [...message.answers, ...message.authorities, ...message.additionals]) {
    // Only an update refers to rrsets with records without data.
    if (message.opcode === Opcode.UPDATE && record.data.length === 0 && record.class !== DnsClass.IN) continue
    rdataToText(record.type, record.data)
    namesIn(record.type, record.data)
  }
  tsigKeyNameOf(packet)
  splitTsig(packet)
  if (isRebuilt) assert.deepEqual(parseMessage(buildMessage(message)), message)
  for (const read of [cookieOf, extendedErrorsOf]) tolerated(() => read(message.edns))
  tolerated(() => readUpdate(message))
  tolerated(() => new TransferReader(example, 'axfr').feed(message))
}

function tolerated(read: () => unknown): void {
  try {
    read()
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
  }
}

/** One message with every type of record, and one of every kind that the protocol knows. */
function goodPackets(seed: number): Uint8Array[] {
  const everyType = [...anyDataOf].flatMap(([type, anyData]) =>
    fc
      .sample(fc.tuple(hostName, anyData), { seed, numRuns: 3 })
      .map(([name, data]): WireRecord => ({ name, type, class: DnsClass.IN, ttl: 300, data })),
  )
  const zone = groupRecords(recordsFrom(`${soaLine(1)}${'abcdefgh'.replace(/./g, '$& A 192.0.2.1\n')}`))
  const query = axfrQuery(7, example)
  const messages: (Partial<Message> & { id: number })[] = [
    { id: 1, questions: [{ name: example, type: RrType.A, class: DnsClass.IN }], edns },
    notifyMessage(2, example, recordsFrom(soaLine(1))[0]),
    updateMessage(3, {
      zone: example,
      prerequisites: [{ kind: 'name-in-use', name: example }],
      changes: zone.map(({ name, type }) => ({ kind: 'delete-rrset', name, type })),
    }),
    { id: 4, qr: true, answers: everyType, edns },
    ...everyType.map((record, index) => ({
      id: index,
      qr: true,
      questions: [{ name: record.name, type: record.type, class: DnsClass.IN }],
      answers: [record, record],
      authorities: recordsFrom(soaLine(1)).map(toWireRecord),
      additionals: [record],
      ...(index % 2 === 0 ? { edns } : {}),
    })),
  ]
  const wires = messages.map((message) => buildMessage(message))
  const signed = wires.slice(0, 3).map((wire) => new TsigSession(key, () => new Uint8Array(32)).sign(wire, 1))
  return [...wires, ...signed, ...transferMessages(query, buildMessage(query), axfrAnswers(zone))]
}

const edns: Edns = {
  udpSize: 1232,
  version: 0,
  dnssecOk: true,
  options: [
    cookieOption({ client: new Uint8Array(8), server: new Uint8Array(16) }),
    extendedErrorOption({ infoCode: 20, text: 'not here' }),
    { code: OptionCode.NSID, data: Uint8Array.of(1, 2, 3) },
  ],
}

const key: TsigKey = { name: example, algorithm: 'hmac-sha256', secret: new Uint8Array(32) }

type Random = (below: number) => number

/** A packet with bytes overwritten, cut, doubled or mixed with another's; sometimes it is unchanged. */
function mutated(packets: readonly Uint8Array[], random: Random): Uint8Array {
  const pick = () => packets[random(packets.length)] ?? new Uint8Array(12)
  let packet = new Uint8Array(pick())
  for (let times = random(4); times > 0; times--) {
    const at = random(packet.length + 1)
    switch (random(8)) {
      case 0:
        packet = packet.slice(0, at)
        break
      case 1:
        packet = joined(packet.subarray(0, at), pick().subarray(random(200)))
        break
      case 2:
        packet = joined(packet.subarray(0, at), packet.subarray(Math.max(0, at - random(40))))
        break
      case 3:
        packet = joined(packet.subarray(0, at), packet.subarray(at + random(8)))
        break
      case 4:
        packet.set([0xc0 | random(4), random(256)].slice(0, packet.length - at), at)
        break
      case 5:
        packet.fill(random(3) === 0 ? 0xff : random(4), 4 + random(8), 12)
        break
      default:
        if (at < packet.length) packet[at] = random(2) === 0 ? random(256) : (packet[at] ?? 0) ^ (1 << random(8))
    }
  }
  return packet
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** A generator of whole numbers from 0, which are always the same for a seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
