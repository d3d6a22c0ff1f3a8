import {
  type DomainName,
  type Message,
  parseName,
  parseType,
  Rcode,
  RrType,
  rdataToText,
  type WireRecord,
} from '@zonewright/dns'
import type { DnsProbe, ProbeAnswer } from '#ports/dns-probe.ts'
import { ask, type Server } from './ask.ts'

/** Sends one query to any DNS server. A name that does not exist is a response without records. */
export class PacketProbe implements DnsProbe {
  readonly #timeoutMs: number

  constructor({ timeoutMs }: { timeoutMs: number }) {
    this.#timeoutMs = timeoutMs
  }

  async ask(
    server: Server,
    { name, type: typeText, recursive }: { name: string; type: string; recursive: boolean },
  ): Promise<ProbeAnswer> {
    const type = parseType(typeText)
    const owner = parseName(name)
    const beganMs = performance.now()
    const query = { name: owner, type, recursive, timeoutMs: this.#timeoutMs }
    const said = await ask(server, query, (answer) => readAnswer(answer, owner, type, performance.now() - beganMs))
    return typeof said === 'string' ? { kind: 'failure', failure: said } : said
  }
}

function readAnswer(answer: Message, owner: DomainName, type: RrType, tookMs: number): ProbeAnswer {
  if (answer.rcode !== Rcode.NOERROR && answer.rcode !== Rcode.NXDOMAIN) return { kind: 'failure', failure: 'refused' }
  // No alias leads to a zone's SOA, so an SOA with another owner belongs to another zone.
  const isOfOwner = (record: WireRecord): boolean => type !== RrType.SOA || record.name === owner
  const records = answer.answers.filter((record) => record.type === type && isOfOwner(record))
  const aliases = type === RrType.CNAME ? [] : answer.answers.filter((record) => record.type === RrType.CNAME)
  return {
    kind: 'answer',
    exists: answer.rcode !== Rcode.NXDOMAIN,
    records: records.map((record) => rdataToText(type, record.data)).sort(),
    aliases: aliases.map((alias) => `${alias.name} ${rdataToText(RrType.CNAME, alias.data)}`),
    isWhole: records.length > 0 || !leadsElsewhere(answer, aliases.length > 0),
    ttl: records.length > 0 ? Math.min(...answer.answers.map(({ ttl }) => ttl)) : null,
    latencyMs: Math.round(tookMs * 10) / 10,
  }
}

/** A complete negative response has a SOA (RFC 2308 §2). A referral has only NS. */
function leadsElsewhere({ authorities }: Message, hasAlias: boolean): boolean {
  const has = (type: RrType): boolean => authorities.some((record) => record.type === type)
  return !has(RrType.SOA) && (hasAlias || has(RrType.NS))
}
