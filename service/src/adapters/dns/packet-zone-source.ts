import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import {
  axfrQuery,
  buildMessage,
  type DomainName,
  FrameReader,
  frame,
  type Message,
  parseMessage,
  Rcode,
  type ResourceRecord,
  RrType,
  recordsOf,
  TransferReader,
  type WireRecord,
} from '@zonewright/dns'
import { Deadline } from '#platform/work/deadline.ts'
import type { DnsServer } from '#ports/dns-probe.ts'
import type { SourceAnswer, SourceFailure, Turn, ZoneSource } from '#ports/zone-source.ts'
import { ask } from './ask.ts'

/** Queries any nameserver for the records of a zone, like a resolver or a secondary without a key. */
export class PacketZoneSource implements ZoneSource {
  readonly #timeoutMs: number

  constructor({ timeoutMs }: { timeoutMs: number }) {
    this.#timeoutMs = timeoutMs
  }

  async ask(
    server: DnsServer,
    { name, type }: { name: DomainName; type: RrType },
    turn: Turn,
  ): Promise<SourceAnswer | SourceFailure> {
    return await ask(server, { name, type, recursive: false, timeoutMs: this.#timeoutMs, turn }, readAnswer)
  }

  async transfer(
    server: DnsServer,
    zone: DomainName,
    limits: { maxRecords: number; maxBytes: number; timeoutMs: number },
    turn: Turn,
  ): Promise<readonly ResourceRecord[] | SourceFailure> {
    return (await turn()) ? await transfer(server, zone, limits) : 'timeout'
  }
}

function readAnswer({ rcode, aa, answers, authorities, additionals }: Message): SourceAnswer | SourceFailure {
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return 'refused'
  const isReferral = !aa && rcode === Rcode.NOERROR && answers.length === 0
  const records = isReferral ? [...authorities.filter(({ type }) => type === RrType.NS), ...additionals] : answers
  return {
    exists: rcode !== Rcode.NXDOMAIN,
    isAuthoritative: aa,
    records: records.map(({ name, type, ttl, data }: WireRecord) => ({ name, type, ttl, data })),
  }
}

function transfer(
  server: DnsServer,
  zone: DomainName,
  { maxRecords, maxBytes, timeoutMs }: { maxRecords: number; maxBytes: number; timeoutMs: number },
): Promise<readonly ResourceRecord[] | SourceFailure> {
  return new Promise((resolve) => {
    const id = randomInt(0x10000)
    const socket = connect(server.port, server.host)
    const frames = new FrameReader()
    const reader = new TransferReader(zone, 'axfr', undefined, { maxRecords })
    let bytes = 0
    const end = (answer: readonly ResourceRecord[] | SourceFailure): void => {
      deadline.met()
      socket.destroy()
      resolve(answer)
    }
    const deadline = new Deadline(timeoutMs, () => end('timeout'))
    socket.on('error', () => end('broken')).on('close', () => end('broken'))
    socket.on('connect', () => socket.write(frame(buildMessage(axfrQuery(id, zone)))))
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) return end('broken')
      try {
        for (const wire of frames.feed(chunk)) {
          const message = parseMessage(wire)
          if (message.id !== id) return end('broken')
          if (message.rcode !== Rcode.NOERROR) return end('refused')
          const outcome = reader.feed(message)
          if (outcome?.kind === 'full') return end(outcome.rrsets.flatMap((rrset) => [...recordsOf(rrset)]))
        }
      } catch {
        end('broken')
      }
    })
  })
}
