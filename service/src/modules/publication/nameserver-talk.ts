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
  TsigFault,
  type TsigKey,
  TsigSession,
} from '@zonewright/dns'
import { type Endpoint, hmac, unixSeconds } from '#modules/primary/index.ts'
import type { UdpRequester } from './udp-requester.ts'

/**
 * The other side rejects our signature because its clock is too far from ours. Its answer contains its time (BADTIME, RFC 8945 §5.2.3).
 */
export interface OtherClock {
  readonly unixSeconds: number
}

/** The answer to a NOTIFY: acknowledged, another answer (a zone not known there yet), a refusal of our time, or none. */
export type NotifyOutcome = 'acknowledged' | 'refused' | 'silent' | OtherClock

/** A nameserver's answer about a zone: a serial, that it does not serve it, or none. */
export type SoaOutcome = Serial | 'not_served' | 'silent'

/** The two kinds of messages to a nameserver, each with one datagram in each direction. */
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
    return readSigned(session, answer, 'acknowledged', 'refused')
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

/** What a signed answer says: `accepted` if its signature holds and its code is NOERROR. */
export function readSigned<T>(session: TsigSession, wire: Uint8Array, accepted: T, refused: T): T | OtherClock {
  try {
    session.verify(wire, unixSeconds())
    return parseMessage(wire).rcode === Rcode.NOERROR ? accepted : refused
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error
    const seconds = error instanceof TsigFault ? error.peerUnixSeconds : undefined
    return seconds === undefined ? refused : { unixSeconds: seconds }
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
