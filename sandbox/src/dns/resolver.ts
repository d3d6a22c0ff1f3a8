import {
  buildResponse,
  DnsClass,
  extendedErrorOption,
  InfoCode,
  isWithin,
  type Message,
  parseMessage,
  type Question,
  Rcode,
  type Rrset,
  RrType,
  responseTo,
  soaFromRdata,
  type Verdict,
  validate,
  type WireRecord,
  worstVerdict,
} from '@zonewright/dns'
import { dnssecCrypto } from '@zonewright/dns/node'
import { mostBytesFor, ourEdns } from './answer-size.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { type Answer, type Found, resolve, type Servers } from './resolve.ts'

export interface ResolverOptions extends Servers {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string
  /** The DS records of signed zones. Responses about names in these zones, and below, are validated. Without them, nothing is validated. */
  readonly anchors?: readonly Rrset[]
}

/** A failure is not cached. */
const noTtl = 0

/** A small validating and caching resolver. It follows referrals from the top zones that it knows, and counts TTLs down. */
export async function startResolver({ listen, anchors = [], ...servers }: ResolverOptions): Promise<DnsServer> {
  const resolver = new Resolver(servers, anchors)
  return await startDnsServer(listen, async (wire, transport) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (query.qr || question === undefined) return undefined
    return buildResponse(wire, await resolver.respond(query, question), { maxSize: mostBytesFor(query, transport) })
  })
}

interface Kept {
  readonly found: Found
  readonly atMs: number
  /** Created on first use. */
  verdict?: Promise<Verdict>
  /** How long the verdict allows it to be cached. */
  maxTtl: number
}

class Resolver {
  readonly #servers: Servers
  readonly #anchors: readonly Rrset[]
  readonly #cache = new Map<string, Kept>()

  constructor(servers: Servers, anchors: readonly Rrset[]) {
    this.#servers = servers
    this.#anchors = anchors
  }

  async respond(query: Message, question: Question): Promise<Message> {
    const kept = await this.#lookup(question)
    const verdict = await this.#verdict(question, kept)
    const dnssecOk = query.edns?.dnssecOk ?? false
    const edns = query.edns && { ...ourEdns, dnssecOk }
    if (verdict !== undefined && isRefused(verdict) && !query.cd) {
      const why = extendedErrorOption({ infoCode: verdict.infoCode ?? 0, text: verdict.reason })
      return responseTo(query, { rcode: Rcode.SERVFAIL, ra: true, edns: edns && { ...edns, options: [why] } })
    }
    const shown = (records: readonly WireRecord[]) =>
      records.filter(({ type }) => dnssecOk || type === question.type || !ofDnssec.has(type)).map(withTtlLeft(kept))
    const { rcode, answers, authorities } = kept.found
    return responseTo(query, {
      rcode,
      answers: shown(answers),
      authorities: shown(authorities),
      ra: true,
      // Only for clients that understand it (RFC 6840 §5.7 and §5.8).
      ad: verdict?.status === 'secure' && (dnssecOk || query.ad),
      edns,
    })
  }

  async #lookup(question: Question): Promise<Kept> {
    const key = `${question.name} ${question.type}`
    const known = this.#cache.get(key)
    if (known !== undefined && ageS(known) < Math.min(lifeS(known.found), known.maxTtl)) return known
    const found = await resolve(this.#servers, question)
    const kept: Kept = { found, atMs: performance.now(), maxTtl: Number.POSITIVE_INFINITY }
    this.#cache.set(key, kept)
    return kept
  }

  /** Undefined: no trust anchor is above the name, a server did not respond, or the resolver itself has the answer. */
  async #verdict({ name }: Question, kept: Kept): Promise<Verdict | undefined> {
    const { rcode, responses } = kept.found
    const isAnchored = this.#anchors.some((anchor) => isWithin(name, anchor.name))
    if (!isAnchored || responses.length === 0 || rcode === Rcode.SERVFAIL) return undefined
    kept.verdict ??= this.#validate(kept.found)
    const verdict = await kept.verdict
    kept.maxTtl = verdict.maxTtl ?? Number.POSITIVE_INFINITY
    return verdict
  }

  async #validate({ responses }: Found): Promise<Verdict> {
    const options = {
      anchors: this.#anchors,
      ask: async (name: Question['name'], type: RrType) => {
        const { found } = await this.#lookup({ name, type, class: DnsClass.IN })
        return found.responses[0]?.message
      },
      crypto: dnssecCrypto,
      unixSeconds: Math.floor(Date.now() / 1_000),
    }
    return worstVerdict(
      await Promise.all(responses.map(({ question, message }) => validate(question, message, options))),
    )
  }
}

/** Aliases may lead to names that no trust anchor is above. They are answered as if they were unsigned (RFC 4033 §5). */
function isRefused({ status, infoCode }: Verdict): boolean {
  return status === 'bogus' || (status === 'indeterminate' && infoCode !== InfoCode.DNSSEC_INDETERMINATE)
}

/** Only clients that request DNSSEC, or one of these types, get them (RFC 4035 §3.2.1). */
const ofDnssec: ReadonlySet<RrType> = new Set([RrType.RRSIG, RrType.NSEC, RrType.NSEC3])

function ageS({ atMs }: Kept): number {
  return Math.floor((performance.now() - atMs) / 1_000)
}

/** With what is left of its TTL, and no more than its signature allows (RFC 4035 §5.3.3). */
function withTtlLeft(kept: Kept): (record: WireRecord) => WireRecord {
  const seconds = ageS(kept)
  return (record) => ({ ...record, ttl: Math.max(Math.min(record.ttl, kept.maxTtl) - seconds, 0) })
}

function lifeS({ rcode, answers, authorities }: Answer): number {
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return noTtl
  if (answers.length > 0) return Math.min(...answers.map(({ ttl }) => ttl))
  const soa = authorities.find(({ type }) => type === RrType.SOA)
  return soa ? Math.min(soa.ttl, soaFromRdata(soa.data).minimum) : noTtl
}
