import {
  buildMessage,
  buildResponse,
  type Message,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  Rcode,
  RrType,
  responseTo,
  type WireRecord,
} from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'

const testTypes = ['TXT', 'NS', 'A', 'AAAA', 'CNAME'] as const
type TestType = (typeof testTypes)[number]

/** Maximum number of aliases that are followed for one query. */
const mostAliases = 20

/** A small DNS server on loopback, over UDP and TCP, with the records that a test puts there. */
export interface TestDns {
  readonly address: { readonly host: string; readonly port: number }
  /**
   * Replaces the records at a name; without values, it has none of the type. `alias` puts them at another name. A CNAME is followed for
   * other types, even to itself.
   */
  set(name: string, type: TestType, values: readonly string[], options?: { alias?: string; ttl?: number }): void
  /**
   * How it behaves from now on: normally, silent, with SERVFAIL, with every UDP answer truncated, with forged UDP answers in another letter
   * case, or with only the first alias of a chain.
   */
  mode: 'good' | 'silent' | 'servfail' | 'cut' | 'forged' | 'one alias at a time'
  /** The queries so far, as `udp TXT name`. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startTestDns(): Promise<TestDns> {
  const records = new Map<string, { owner: string; values: readonly string[]; ttl: number }>()
  const asked: string[] = []

  const answer = (wire: Uint8Array, over: 'udp' | 'tcp'): Uint8Array | undefined => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (question === undefined) return undefined
    const type = testTypes.find((known) => parseType(known) === question.type)
    asked.push(`${over} ${type} ${question.name.slice(0, -1)}`)
    if (dns.mode === 'silent') return undefined
    const fields: Partial<Message> = { questions: query.questions, ra: true }
    const say = (more: Partial<Message>): Uint8Array => buildResponse(wire, responseTo(query, { ...fields, ...more }))
    if (dns.mode === 'servfail') return say({ rcode: Rcode.SERVFAIL })
    if (dns.mode === 'cut' && over === 'udp') return say({ tc: true })
    // In lower case, whatever the letter case of the query.
    if (dns.mode === 'forged' && over === 'udp') return buildMessage(responseTo(query, fields))
    const answers: WireRecord[] = []
    for (let name = question.name.slice(0, -1), steps = 0; ; steps++) {
      const found = records.get(`${name} ${type}`)
      const alias = records.get(`${name} CNAME`)
      const isEnd = found !== undefined || alias === undefined
      for (const value of (isEnd ? found : alias)?.values ?? []) {
        const kind = isEnd ? question.type : RrType.CNAME
        const { owner, ttl } = (isEnd ? found : alias) ?? { owner: name, ttl: 0 }
        answers.push({ name: parseName(`${owner}.`), type: kind, class: 1, ttl, data: parseRdata(kind, value) })
      }
      if (isEnd) return say(found === undefined ? { rcode: Rcode.NXDOMAIN, answers } : { answers })
      if (steps === (dns.mode === 'one alias at a time' ? 0 : mostAliases)) return say({ answers })
      name = alias.values[0]?.slice(0, -1) ?? ''
    }
  }

  const server = await startDnsServer('127.0.0.1:0', async (wire, over) => answer(wire, over))
  const [host = '', port] = server.address.split(':')
  const dns: TestDns = {
    address: { host, port: Number(port) },
    mode: 'good',
    asked,
    set: (name, type, values, { alias = name, ttl = 60 } = {}) => {
      records.set(`${name} ${type}`, { owner: alias, values, ttl })
    },
    close: () => server.close(),
  }
  return dns
}
