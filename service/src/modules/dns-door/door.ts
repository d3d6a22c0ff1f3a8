import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  bareAnswer,
  DnsClass,
  type Message,
  Opcode,
  Rcode,
  RrType,
  tryParseMessage,
  tsigErrorResponse,
} from '@zonewright/dns'
import { keyLacks } from '#http/authorise.ts'
import {
  type DnsServer,
  type Endpoint,
  hmac,
  openDnsServer,
  RequesterGone,
  sendDifferences,
  sendWhole,
  TransferTurns,
  type Transport,
  tsigBytes,
  unixSeconds,
  ZoneSource,
} from '#modules/primary/index.ts'
import { SignedReads } from '#modules/secondaries/index.ts'
import type { Caller } from '#platform/caller.ts'
import { holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { notHosted, Queries } from './answer-query.ts'
import { createDoorFigures, type DoorFigures, showCertificateEnd } from './figures.ts'
import { clientNetwork, doorLimits, PerSecond } from './limits.ts'
import { foundResponse, udpBytesFor, type Verdict, verdictResponse } from './response.ts'
import { Signatures, type SignedMessage, type TsigSecrets } from './signatures.ts'
import { isOutage, type SignedUpdate, type UpdateParts, Updates } from './update-records.ts'

export interface DoorOptions extends Omit<UpdateParts, 'leaving' | 'figures'> {
  readonly database: Database
  readonly secrets: TsigSecrets
  readonly log: Logger
  readonly metrics: Metrics
  /** UDP and TCP. Port 0: any. */
  readonly listen: Endpoint
  /** DNS over TLS; undefined: there is none. */
  readonly tls: { readonly listen: Endpoint; readonly certFile: string; readonly keyFile: string } | undefined
}

/** The DNS door. */
export interface Door extends Pick<DnsServer, 'address' | 'tlsAddress'> {
  /** Reads the certificate again. Keeps the current one if the files are not valid. */
  renewCertificate(): void
  /** Stops it: answers in progress have two seconds to finish. */
  stop(): Promise<void>
}

const graceMs = 2_000

/** Connections have the same limits as those of a nameserver (`usualTcpLimits`). */
const connectionLimits = {
  connections: 1_000,
  queries: 100,
  silence: { silentMs: 10_000, crowdedMs: 2_000, perClient: 100 },
}

/**
 * Opens the DNS door: it answers signed updates, queries and transfers of API keys, and SOA and NS queries of anyone.
 *
 * @throws the error of a socket whose address is in use, or of a certificate that cannot be read
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { tls, log, metrics } = options
  let certificate = tls && certificateOf(tls)
  showCertificateEnd(metrics, () => certificate && new X509Certificate(certificate.cert).validToDate)
  const leaving = new AbortController()
  const answers = new DoorAnswers(options, leaving.signal)
  const server = await openDnsServer({
    listen: options.listen,
    tls: tls && certificate && { listen: tls.listen, certificate },
    answer: (wire, transport, { send }, from) => answers.answer({ wire, transport, send, from }),
    limits: connectionLimits,
    log,
  })
  return {
    address: server.address,
    tlsAddress: server.tlsAddress,
    renewCertificate: () => {
      if (tls === undefined) return
      try {
        const renewed = certificateOf(tls)
        server.renewCertificate(renewed)
        certificate = renewed
        log.info('the DNS door uses the renewed certificate')
      } catch (error) {
        log.error({ err: error }, 'the certificate of the DNS door is not valid; it still uses the previous one')
      }
    },
    stop: () => {
      leaving.abort()
      return server.close(graceMs)
    },
  }
}

function certificateOf({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) }
}

/** A message, and the way to its sender. */
interface Arrival {
  readonly wire: Uint8Array
  readonly transport: Transport
  /** Throws RequesterGone. */
  readonly send: (answer: Uint8Array) => Promise<void>
  /** The address of the sender. */
  readonly from: string
}

const headerBytes = 12
/** Limits what anyone can make us send to an address that is not theirs. */
const mostUnsignedBytes = 512

type Kind = 'query' | 'signed_query' | 'update' | 'bad_signature' | 'unreadable'

/** Answers messages, whoever sent them. */
class DoorAnswers {
  readonly #options: DoorOptions
  readonly #figures: DoorFigures
  readonly #signatures: Signatures
  readonly #queries: Queries
  readonly #updates: Updates
  readonly #transfers: Transfers
  readonly #reads: SignedReads
  readonly #unsigned = new PerSecond(doorLimits.unsignedPerNetwork)
  readonly #unsignedInAll = new PerSecond(doorLimits.unsignedInAll)
  readonly #ofKey = new PerSecond(doorLimits.queriesPerKey)
  #running = 0

  constructor(options: DoorOptions, leaving: AbortSignal) {
    const { database, secrets, log, metrics, nameservers } = options
    this.#options = options
    this.#figures = createDoorFigures(metrics)
    this.#signatures = new Signatures(database, secrets, log)
    this.#queries = new Queries(database, nameservers)
    this.#updates = new Updates({ ...options, leaving, figures: this.#figures })
    this.#transfers = new Transfers(database, this.#figures)
    this.#reads = new SignedReads(database)
  }

  /** Resolves once the answer is sent. Throws what `send` throws. */
  async answer(arrival: Arrival): Promise<void> {
    const { wire } = arrival
    // Too short for an answer, or itself an answer: not answered.
    if (wire.length < headerBytes || ((wire[2] ?? 0) & 0x80) !== 0) return
    const message = tryParseMessage(wire)
    if (message === undefined) {
      if (this.#admits(arrival) || arrival.transport !== 'udp')
        await this.#send(arrival, 'unreadable', Rcode.FORMERR, bareAnswer(wire, Rcode.FORMERR))
      return
    }
    if (message.tsig === undefined && !this.#admits(arrival)) {
      if (arrival.transport === 'udp') return
      const reason = 'The service gets too many unsigned messages. Sign your messages, or try again in a second.'
      return this.#verdict(arrival, message, kindOf(message), { rcode: Rcode.REFUSED, reason })
    }
    if (this.#running >= doorLimits.messages)
      return this.#verdict(arrival, message, kindOf(message), {
        rcode: Rcode.SERVFAIL,
        reason: 'The service is busy. Try again in a second.',
      })
    this.#running++
    try {
      await (message.tsig === undefined
        ? this.#answerUnsigned(arrival, message)
        : this.#answerSigned(arrival, message, message.tsig))
    } catch (error) {
      await this.#fail(arrival, message, error)
    } finally {
      this.#running--
    }
  }

  /** Limits unsigned messages. The sender of a UDP message may be forged, so excess messages get no answer. */
  #admits({ from }: Arrival): boolean {
    const isAdmitted =
      // First of all: beyond the total, no network is remembered.
      !this.#unsignedInAll.isFull('') && this.#unsigned.take(clientNetwork(from)) && this.#unsignedInAll.take('')
    if (!isAdmitted) this.#figures.dropped.inc()
    return isAdmitted
  }

  async #answerUnsigned(arrival: Arrival, message: Message): Promise<void> {
    const fault = faultIn(message)
    if (fault !== undefined) return this.#verdict(arrival, message, 'query', fault)
    const [question] = message.questions
    if (message.opcode === Opcode.UPDATE)
      return this.#verdict(arrival, message, 'update', {
        rcode: Rcode.REFUSED,
        reason: 'Sign updates with a TSIG key.',
      })
    if (question === undefined || !isApexType(question.type))
      return this.#verdict(arrival, message, 'query', { rcode: Rcode.REFUSED, reason: 'Sign queries with a TSIG key.' })
    const zone = await this.#queries.zoneAbove(question.name)
    if (zone === undefined)
      return this.#verdict(arrival, message, 'query', { rcode: Rcode.REFUSED, reason: 'This zone is not hosted here.' })
    await this.#apex(arrival, message, zone, 'query')
  }

  async #answerSigned(arrival: Arrival, message: Message, tsig: NonNullable<Message['tsig']>): Promise<void> {
    const { wire } = arrival
    const signed = await this.#signatures.check(wire, tsig)
    if ('fault' in signed) {
      const { fault, key } = signed
      const response = tsigErrorResponse(wire, fault, unixSeconds(), key && { key, hmac })
      return this.#send(arrival, 'bad_signature', fault.rcode, response)
    }
    const signing: Arrival = {
      ...arrival,
      send: (answer) => arrival.send(signed.session.sign(answer, unixSeconds())),
    }
    try {
      const fault = faultIn(message)
      if (fault !== undefined) return await this.#verdict(signing, message, kindOf(message), fault)
      if (message.opcode === Opcode.UPDATE) return await this.#update(signing, message, signed)
      await this.#query(signing, message, signed)
    } catch (error) {
      await this.#fail(signing, message, error)
    }
  }

  async #update(arrival: Arrival, message: Message, signed: SignedMessage): Promise<void> {
    const { wire, transport, from } = arrival
    const update: SignedUpdate = { wire, message, signed, transport, from }
    const verdict = await this.#updates.carryOut(update)
    await this.#verdict(arrival, message, 'update', verdict)
  }

  async #query(arrival: Arrival, message: Message, signed: SignedMessage): Promise<void> {
    const { wire, transport, from } = arrival
    const [question] = message.questions
    const refuse = (verdict: Verdict) => this.#verdict(arrival, message, 'signed_query', verdict)
    if (question === undefined) return refuse({ rcode: Rcode.FORMERR })
    if (!this.#ofKey.take(signed.keyId))
      return refuse({
        rcode: Rcode.REFUSED,
        reason: `This key sent ${doorLimits.queriesPerKey} queries in one second, the maximum.`,
      })
    const zone = await this.#queries.zoneAbove(question.name)
    try {
      const { caller, zone: called } = await this.#options.authenticate(signed.signer.secretSha256, {
        zoneRef: zone?.id,
        address: from,
        wasAdmitted: true,
      })
      const isTransfer = question.type === RrType.AXFR || question.type === RrType.IXFR
      if (zone === undefined || called === undefined || !called.covered) {
        // For a name that is hosted here, this is what anyone gets.
        if (zone !== undefined && isApexType(question.type)) return await this.#apex(arrival, message, zone)
        return await refuse(isTransfer ? { ...notHosted, rcode: Rcode.NOTAUTH } : notHosted)
      }
      // The secondaries of the key are notified as long as it queries the zone.
      const read = { keyId: signed.keyId, zoneId: zone.id }
      if (question.type === RrType.SOA) this.#reads.note(read)
      if (isApexType(question.type)) return await this.#apex(arrival, message, zone)
      if (isTransfer) {
        refuseTransfer(caller, called.name)
        this.#reads.note(read)
        const transfer = { ...arrival, message, maxUdpBytes: udpBytesFor(message), owner: caller.accountId }
        return await this.#transfers.send(signed.keyId, transfer)
      }
      const found = await this.#queries.find(message, zone, caller, called)
      const maxBytes = transport === 'udp' ? udpBytesFor(message) - tsigBytes(signed.key) : undefined
      await this.#send(arrival, 'signed_query', found.rcode ?? 0, foundResponse(wire, message, found, maxBytes))
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
      await refuse({ rcode: Rcode.REFUSED, reason: error.message })
    }
  }

  async #apex(
    arrival: Arrival,
    message: Message,
    zone: Parameters<Queries['apex']>[1],
    kind: Kind = 'signed_query',
  ): Promise<void> {
    const maxBytes = arrival.transport === 'udp' ? mostUnsignedBytes : undefined
    const response = foundResponse(arrival.wire, message, this.#queries.apex(message, zone), maxBytes)
    await this.#send(arrival, kind, Rcode.NOERROR, response)
  }

  /** SERVFAIL. Without the database, no key is known, so it is not signed. */
  async #fail(arrival: Arrival, message: Message, error: unknown): Promise<void> {
    if (error instanceof RequesterGone) throw error
    if (!isOutage(error)) this.#options.log.error({ err: error }, 'the DNS door could not answer a message')
    const reason = 'The service cannot answer now. Try again later.'
    await this.#verdict(arrival, message, kindOf(message), { rcode: Rcode.SERVFAIL, reason })
  }

  #verdict(arrival: Arrival, message: Message, kind: Kind, verdict: Verdict): Promise<void> {
    return this.#send(arrival, kind, verdict.rcode, verdictResponse(arrival.wire, message, verdict))
  }

  async #send({ send }: Arrival, kind: Kind, rcode: number, response: Uint8Array): Promise<void> {
    this.#figures.messages.inc({ kind, rcode: nameOfRcode(kind, rcode) })
    await send(response)
  }
}

const rcodeNames = new Map(Object.entries(Rcode).map(([name, code]) => [code as number, name]))

/** Two codes share the number 16: BADSIG of TSIG, and BADVERS of EDNS. */
function nameOfRcode(kind: Kind, rcode: number): string {
  if (rcode === Rcode.BADVERS) return kind === 'bad_signature' ? 'BADSIG' : 'BADVERS'
  return rcodeNames.get(rcode) ?? String(rcode)
}

function kindOf({ opcode, tsig }: Message): Kind {
  if (opcode === Opcode.UPDATE) return 'update'
  return tsig === undefined ? 'query' : 'signed_query'
}

function isApexType(type: number): boolean {
  return type === RrType.SOA || type === RrType.NS
}

/** What is wrong with a message that can be read; undefined: nothing. */
function faultIn({ edns, opcode, questions }: Message): Verdict | undefined {
  if (edns !== undefined && edns.version > 0) return { rcode: Rcode.BADVERS }
  if (opcode !== Opcode.QUERY && opcode !== Opcode.UPDATE) return { rcode: Rcode.NOTIMP }
  if (questions.length !== 1) return { rcode: Rcode.FORMERR }
  if (opcode === Opcode.UPDATE || questions[0]?.class === DnsClass.IN) return undefined
  return { rcode: Rcode.REFUSED }
}

function refuseTransfer(caller: Caller<'key'>, zone: string): void {
  if (!holds(caller, 'records:read'))
    throw keyLacks(caller, 'the permission records:read', 'Create a key that has this permission.')
  if (caller.isLimited)
    throw new Refusal(
      'forbidden',
      `The key ${JSON.stringify(caller.keyName)} is limited to some record sets, and a transfer has all of ${zone}. Create a key without limits.`,
    )
}

/** Zone transfers, in turns like those of the hidden primary. */
class Transfers {
  readonly #parts: Parameters<typeof sendWhole>[0]
  readonly #ofKey = new Map<string, number>()

  constructor({ db }: Database, figures: DoorFigures) {
    this.#parts = {
      source: new ZoneSource(db),
      turns: new TransferTurns(doorLimits.wholeTransfersPerAccount),
      figures,
      onServed: () => undefined,
    }
  }

  /** @throws Refusal if too many transfers of the key are in progress */
  async send(keyId: string, query: Omit<Parameters<typeof sendWhole>[1], 'origin'>): Promise<void> {
    const running = this.#ofKey.get(keyId) ?? 0
    if (running >= doorLimits.transfersPerKey)
      throw new Refusal(
        'rate_limited',
        `This key has ${doorLimits.transfersPerKey} transfers in progress, the maximum. Wait for one to end.`,
      )
    this.#ofKey.set(keyId, running + 1)
    try {
      await this.#sendOne(query)
    } finally {
      const left = (this.#ofKey.get(keyId) ?? 1) - 1
      if (left > 0) this.#ofKey.set(keyId, left)
      else this.#ofKey.delete(keyId)
    }
  }

  async #sendOne(query: Omit<Parameters<typeof sendWhole>[1], 'origin'>): Promise<void> {
    const [question] = query.message.questions
    if (question === undefined) return
    const asked = { ...query, origin: question.name }
    if (question.type === RrType.IXFR) return sendDifferences(this.#parts, asked)
    if (query.transport === 'udp') throw new Refusal('validation_failed', 'Request an AXFR by TCP or TLS.')
    await sendWhole(this.#parts, asked, 'axfr')
  }
}
