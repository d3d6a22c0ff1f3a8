import type { DomainName, ResourceRecord, RrType } from '@zonewright/dns'
import type { DnsServer } from './dns-probe.ts'

/** Why a server gave no answer, in one word. */
export type SourceFailure = 'timeout' | 'refused' | 'broken'

/** A server's answer to one question. */
export interface SourceAnswer {
  /** False: the name does not exist (NXDOMAIN). */
  readonly exists: boolean
  /** The server has the zone itself. */
  readonly isAuthoritative: boolean
  /** The answer's records of every name and type. If the server delegates the name to others: the NS records and their addresses. */
  readonly records: readonly ResourceRecord[]
}

/** Waits until the next message may be sent to the server. False: none may be sent any longer. */
export type Turn = () => Promise<boolean>

/** Reads zones from other operators' nameservers. Never rejects, whatever a server sends. */
export interface ZoneSource {
  /** Asks one question. Each message, also a repetition over TCP, takes a turn. */
  ask(
    server: DnsServer,
    question: { readonly name: DomainName; readonly type: RrType },
    turn: Turn,
  ): Promise<SourceAnswer | SourceFailure>
  /** Transfers the whole zone, if the server allows this to anyone (RFC 5936). A transfer with more records or bytes than the limits is `broken`. */
  transfer(
    server: DnsServer,
    zone: DomainName,
    limits: { readonly maxRecords: number; readonly maxBytes: number; readonly timeoutMs: number },
    turn: Turn,
  ): Promise<readonly ResourceRecord[] | SourceFailure>
}
