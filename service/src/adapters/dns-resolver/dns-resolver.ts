import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import {
  asName,
  DnsClass,
  type DomainName,
  type Message,
  Rcode,
  type RecordData,
  RrType,
  rdataToText,
} from '@zonewright/dns'
import type { Looked, Resolver } from '#ports/resolver.ts'
import { ask, type Server } from '../dns/ask.ts'

export interface DnsResolverOptions {
  /** Recursive resolvers, asked in turn until one answers; none: those of the system. */
  readonly servers: readonly Server[]
  /** How long one server may take over UDP, and again over TCP. */
  readonly timeoutMs?: number
}

/** Asks recursive resolvers, by UDP and where an answer is cut by TCP (RFC 7766). */
export function createDnsResolver({ servers, timeoutMs = 3_000 }: DnsResolverOptions): Resolver {
  return {
    texts: async (name): Promise<Looked> => {
      const asked = servers.length > 0 ? servers : systemServers()
      return (await askInTurn(asked, timeoutMs, name, RrType.TXT))?.map(textOf) ?? 'unknown'
    },
  }
}

async function askInTurn(
  servers: readonly Server[],
  timeoutMs: number,
  name: string,
  type: RrType,
): Promise<readonly RecordData[] | undefined> {
  const owner = asName(`${name}.`)
  if (owner === undefined) return [] // longer than a name can be: nothing is there
  for (const server of servers) {
    const answer = await ask(server, { name: owner, type, recursive: true, timeoutMs })
    if (typeof answer === 'string') continue
    if (answer.rcode === Rcode.NXDOMAIN) return []
    if (answer.rcode === Rcode.NOERROR) return dataOf(answer, owner, type)
  }
  return undefined
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

function systemServers(): Server[] {
  return getServers().map((text) => {
    const [, bracketed, host, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
    return { host: bracketed ?? host ?? text, port: isIPv6(text) || port === undefined ? 53 : Number(port) }
  })
}
