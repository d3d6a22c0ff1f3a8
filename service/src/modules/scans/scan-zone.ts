import { asName, type DomainName, isHostName, isLocalHost, RrType } from '@zonewright/dns'
import { absolute } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { AddressResolver } from '#ports/address-resolver.ts'
import type { DnsServer } from '#ports/dns-probe.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { SourceAnswer, ZoneSource } from '#ports/zone-source.ts'
import { FoundRecords, maxFileBytes, maxFound } from './found-records.ts'
import { type Question, questionsAbout } from './questions.ts'
import { hostsToAsk } from './rules.ts'
import { type ClaimedScan, releaseAddress, type ScanResult, takeAddress } from './store.ts'
import type { Turns } from './turns.ts'

/** What a scan needs from other modules. */
export interface ScanContext {
  readonly database: Database
  readonly parentDns: ParentDns
  readonly addressResolver: AddressResolver
  readonly zoneSource: ZoneSource
  /** Our nameservers: host names, lower-case, no trailing dot. */
  readonly nameservers: readonly string[]
  /** Whether messages may be sent to an address: the guard of webhooks. */
  readonly mayReach: (at: DnsServer) => boolean
  /** The port of nameservers: 53, except in tests. */
  readonly port: number
  /** Time between two messages of a scan. Default: as long as the limit requires. */
  readonly pauseMs?: number
}

/** How long the addresses of a nameserver are looked up, and the maximum number of aliases that are followed. */
const addressLimits = { timeoutMs: 3_000, mostSteps: 2 }
/** Maximum number of addresses that are tried, of all nameservers together. */
const maxAddresses = 8
const transferLimits = { maxRecords: maxFound, maxBytes: maxFileBytes, timeoutMs: 5_000 }
/** Number of consecutive questions without an answer after which a server counts as down. */
const maxSilent = 4

/** A nameserver at one of its addresses. */
interface Server extends DnsServer {
  readonly name: string
}

/**
 * Finds the records of a zone at its current nameservers: the first one that answers for the zone is queried. `busy`: other scans have all
 * that might answer. A server can send what it likes: its answers are limited in number, size and time, and only records of the zone are kept.
 */
export async function scanZone(
  context: ScanContext,
  scan: ClaimedScan,
  progress: Progress,
): Promise<ScanResult | 'busy'> {
  const delegation = await context.parentDns.delegationOf(scan.zoneName)
  const hosts = hostsToAsk(delegation, [...context.nameservers, ...scan.secondaryNames])
  if (typeof hosts === 'string') return failed(hosts)
  const servers = await serversOf(context, hosts)
  if (servers.length === 0) return failed('no_address')
  let isBusy = false
  for (const server of servers) {
    if (progress.turns.isOver) break
    if (!(await takeAddress(context.database.db, server.host, scan.id))) {
      isBusy = true
      continue
    }
    try {
      progress.address = server.host
      const result = await askServer(context, server, absolute(scan.zoneName), progress)
      if (result !== undefined) return result
    } finally {
      await releaseAddress(context.database.db, server.host, scan.id)
    }
  }
  return isBusy ? 'busy' : failed('no_answer')
}

/** What is known of a scan while it runs. */
export interface Progress {
  readonly turns: Turns
  address: string
  found: FoundRecords | undefined
}

export function failed(failure: NonNullable<ScanResult['failure']>): ScanResult {
  return { failure, nameserver: null, method: null, isComplete: false, records: 0, zoneFile: null }
}

/** IPv4 first, as not every host reaches IPv6; one address of each nameserver before the second of any. */
async function serversOf(
  { addressResolver, mayReach, port }: ScanContext,
  hosts: readonly string[],
): Promise<Server[]> {
  const found = await Promise.all(
    hosts.map(async (name) => {
      const host = asName(`${name}.`)
      if (host === undefined || !isHostName(host) || isLocalHost(host)) return []
      const addresses = await addressResolver.addresses(name, addressLimits)
      if (typeof addresses === 'string') return []
      return [...(addresses.a ?? []), ...(addresses.aaaa ?? [])].map((address) => ({ name, host: address, port }))
    }),
  )
  const inTurn = found.flatMap((servers) => servers.map((server, turn) => ({ server, turn })))
  inTurn.sort((a, b) => a.turn - b.turn)
  const distinct = new Map(inTurn.map(({ server }) => [server.host, server]))
  return [...distinct.values()].filter(mayReach).slice(0, maxAddresses)
}

/** Undefined: the server does not answer for the zone. */
async function askServer(
  { zoneSource }: ScanContext,
  server: Server,
  zone: DomainName,
  progress: Progress,
): Promise<ScanResult | undefined> {
  const { turns } = progress
  const soa = await zoneSource.ask(server, { name: zone, type: RrType.SOA }, turns.next)
  if (typeof soa === 'string' || !isOfZone(soa, zone)) return undefined
  const found = new FoundRecords(zone)
  progress.found = found
  const records = await zoneSource.transfer(server, zone, transferLimits, turns.next)
  if (typeof records !== 'string') {
    found.add(records)
    return done(server, 'transfer', !found.isFull, found)
  }
  const questions = questionsAbout(zone, found)
  const isComplete = await askAll(questions, found, turns, (question) => zoneSource.ask(server, question, turns.next))
  return done(server, 'questions', isComplete, found)
}

function isOfZone({ isAuthoritative, records }: SourceAnswer, zone: DomainName): boolean {
  return isAuthoritative && records.some(({ name, type }) => name === zone && type === RrType.SOA)
}

/** Queries until there are no more questions, no more turns, no more room, or no more answers. Returns whether everything was found. */
async function askAll(
  questions: ReturnType<typeof questionsAbout>,
  found: FoundRecords,
  turns: Turns,
  ask: (question: Question) => ReturnType<ZoneSource['ask']>,
): Promise<boolean> {
  let silent = 0
  let isMissing = false
  for (let step = questions.next(undefined); ; ) {
    if (step.done) return step.value && !isMissing && !found.isFull
    if (turns.isOver || found.isFull || silent >= maxSilent) return false
    const answer = await ask(step.value)
    const isAnswer = typeof answer !== 'string'
    silent = isAnswer || answer === 'refused' ? 0 : silent + 1
    if (!isAnswer) isMissing = true
    step = questions.next(isAnswer ? answer : undefined)
  }
}

function done(server: Server, method: 'transfer' | 'questions', isComplete: boolean, found: FoundRecords): ScanResult {
  return {
    ...{ failure: null, nameserver: server.name, method, isComplete },
    records: found.count,
    zoneFile: found.zoneFile(),
  }
}
