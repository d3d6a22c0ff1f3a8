import {
  buildResponse,
  parseMessage,
  parseName,
  parseRdata,
  Rcode,
  RrType,
  responseTo,
  type WireRecord,
} from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'

/** A resolver that knows the hosts `t<n>.<zone>`: one address each, which can be changed. It counts the queries for them. */
export class TargetServer {
  readonly #moved = new Map<number, number>()
  #server: Awaited<ReturnType<typeof startDnsServer>> | undefined
  queries = 0

  static async start(): Promise<TargetServer> {
    const targets = new TargetServer()
    targets.#server = await startDnsServer('127.0.0.1:0', async (wire) => targets.#answer(wire))
    return targets
  }

  get address(): string {
    return this.#server?.address ?? ''
  }

  /** Gives a host another address, from the next query on. Returns it. */
  move(host: number): string {
    this.#moved.set(host, (this.#moved.get(host) ?? 0) + 1)
    return this.addressOf(host)
  }

  addressOf(host: number): string {
    return `${93 + (this.#moved.get(host) ?? 0)}.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  #answer(wire: Uint8Array): Uint8Array {
    const query = parseMessage(wire)
    const [question] = query.questions
    const [, host] = /^t(\d+)\./.exec(question?.name ?? '') ?? []
    if (question === undefined || host === undefined)
      return buildResponse(wire, responseTo(query, { questions: query.questions, rcode: Rcode.NXDOMAIN }))
    this.queries++
    const ttl = question.name.includes('.moving.') ? movingTtl : usualTtl
    const data = parseRdata(RrType.A, this.addressOf(Number(host)))
    const record: WireRecord = { name: parseName(question.name), type: RrType.A, class: 1, ttl, data }
    const answers = question.type === RrType.A ? [record] : []
    return buildResponse(wire, responseTo(query, { questions: query.questions, ra: true, answers }))
  }
}

/** TTLs in seconds: of most targets, and of those whose addresses change. */
export const usualTtl = 300
export const movingTtl = 30
