import {
  buildMessage,
  DnsFault,
  type DomainName,
  notifyMessage,
  parseMessage,
  Rcode,
  type ResourceRecord,
  RrType,
  type Serial,
  soaFromRdata,
  soaQuery,
  type TsigKey,
  TsigSession,
} from '@zonewright/dns'
import { type Endpoint, hmac, unixSeconds } from '#modules/primary/index.ts'
import type { UdpRequester } from './udp-requester.ts'

/** The answer to a NOTIFY: acknowledged, another answer (a zone not known there yet), or none. */
export type NotifyOutcome = 'acknowledged' | 'refused' | 'silent'

/** A nameserver's answer about a zone: a serial, that it does not serve it, or none. */
export type SoaOutcome = Serial | 'not_served' | 'silent'

/** The two kinds of messages to a nameserver, each one datagram there and one back. */
export class NameserverTalk {
  readonly #requester: UdpRequester
  readonly #endpoint: Endpoint
  readonly #key: TsigKey

  constructor(requester: UdpRequester, endpoint: Endpoint, key: TsigKey) {
    this.#requester = requester
    this.#endpoint = endpoint
    this.#key = key
  }

  /** Sends NOTIFY with the new SOA (RFC 1996), signed; only an answer with our key's signature acknowledges it. */
  async notify(origin: DomainName, soa: ResourceRecord, timeoutMs: number): Promise<NotifyOutcome> {
    const session = new TsigSession(this.#key, hmac)
    const answer = await this.#requester.ask(this.#endpoint, timeoutMs, (id) =>
      session.sign(buildMessage(notifyMessage(id, origin, soa)), unixSeconds()),
    )
    if (answer === undefined) return 'silent'
    return readable(() => {
      session.verify(answer, unixSeconds())
      return parseMessage(answer).rcode === Rcode.NOERROR ? 'acknowledged' : 'refused'
    }, 'refused')
  }

  /** Queries the SOA, like any client. A parent zone's answer, or one without authority, does not count. */
  async soa(origin: DomainName, timeoutMs: number): Promise<SoaOutcome> {
    const wire = await this.#requester.ask(this.#endpoint, timeoutMs, (id) => buildMessage(soaQuery(id, origin)))
    if (wire === undefined) return 'silent'
    return readable(() => {
      const { aa, rcode, answers } = parseMessage(wire)
      const soa = answers.find(({ name, type }) => name === origin && type === RrType.SOA)
      return aa && rcode === Rcode.NOERROR && soa !== undefined ? soaFromRdata(soa.data).serial : 'not_served'
    }, 'not_served')
  }
}

function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DnsFault) return otherwise
    throw error
  }
}
