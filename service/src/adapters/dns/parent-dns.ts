import { randomInt } from 'node:crypto'
import { type DomainName, parseName, RrType } from '@zonewright/dns'
import type { ParentAnswer, ParentDns } from '#ports/parent-dns.ts'
import { ask, type Server } from './ask.ts'
import { type NamedServer, ParentServers, type ParentServersOptions } from './parent-servers.ts'
import { readDelegation, type Word } from './read-delegation.ts'

/** The number of servers that must agree. */
const wantedWords = 2
/** Maximum number of queries about one zone, including repetitions. */
const maxQuestions = 6
/** Addresses of a silent server that are tried before the next server. */
const triesInTurn = 2

/**
 * Queries the servers of a zone's parent, two of them if it has two, for the NS set of the delegation. Node's own resolver hides the section that
 * contains it.
 */
export class PacketParentDns implements ParentDns {
  readonly #servers: ParentServers
  readonly #timeoutMs: number

  constructor(options: ParentServersOptions) {
    this.#servers = new ParentServers(options)
    this.#timeoutMs = options.timeoutMs
  }

  async delegationOf(zone: string): Promise<ParentAnswer> {
    const name = parseName(`${zone}.`)
    const { servers, isWhole } = await this.#servers.above(name)
    if (servers.length === 0) return { kind: 'no_answer', failure: 'no_parent' }
    const words = await this.#wordsOf(shuffled(servers), name)
    const said = words.filter(isSaid)
    if (said.length === 0) {
      this.#servers.forget(name) // they may no longer be the parent's
      const isSilent = words.every((word) => typeof word === 'string')
      return { kind: 'no_answer', failure: isSilent ? 'timeout' : 'lame' }
    }
    return agreed(said, isWhole ? Math.min(wantedWords, servers.length) : wantedWords)
  }

  /**
   * The responses of servers, one for each. If a server does not respond at one address, another of its addresses is tried. Servers that never
   * respond are tried again after the others.
   */
  async #wordsOf(servers: readonly NamedServer[], name: DomainName): Promise<(Word | string)[]> {
    const wanted = Math.min(wantedWords, servers.length)
    const asked = servers.map((addresses): Asked => ({ addresses: shuffled(addresses), next: 0 }))
    const queue = Array.from({ length: maxQuestions }, () => asked).flat()
    const words = (): (Word | string)[] => asked.flatMap(({ word }) => word ?? [])
    let questions = 0
    const mayAskOn = (): boolean => questions < maxQuestions && words().filter(isSaid).length < wanted
    // A server that has responded is not queried again: it would only repeat its response.
    const hasSpoken = ({ word = '' }: Asked): boolean => typeof word !== 'string'
    const askOn = async (): Promise<void> => {
      for (let server = queue.shift(); server !== undefined; server = queue.shift()) {
        const { addresses } = server
        for (let tries = Math.min(triesInTurn, addresses.length); tries > 0; tries--) {
          if (!mayAskOn() || hasSpoken(server)) break
          const address = addresses[server.next++ % addresses.length] as Server
          questions++
          const word = await this.#ask(address, name)
          if (!hasSpoken(server)) server.word = word
        }
      }
    }
    await Promise.all(Array.from({ length: wanted }, askOn))
    return words()
  }

  async #ask(server: Server, name: DomainName): Promise<Word | string> {
    const query = { name, type: RrType.NS, recursive: false, timeoutMs: this.#timeoutMs }
    return await ask(server, query, (answer) => readDelegation(answer, name))
  }
}

/** A server, the index of its next address, and its response or the reason why there is none. */
interface Asked {
  readonly addresses: readonly Server[]
  next: number
  word?: Word | string
}

type Said = Exclude<Word, { kind: 'lame' }>

function isSaid(word: Word | string): word is Said {
  return typeof word !== 'string' && word.kind !== 'lame'
}

function agreed(said: readonly Said[], wanted: number): ParentAnswer {
  const [first] = said
  if (first === undefined || said.some((word) => JSON.stringify(word) !== JSON.stringify(first)))
    return { kind: 'no_answer', failure: 'disagree' }
  return { ...first, isConfirmed: said.length >= wanted }
}

/** In random order, so that no server of a parent gets all questions. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}
