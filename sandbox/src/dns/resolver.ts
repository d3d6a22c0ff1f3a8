import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import {
  buildMessage,
  buildResponse,
  DnsClass,
  type DomainName,
  FrameReader,
  frame,
  isWithin,
  type Message,
  nameFromWire,
  parseMessage,
  parseName,
  parseRdata,
  type Question,
  Rcode,
  RrType,
  responseTo,
  soaFromRdata,
  tryParseMessage,
  type WireRecord,
} from '@zonewright/dns'
import { hostAndPort } from '../web/listen.ts'
import { mostBytesFor, ourEdns } from './answer-size.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'

export interface ResolverOptions {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string
  /** Where the zones at the top are served: zone without trailing dot → `host:port`. */
  readonly tops: Readonly<Record<string, string>>
  /** Where nameservers answer that are not on port 53: host name → `host:port`. Others are not asked. */
  readonly nameservers: Readonly<Record<string, string>>
}

const timeoutMs = 1_000
/** Referrals and aliases followed for one question. */
const maxSteps = 12
/** What is known of servers that do not answer is forgotten at once. */
const noTtl = 0

interface Kept {
  readonly answer: Answer
  readonly atMs: number
}
type Answer = Pick<Message, 'rcode' | 'answers' | 'authorities'>

/** A tiny caching resolver: follows referrals from the top zones it knows, and counts TTLs down as all resolvers do. */
export async function startResolver(options: ResolverOptions): Promise<DnsServer> {
  const cache = new Map<string, Kept>()
  return await startDnsServer(options.listen, async (wire, transport) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (query.qr || question === undefined) return undefined
    const key = `${question.name} ${question.type}`
    const known = cache.get(key)
    const kept = known && aged(known)
    const answer = kept ?? (await resolve(options, question))
    if (kept === undefined) cache.set(key, { answer, atMs: performance.now() })
    const edns = query.edns && ourEdns
    return buildResponse(wire, responseTo(query, { ...answer, ra: true, edns }), {
      maxSize: mostBytesFor(query, transport),
    })
  })
}

/** The answer with what is left of its TTLs; undefined when they are over. */
function aged({ answer, atMs }: Kept): Answer | undefined {
  const ageS = Math.floor((performance.now() - atMs) / 1_000)
  if (ageS >= lifeS(answer)) return undefined
  const older = (record: WireRecord): WireRecord => ({ ...record, ttl: record.ttl - ageS })
  return { ...answer, answers: answer.answers.map(older), authorities: answer.authorities.map(older) }
}

function lifeS({ rcode, answers, authorities }: Answer): number {
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return noTtl
  if (answers.length > 0) return Math.min(...answers.map(({ ttl }) => ttl))
  const soa = authorities.find(({ type }) => type === RrType.SOA)
  return soa ? Math.min(soa.ttl, soaFromRdata(soa.data).minimum) : noTtl
}

const failed: Answer = { rcode: Rcode.SERVFAIL, answers: [], authorities: [] }

async function resolve({ tops, nameservers }: ResolverOptions, question: Question): Promise<Answer> {
  const host = nameservers[question.name.slice(0, -1)]
  if (host !== undefined && (question.type === RrType.A || question.type === RrType.AAAA))
    return { rcode: Rcode.NOERROR, answers: addressesOf(host, question), authorities: [] }
  const chain: WireRecord[] = []
  let { name } = question
  let server = topOf(tops, name)
  for (let steps = 0; steps < maxSteps && server !== undefined; steps++) {
    const message = await ask(server, { ...question, name })
    if (message === undefined || (message.rcode !== Rcode.NOERROR && message.rcode !== Rcode.NXDOMAIN)) return failed
    const referred = message.aa ? [] : message.authorities.filter(({ type }) => type === RrType.NS)
    if (referred.length > 0) {
      const names = referred.map(({ data }) => nameFromWire(data).slice(0, -1))
      server = nameservers[names.find((each) => nameservers[each] !== undefined) ?? '']
      continue
    }
    chain.push(...message.answers)
    const last = message.answers.at(-1)
    if (last?.type !== RrType.CNAME || question.type === RrType.CNAME)
      return { rcode: message.rcode, answers: chain, authorities: message.authorities }
    name = nameFromWire(last.data)
    server = topOf(tops, name)
  }
  return failed
}

/** Where a nameserver answers is its address for everybody. */
function addressesOf(server: string, { name, type }: Question): WireRecord[] {
  const { host } = hostAndPort(server)
  if (isIP(host) !== (type === RrType.A ? 4 : 6)) return []
  return [{ name, type, class: DnsClass.IN, ttl: 60, data: parseRdata(type, host) }]
}

function topOf(tops: ResolverOptions['tops'], name: DomainName): string | undefined {
  const zones = Object.keys(tops).filter((zone) => isWithin(name, parseName(`${zone}.`)))
  return tops[zones.sort((a, b) => b.length - a.length)[0] ?? '']
}

/** Asks by UDP, and once more by TCP where the answer did not fit (RFC 2181 §9); undefined: there was none in time. */
async function ask(server: string, question: Question): Promise<Message | undefined> {
  const id = randomInt(0x10000)
  const wire = buildMessage({ id, questions: [{ ...question, class: DnsClass.IN }], edns: ourEdns })
  const asked = { id, wire, ...hostAndPort(server) }
  const answer = await askByUdp(asked)
  return answer?.tc ? await askByTcp(asked) : answer
}

interface Asked {
  readonly id: number
  readonly wire: Uint8Array
  readonly host: string
  readonly port: number
}

function askByUdp({ id, wire, host, port }: Asked): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    const end = (message: Message | undefined): void => {
      clearTimeout(timer)
      socket.close()
      resolve(message)
    }
    const timer = setTimeout(() => end(undefined), timeoutMs)
    socket.once('error', () => end(undefined))
    // Not its callback, which gets the failure, too.
    socket.once('connect', () => socket.send(wire))
    socket.on('message', (bytes) => {
      const message = answerIn(bytes, id)
      if (message !== undefined) end(message)
    })
    socket.connect(port, host)
  })
}

function askByTcp({ id, wire, host, port }: Asked): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const frames = new FrameReader()
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      // Where nothing was heard; else it is resolved already.
      resolve(undefined)
    })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of frames.feed(chunk)) {
        const message = answerIn(bytes, id)
        if (message === undefined) continue
        resolve(message)
        socket.destroy()
      }
    })
    socket.write(frame(wire))
  })
}

function answerIn(bytes: Uint8Array, id: number): Message | undefined {
  const message = tryParseMessage(bytes)
  return message?.id === id && message.qr ? message : undefined
}
