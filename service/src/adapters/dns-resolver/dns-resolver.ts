import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import { asName, type DomainName, type Message, Rcode, type RecordData, RrType, rdataToText } from '@zonewright/dns'
import type { Looked, Resolver } from '#ports/resolver.ts'
import { ask, type Server } from '../dns/ask.ts'

export interface DnsResolverOptions {
  /** Recursive resolvers, queried in turn until one answers. If empty, those of the system are used. */
  readonly servers: readonly Server[]
  /** Time limit for one server over UDP, and again over TCP. */
  readonly timeoutMs?: number
}

/** Queries recursive resolvers over UDP, and over TCP if a response is truncated (RFC 7766). */
export function createDnsResolver({ servers, timeoutMs = 3_000 }: DnsResolverOptions): Resolver {
  return {
    texts: (name) => askInTurn(servers.length > 0 ? servers : systemServers(), timeoutMs, name),
  }
}

async function askInTurn(servers: readonly Server[], timeoutMs: number, name: string): Promise<Looked> {
  const owner = asName(`${name}.`)
  if (owner === undefined) return [] // longer than any name can be, so nothing exists there
  const query = { name: owner, type: RrType.TXT, recursive: true, timeoutMs }
  for (const server of servers) {
    const texts = await ask(server, query, (answer) => readTexts(answer, owner))
    if (typeof texts !== 'string') return texts
  }
  return 'unknown'
}

function readTexts({ rcode, answers }: Message, name: DomainName): readonly string[] | 'unknown' {
  if (rcode === Rcode.NXDOMAIN) return []
  if (rcode !== Rcode.NOERROR) return 'unknown'
  return answers.filter((record) => record.name === name && record.type === RrType.TXT).map(({ data }) => textOf(data))
}

/** The strings of a TXT record, joined. Proofs of control are ASCII, so other bytes may be lost. */
function textOf(data: RecordData): string {
  return rdataToText(RrType.TXT, data).replaceAll(/^"|"$/g, '').replaceAll('" "', '')
}

/** The resolvers of the system. */
export function systemServers(): Server[] {
  return getServers().map((text) => {
    const [, bracketed, host, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
    return { host: bracketed ?? host ?? text, port: isIPv6(text) || port === undefined ? 53 : Number(port) }
  })
}
