import type { WirePropagation } from '@zonewright/contract'
import { isServing } from '#modules/publication/index.ts'
import { readServers, type SecondaryServer } from '#modules/secondaries/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { parseHostPort, textOf } from '#platform/settings/configuration.ts'
import type { DnsProbe, DnsServer, ProbeAnswer } from '#ports/dns-probe.ts'
import { agrees, serialIn, widened, wireSerial } from './rules.ts'
import { readSeen, readSerial, type SeenNameserver } from './store.ts'

export interface PropagationContext {
  readonly probe: DnsProbe
  /** Public resolvers that people use. */
  readonly resolvers: readonly DnsServer[]
  /** Whether messages may be sent to an address that a customer gave. */
  readonly mayReach: (at: DnsServer) => boolean
}

/** What to check: a zone, and optionally a name and type in it. Names without their trailing dot. */
export interface Watched {
  readonly zone: { readonly id: string; readonly name: string }
  /** As in an SOA; undefined: the zone's current one. */
  readonly serial: number | undefined
  readonly rrset: { readonly name: string; readonly type: string } | undefined
  /** Whether to show the customer's own secondaries. A key with limits cannot read them. */
  readonly hasSecondaries: boolean
}

type Question = Parameters<DnsProbe['ask']>[1]

/**
 * How far a change has propagated. All servers are queried at once, so it takes as long as the slowest, at most 3 s.
 *
 * Customers' own secondaries are shown, but never decide whether the change is replicated.
 *
 * A nameserver that does not answer is shown with what publication last saw it serve.
 */
export async function readPropagation(
  db: Db,
  context: PropagationContext,
  { zone, serial, rrset, hasSecondaries }: Watched,
): Promise<WirePropagation | undefined> {
  const { probe, resolvers } = context
  const before = await readSerial(db, zone.id)
  if (before === undefined) return undefined
  const soa: Question = { name: `${zone.name}.`, type: 'SOA', recursive: false }
  const asked: Question | undefined = rrset && { ...rrset, name: `${rrset.name}.`, recursive: false }
  const [nameservers, secondaries] = await Promise.all([
    readSeen(db, zone.id),
    hasSecondaries ? readServers(db, zone.id) : [],
  ])
  const [answers, answered, resolved] = await Promise.all([
    Promise.all(nameservers.map((nameserver) => askNameserver(probe, nameserver, soa, asked))),
    Promise.all(secondaries.map(({ address: host, port }) => askSecondary(context, { host, port }, soa))),
    asked ? Promise.all(resolvers.map((at) => probe.ask(at, { ...asked, recursive: true }))) : [],
  ])
  // After the answers, so that a change made in the meantime does not make a nameserver seem to be ahead of the zone.
  const present = await readSerial(db, zone.id)
  if (present === undefined) return undefined
  const target = serial === undefined ? before : widened(serial, before)
  const states = nameservers.map((nameserver, i) => stateOf(nameserver, answers[i]?.soa, { target, present }))
  // The reference is the answer of a nameserver that has the serial.
  const truth = answers.find((_, i) => states[i]?.in_sync)?.rrset
  return {
    serial: wireSerial(target),
    replicated: states.length > 0 && states.every(({ in_sync }) => in_sync),
    nameservers: states,
    secondaries: secondaries.map((secondary, i) => secondaryState(secondary, answered[i], { target, present })),
    resolvers: resolved.map((answer, i) => resolverState(resolvers[i] as DnsServer, answer, agrees(answer, truth))),
  }
}

async function askNameserver(
  probe: DnsProbe,
  { address }: SeenNameserver,
  soa: Question,
  rrset: Question | undefined,
): Promise<{ soa: ProbeAnswer; rrset: ProbeAnswer | undefined }> {
  const at = parseHostPort(address)
  const [soaAnswer, rrsetAnswer] = await Promise.all([
    probe.ask(at, soa),
    rrset === undefined ? undefined : probe.ask(at, rrset),
  ])
  return { soa: soaAnswer, rrset: rrsetAnswer }
}

function stateOf(
  { name, address, zoneSerial, serial: seen, seenAt }: SeenNameserver,
  answer: ProbeAnswer | undefined,
  { target, present }: { target: number; present: number },
): WirePropagation['nameservers'][number] {
  const now = answer && serialIn(answer, zoneSerial)
  // Only for a nameserver that does not answer it is unknown what it serves. One that refuses, or has no SOA, does not serve the zone.
  const isSilent = answer?.kind === 'failure' && answer.failure === 'timeout'
  const serial = now ?? (isSilent ? seen : null)
  return {
    name,
    address,
    serial: serial === null ? null : wireSerial(serial),
    in_sync: isServing(serial, target, present),
    latency_ms: answer?.kind === 'answer' ? answer.latencyMs : null,
    checked_at: isSilent ? (seenAt?.toISOString() ?? null) : new Date().toISOString(),
    error: answer?.kind === 'failure' ? answer.failure : null,
  }
}

/** Queries a secondary, unless its address is no longer one that messages may be sent to. */
async function askSecondary(
  { probe, mayReach }: PropagationContext,
  at: DnsServer,
  soa: Question,
): Promise<ProbeAnswer> {
  return mayReach(at) ? probe.ask(at, soa) : { kind: 'failure', failure: 'refused' }
}

function secondaryState(
  { address: host, port, nsName }: SecondaryServer,
  answer: ProbeAnswer | undefined,
  { target, present }: { target: number; present: number },
): WirePropagation['secondaries'][number] {
  const serial = (answer && serialIn(answer, present)) ?? null
  return {
    address: textOf({ host, port }),
    ns_name: nsName,
    serial: serial === null ? null : wireSerial(serial),
    in_sync: isServing(serial, target, present),
    latency_ms: answer?.kind === 'answer' ? answer.latencyMs : null,
    error: answer?.kind === 'failure' ? answer.failure : null,
  }
}

function resolverState(at: DnsServer, answer: ProbeAnswer, inSync: boolean): WirePropagation['resolvers'][number] {
  const address = textOf(at)
  const isAnswer = answer.kind === 'answer'
  return {
    name: wellKnown[at.host] ?? address,
    address,
    answer: isAnswer ? [...answer.records] : null,
    ttl: isAnswer ? answer.ttl : null,
    in_sync: inSync,
  }
}

const wellKnown: Readonly<Record<string, string>> = {
  '1.1.1.1': 'Cloudflare',
  '8.8.8.8': 'Google',
  '9.9.9.9': 'Quad9',
}
