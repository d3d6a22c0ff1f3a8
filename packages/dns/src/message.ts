import { DnsClass } from './dns-class.ts'
import type { Edns } from './edns.ts'
import type { DomainName } from './name.ts'
import type { ResourceRecord } from './rrset.ts'
import type { TsigRecord } from './tsig-record.ts'
import type { RrType } from './type.ts'

/** Kinds of query (RFC 1035 §4.1.1, 1996, 2136). */
export const Opcode = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5, DSO: 6 } as const

/** Response codes (RFC 6895 §2.3), those of TSIG included. */
export const Rcode = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADMODE: 19,
  BADNAME: 20,
  BADALG: 21,
  BADTRUNC: 22,
  BADCOOKIE: 23,
} as const

/** A question (RFC 1035 §4.1.2). */
export interface Question {
  readonly name: DomainName
  readonly type: RrType
  readonly class: number
}

/** A record of a message. Its class may be different from IN. */
export interface WireRecord extends ResourceRecord {
  readonly class: number
}

/** A whole message (RFC 1035 §4.1). OPT and TSIG are in `edns` and `tsig`, and not in `additionals`. */
export interface Message {
  readonly id: number
  readonly qr: boolean
  readonly opcode: number
  readonly aa: boolean
  readonly tc: boolean
  readonly rd: boolean
  readonly ra: boolean
  readonly ad: boolean
  readonly cd: boolean
  /** All 12 bits (RFC 6891 §6.1.3). */
  readonly rcode: number
  readonly questions: readonly Question[]
  readonly answers: readonly WireRecord[]
  readonly authorities: readonly WireRecord[]
  readonly additionals: readonly WireRecord[]
  readonly edns?: Edns | undefined
  readonly tsig?: TsigRecord | undefined
}

/** A response to `query` with its id, opcode, question and RD. `fields` contains everything else. Without EDNS in `fields`, the response has none. */
export function responseTo(query: Message, fields: Partial<Message> = {}): Message {
  return {
    id: query.id,
    qr: true,
    opcode: query.opcode,
    aa: false,
    tc: false,
    rd: query.rd,
    ra: false,
    ad: false,
    cd: query.cd,
    rcode: Rcode.NOERROR,
    questions: query.questions,
    answers: [],
    authorities: [],
    additionals: [],
    ...fields,
  }
}

/** A record of a zone in the form for a message. */
export function toWireRecord(record: ResourceRecord): WireRecord {
  return { ...record, class: DnsClass.IN }
}
