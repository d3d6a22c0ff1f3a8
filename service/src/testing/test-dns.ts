import {
  buildMessage,
  buildResponse,
  type Message,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  Rcode,
  responseTo,
} from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'

const testTypes = ['TXT', 'NS', 'A', 'AAAA'] as const
type TestType = (typeof testTypes)[number]

/** A small DNS server on loopback, over UDP and TCP, with the records that a test puts there. */
export interface TestDns {
  readonly address: { readonly host: string; readonly port: number }
  /** Replaces the records at a name; no values: it has none of the type. `alias` makes them stand at another name. */
  set(name: string, type: TestType, values: readonly string[], options?: { alias?: string }): void
  /** How it behaves from now on: as it should, silent, with SERVFAIL, with every UDP answer cut, or with UDP answers by a forger of letters. */
  mode: 'good' | 'silent' | 'servfail' | 'cut' | 'forged'
  /** Questions so far, as `udp TXT name`. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startTestDns(): Promise<TestDns> {
  const records = new Map<string, { owner: string; values: readonly string[] }>()
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
    // Its letters are in lower case, whatever the query's are.
    if (dns.mode === 'forged' && over === 'udp') return buildMessage(responseTo(query, fields))
    const found = records.get(`${question.name.slice(0, -1)} ${type}`)
    if (found === undefined) return say({ rcode: Rcode.NXDOMAIN })
    const answers = found.values.map((value) => ({
      name: parseName(`${found.owner}.`),
      type: question.type,
      class: 1,
      ttl: 60,
      data: parseRdata(question.type, value),
    }))
    return say({ answers })
  }

  const server = await startDnsServer('127.0.0.1:0', async (wire, over) => answer(wire, over))
  const [host = '', port] = server.address.split(':')
  const dns: TestDns = {
    address: { host, port: Number(port) },
    mode: 'good',
    asked,
    set: (name, type, values, { alias = name } = {}) => {
      records.set(`${name} ${type}`, { owner: alias, values })
    },
    close: () => server.close(),
  }
  return dns
}
