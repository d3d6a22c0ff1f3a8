import { randomInt } from 'node:crypto'
import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import {
  buildMessage,
  DnsClass,
  type DomainName,
  type Message,
  parseName,
  Rcode,
  type RecordData,
  RrType,
  rdataToText,
  tryParseMessage,
} from '@zonewright/dns'
import type { Looked, Resolver } from '#ports/resolver.ts'
import { exchangeTcp, exchangeUdp, type ServerAddress } from './exchange.ts'

export interface DnsResolverOptions {
  /** Recursive resolvers, asked in turn until one answers; none: those of the system. */
  readonly servers: readonly ServerAddress[]
  /** How long one server may take over UDP, and again over TCP. */
  readonly timeoutMs?: number
}

/** Asks recursive resolvers, by UDP and where an answer is cut by TCP (RFC 7766). */
export function createDnsResolver({ servers, timeoutMs = 3_000 }: DnsResolverOptions): Resolver {
  const ask = (name: string, type: RrType): Promise<readonly RecordData[] | undefined> =>
    askInTurn(servers.length > 0 ? servers : systemServers(), timeoutMs, name, type)
  return {
    texts: async (name): Promise<Looked> => (await ask(name, RrType.TXT))?.map(textOf) ?? 'unknown',
  }
}

async function askInTurn(
  servers: readonly ServerAddress[],
  timeoutMs: number,
  name: string,
  type: RrType,
): Promise<readonly RecordData[] | undefined> {
  let owner: DomainName
  try {
    owner = parseName(`${name}.`)
  } catch {
    return [] // longer than a name can be: nothing is there
  }
  for (const server of servers) {
    const answer = await askServer(server, timeoutMs, owner, type)
    if (answer?.rcode === Rcode.NXDOMAIN) return []
    if (answer?.rcode === Rcode.NOERROR) return dataOf(answer, owner, type)
  }
  return undefined
}

async function askServer(
  server: ServerAddress,
  timeoutMs: number,
  name: DomainName,
  type: RrType,
): Promise<Message | undefined> {
  const id = randomInt(0x10000)
  const query = buildMessage({ id, rd: true, questions: [{ name, type, class: DnsClass.IN }] })
  const read = (wire: Uint8Array): Message | undefined => answerTo({ id, name, type }, wire)
  const answer = await exchangeUdp(server, query, timeoutMs, read)
  return answer?.tc ? exchangeTcp(server, query, timeoutMs, read) : answer
}

/** The message, if it answers this very question: whoever guesses must guess the id, the port and the name. */
function answerTo(asked: { id: number; name: DomainName; type: RrType }, wire: Uint8Array): Message | undefined {
  const message = tryParseMessage(wire)
  if (message === undefined || !message.qr || message.id !== asked.id) return undefined
  const [question] = message.questions
  return question?.name === asked.name && question.type === asked.type ? message : undefined
}

function dataOf({ answers }: Message, name: DomainName, type: RrType): RecordData[] {
  return answers
    .filter((record) => record.name === name && record.type === type && record.class === DnsClass.IN)
    .map(({ data }) => data)
}

/** The strings of a TXT record, joined. What is proved with is ASCII: other bytes need not survive. */
function textOf(data: RecordData): string {
  return rdataToText(RrType.TXT, data).replaceAll(/^"|"$/g, '').replaceAll('" "', '')
}

function systemServers(): ServerAddress[] {
  return getServers().map((text) => {
    const [, bracketed, host, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
    return { host: bracketed ?? host ?? text, port: isIPv6(text) || port === undefined ? 53 : Number(port) }
  })
}
