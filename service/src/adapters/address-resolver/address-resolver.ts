import { setTimeout as delay } from 'node:timers/promises'
import { asName, type DomainName, type Message, namesIn, Rcode, RrType, rdataToText } from '@zonewright/dns'
import type { AddressFailure, AddressResolver, FoundAddresses } from '#ports/address-resolver.ts'
import { ask, type Server } from '../dns/ask.ts'
import { systemServers } from '../dns-resolver/index.ts'
import { isPublicAddress } from '../webhook-http/guard.ts'

export interface AddressResolverOptions {
  /** Recursive resolvers, queried in turn until one answers. If empty, those of the system are used. */
  readonly servers: readonly Server[]
}

/** Time limit for one server, so that a lost packet does not use up the time of a write. */
const attemptMs = 900
/** Minimum time between rounds of all servers, because an attempt at a closed port ends immediately. */
const roundMs = 200

/** Queries recursive resolvers for A and AAAA records. If their response contains only part of a chain of aliases, also queries the rest. */
export function createAddressResolver({ servers }: AddressResolverOptions): AddressResolver {
  return {
    isPublic: isPublicAddress,
    addresses: async (host, limits) => {
      const name = asName(`${host}.`)
      if (name === undefined) return 'no_address'
      const lookup = { servers: servers.length > 0 ? servers : systemServers(), mostSteps: limits.mostSteps }
      const untilMs = performance.now() + limits.timeoutMs
      const [a, aaaa] = await Promise.all([
        lookUp({ ...lookup, name, type: RrType.A, untilMs }),
        lookUp({ ...lookup, name, type: RrType.AAAA, untilMs }),
      ])
      return together(a, aaaa)
    },
  }
}

/** The records of one family; empty if the name has none. */
interface Found {
  readonly addresses: readonly string[]
  readonly ttl: number
}

/** A failure of one family counts only if the other family has no addresses either. */
function together(a: Found | AddressFailure, aaaa: Found | AddressFailure): FoundAddresses | AddressFailure {
  const found = [a, aaaa].filter((each) => typeof each !== 'string').filter(({ addresses }) => addresses.length > 0)
  const failed = [a, aaaa].find((each) => typeof each === 'string')
  if (found.length === 0) return failed ?? 'no_address'
  return {
    a: typeof a === 'string' ? undefined : a.addresses,
    aaaa: typeof aaaa === 'string' ? undefined : aaaa.addresses,
    ttl: Math.min(...found.map(({ ttl }) => ttl)),
  }
}

interface Lookup {
  readonly servers: readonly Server[]
  readonly name: DomainName
  readonly type: RrType
  readonly mostSteps: number
  readonly untilMs: number
}

/** Follows a chain of aliases to its end. A resolver usually sends the whole chain. If it does not, the last name is queried. */
async function lookUp(lookup: Lookup): Promise<Found | AddressFailure> {
  let { name, mostSteps: stepsLeft } = lookup
  let ttl = Number.POSITIVE_INFINITY
  for (;;) {
    const part = await askInTurn({ ...lookup, name, mostSteps: stepsLeft })
    if (typeof part === 'string') return part
    ttl = Math.min(ttl, part.ttl)
    if (part.next === undefined) return { addresses: part.addresses, ttl }
    stepsLeft -= part.steps
    name = part.next
  }
}

/** A part of a chain: the next name, or the end. */
interface Part extends Found {
  readonly steps: number
  readonly next: DomainName | undefined
}

/** Queries the servers in turn until one answers. Repeats as long as there is time and no server has reported a failure. */
async function askInTurn({ servers, name, type, mostSteps, untilMs }: Lookup): Promise<Part | AddressFailure> {
  const failed = new Set<Server>()
  for (;;) {
    const nextRoundMs = performance.now() + roundMs
    for (const server of servers) {
      const timeoutMs = Math.min(attemptMs, untilMs - performance.now())
      if (timeoutMs <= 0) return failed.size > 0 ? 'server_failure' : 'timeout'
      const query = { name, type, recursive: true, timeoutMs: Math.ceil(timeoutMs) }
      const part = await ask(server, query, (answer) => partOf(answer, name, type, mostSteps))
      if (part === 'timeout') continue
      if (part !== 'broken' && part !== 'server_failure') return part
      failed.add(server)
    }
    if (failed.size > 0) return 'server_failure'
    await delay(Math.max(0, Math.min(nextRoundMs, untilMs) - performance.now()))
  }
}

/** Reads an answer: the chain of aliases from the name on, and the addresses at its end. */
function partOf(
  { rcode, answers, authorities }: Message,
  asked: DomainName,
  type: RrType,
  mostSteps: number,
): Part | AddressFailure {
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return 'server_failure'
  let name = asked
  let ttl = Number.POSITIVE_INFINITY
  for (let steps = 0; ; steps++) {
    const here = answers.filter((record) => record.name === name && record.type === type)
    if (here.length > 0) {
      const lowest = Math.min(ttl, ...here.map((record) => record.ttl))
      return { addresses: here.map(({ data }) => rdataToText(type, data)), ttl: lowest, steps, next: undefined }
    }
    const alias = answers.find((record) => record.name === name && record.type === RrType.CNAME)
    const target = alias && namesIn(RrType.CNAME, alias.data)[0]
    if (alias === undefined || target === undefined) {
      // Without a SOA, an answer says nothing about the end of a chain (RFC 2308 §2).
      const isEnd = steps === 0 || rcode === Rcode.NXDOMAIN || authorities.some((record) => record.type === RrType.SOA)
      return { addresses: [], ttl, steps, next: isEnd ? undefined : name }
    }
    if (steps === mostSteps) return 'too_many_steps'
    ttl = Math.min(ttl, alias.ttl)
    name = target
  }
}
