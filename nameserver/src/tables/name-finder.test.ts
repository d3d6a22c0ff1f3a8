import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DomainName, nameToWire, parseMessage, parseName } from '@zonewright/dns'
import { Responder } from '../responder/responder.ts'
import { answerTexts, queryFor } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { NameFinder } from './name-finder.ts'
import { scratchBytes } from './resolver.ts'
import { Tables } from './tables.ts'
import { hashName } from './wire-name.ts'

/** The maximum number of name words that a search in these tests reads, unless it is delayed. */
const mostReads = 40
const origin = parseName('example.')
const slots = [0, 1]
/** The maximum length of a label that is a number below 2³¹ in base 36. */
const labelBytes = 7

/** Memory that interrupts its reader with a callback before chosen reads of a name. */
class SlowMemory extends DataView<ArrayBuffer> {
  #reads = 0
  #heldUpAt: readonly number[] = []
  readonly #meanwhile: () => void

  constructor(bytes: number, meanwhile: () => void) {
    super(new ArrayBuffer(bytes))
    this.#meanwhile = meanwhile
  }

  /** Starts counting here. */
  holdUpAt(reads: readonly number[]): void {
    this.#reads = 0
    this.#heldUpAt = reads
  }

  override getInt32(at: number, isLittle?: boolean): number {
    if (this.#heldUpAt.includes(this.#reads++)) this.#meanwhile()
    return super.getInt32(at, isLittle)
  }
}

/** Two names below `origin` that the index cannot distinguish until it compares the names themselves. */
function collidingNames(keys: Int32Array): [DomainName, DomainName] {
  const nameOf = (label: number): DomainName => parseName(label.toString(36).padStart(labelBytes, '0'), origin)
  const end = nameToWire(nameOf(0)).length
  // Up to three bytes after a name are read with it.
  const wire = Buffer.concat([nameToWire(nameOf(0)), Buffer.alloc(3)])
  const view = new DataView(wire.buffer, wire.byteOffset, wire.length)
  const seen = new Map<number, number>()
  for (let index = 0; ; index++) {
    const label = (index * 48_271) % 2 ** 31
    wire.write(label.toString(36).padStart(labelBytes, '0'), 1, 'latin1')
    const hash = hashName(view, 0, end, keys)
    const other = seen.get(hash)
    if (other !== undefined) return [nameOf(other), nameOf(label)]
    seen.set(hash, label)
  }
}

/**
 * Tables with a zone that each `publish` puts into a different slot of the index. Between the two slots is an entry that a search has to compare, so
 * that it can be interrupted between them.
 */
function wanderingZone() {
  const tables = new Tables({ segmentBytes: 2 ** 18 })
  const [zone, between] = collidingNames(tables.segments.hashKeys)
  let serial = 1
  const publish = () => tables.publish(zone, zoneOf(zone, ++serial, ['@ TXT "here"']).rrsets())
  publish()
  tables.publish(between, zoneOf(between, 1, []).rrsets())
  const moveTo = (slot: number) => {
    if (serial % 2 !== slot) publish()
  }
  return { tables, zone, publish, moveTo }
}

describe('a zone that is published again', () => {
  for (const isBelow of [false, true]) {
    it(`${isBelow ? 'is answered from rather than the one above' : 'is never missed'}, at whatever point of a search that happens`, () => {
      const { tables, zone, publish, moveTo } = wanderingZone()
      if (isBelow) tables.publish(origin, zoneOf(origin, 1, ['* TXT "above"']).rrsets())
      const packets = new SlowMemory(4096 + scratchBytes, publish)
      const memory = new Uint8Array(packets.buffer)
      const client = { view: packets, at: 0, bytes: 4 }
      const parts = { segments: tables.segments, packets, scratchAt: 4096, log: keptLog(), doors: { udp: 0, tcp: 2 } }
      const responder = new Responder(parts)
      const question = queryFor(zone, 'TXT')
      const ask = (slot: number, heldUpAt: readonly number[]) => {
        moveTo(slot)
        memory.set(question)
        packets.holdUpAt(heldUpAt)
        const answer = parseMessage(memory.slice(0, responder.respond(0, question.length, 'udp', client)))
        assert.deepEqual(answerTexts(answer), ['"here"'], `in slot ${slot}, held up before reads ${heldUpAt}`)
      }
      for (const slot of slots) {
        for (let first = 0; first < mostReads; first++) {
          for (let second = first; second < mostReads; second++) {
            for (let third = second; third < mostReads; third++) ask(slot, [first, second, third])
          }
        }
      }
    })
  }

  it('is reported as held at any point of a search', () => {
    const { tables, zone, publish, moveTo } = wanderingZone()
    const memory = new SlowMemory(260, publish)
    const finder = new NameFinder(tables.segments, memory, () => {})
    for (const slot of slots) {
      for (let read = 0; read < mostReads; read++) {
        moveTo(slot)
        memory.holdUpAt([read])
        assert.equal(finder.holdsZone(nameToWire(zone)), true, `in slot ${slot}, held up before read ${read}`)
      }
    }
    assert.equal(finder.holdsZone(nameToWire(origin)), false)
  })
})
