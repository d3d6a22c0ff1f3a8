import { isIP } from 'node:net'
import {
  coveredType,
  DnsClass,
  type DomainName,
  isWithin,
  type Message,
  nameFromWire,
  parentOf,
  parseName,
  parseRdata,
  type Question,
  Rcode,
  RrType,
  type WireRecord,
} from '@zonewright/dns'
import { hostAndPort } from '../web/listen.ts'
import { askServer } from './ask-server.ts'

/** Which servers are queried. */
export interface Servers {
  /** Where the zones at the top are served: zone without trailing dot → `host:port`. */
  readonly tops: Readonly<Record<string, string>>
  /** The addresses of nameservers that are not on port 53: host name → `host:port`. Other nameservers are not queried. */
  readonly nameservers: Readonly<Record<string, string>>
}

export type Answer = Pick<Message, 'rcode' | 'answers' | 'authorities'>

/** The result for a question, and the responses that it was built from: one for each zone that aliases lead through. */
export interface Found extends Answer {
  readonly responses: readonly { readonly question: Question; readonly message: Message }[]
}

/** Referrals and aliases followed for one question. */
const maxSteps = 12

/** Follows referrals from the top zones, and aliases. */
export async function resolve({ tops, nameservers }: Servers, question: Question): Promise<Found> {
  const host = nameservers[question.name.slice(0, -1)]
  if (host !== undefined && (question.type === RrType.A || question.type === RrType.AAAA))
    return { rcode: Rcode.NOERROR, answers: addressesOf(host, question), authorities: [], responses: [] }
  const responses: Found['responses'][number][] = []
  const failed: Found = { rcode: Rcode.SERVFAIL, answers: [], authorities: [], responses }
  let { name } = question
  let server = topOf(tops, name, question.type)
  for (let steps = 0; steps < maxSteps && server !== undefined; steps++) {
    const asked = { ...question, name }
    const message = await askServer(server, asked)
    if (message === undefined || (message.rcode !== Rcode.NOERROR && message.rcode !== Rcode.NXDOMAIN)) return failed
    const referred = message.aa ? [] : message.authorities.filter(({ type }) => type === RrType.NS)
    if (referred.length > 0) {
      const names = referred.map(({ data }) => nameFromWire(data).slice(0, -1))
      server = nameservers[names.find((each) => nameservers[each] !== undefined) ?? '']
      continue
    }
    const last = message.answers.findLast(({ type }) => type !== RrType.RRSIG)
    if (last?.type !== RrType.CNAME || question.type === RrType.CNAME)
      return joined([...responses, { question: asked, message }], message.rcode)
    responses.push({ question: asked, message: onlyAliases(message) })
    name = nameFromWire(last.data)
    server = topOf(tops, name, question.type)
  }
  return failed
}

/** Leaves out what a response says about the end of its aliases. It is queried again, because it may belong to another zone or be incomplete. */
function onlyAliases(message: Message): Message {
  const authorities = message.authorities.filter(({ type }) => type !== RrType.SOA)
  return { ...message, rcode: Rcode.NOERROR, authorities }
}

function joined(responses: Found['responses'], rcode: number): Found {
  const messages = responses.map(({ message }) => message)
  return {
    rcode,
    answers: messages.flatMap(({ answers }) => answers),
    authorities: messages.flatMap(({ authorities }) => authorities.filter(isOfDenial)),
    responses,
  }
}

/** Whether a record of an authority section is part of a denial. Clients do not need other records of this section. */
function isOfDenial({ type, data }: WireRecord): boolean {
  const about = type === RrType.RRSIG ? coveredType(data) : type
  return about === RrType.SOA || about === RrType.NSEC || about === RrType.NSEC3
}

/** For all clients, the address of a nameserver is the one at which it responds. */
function addressesOf(server: string, { name, type }: Question): WireRecord[] {
  const { host } = hostAndPort(server)
  if (isIP(host) !== (type === RrType.A ? 4 : 6)) return []
  return [{ name, type, class: DnsClass.IN, ttl: 60, data: parseRdata(type, host) }]
}

/** The DS records of a zone are in the one above (RFC 4035 §3.1.4.1). */
function topOf(tops: Servers['tops'], name: DomainName, type: RrType): string | undefined {
  const at = type === RrType.DS ? parentOf(name) : name
  const zones = Object.keys(tops).filter((zone) => isWithin(at, parseName(`${zone}.`)))
  return tops[zones.sort((a, b) => b.length - a.length)[0] ?? '']
}
