import { connect } from 'node:net'
import { buildMessage, FrameReader, frame, parseName, soaQuery, type TsigKey, TsigSession } from '@zonewright/dns'
import {
  catalogSoaRecord,
  type Endpoint,
  hmac,
  parseEndpoint,
  readCatalogSerial,
  unixSeconds,
  widenSerial,
} from '#modules/primary/index.ts'
import type { Logger } from '#platform/log.ts'
import { advisoryLocks, type Db, sql } from '#platform/postgres/index.ts'
import { readStalled, type StalledZone } from './behind-store.ts'
import { NameserverTalk, type NotifyOutcome, type OtherClock, readSigned } from './nameserver-talk.ts'
import { isServing } from './rules.ts'
import { UdpRequester } from './udp-requester.ts'

const timeoutMs = 2_000
/** Number of zones whose serials are compared: the newest changes. */
const sampleSize = 5

/** The result of an operator's check of a primary. */
export interface PrimaryFacts {
  /** It answers a signed query for the catalog; otherwise why not. */
  readonly answer: 'right' | 'wrong_key' | 'silent' | OtherClock
  /** Whether any process holds the lock of the leading primary. */
  readonly isLed: boolean
  /** The address from which the leader is connected to PostgreSQL, if no primary is connected from our own; undefined otherwise. */
  readonly elsewhere: string | undefined
}

/** The result of an operator's check of a nameserver. */
export interface NameserverFacts {
  readonly name: string
  readonly byUdp: boolean
  readonly byTcp: boolean
  /** The answer to a NOTIFY for the catalog with our key. */
  readonly notify: NotifyOutcome
  /** Zones whose newest change it does not serve. The serials are bigints, as in the database. `served`: undefined if it does not serve the zone. */
  readonly behind: readonly { readonly zone: string; readonly expected: number; readonly served: number | undefined }[]
  /** Number of checked zones. */
  readonly looked: number
  /** Zones that, according to the leader, it has stopped following, and their number. The named ones were queried again. */
  readonly stalled: { readonly zoneCount: number; readonly zones: readonly StalledZone[] }
}

interface Look {
  readonly db: Db
  readonly key: TsigKey
  readonly catalogName: string
  readonly log: Logger
}

/** Queries the primary like a nameserver. */
export async function inspectPrimary(look: Look, at: Endpoint): Promise<PrimaryFacts> {
  const { db, key, catalogName } = look
  const session = new TsigSession(key, hmac)
  const query = session.sign(buildMessage(soaQuery(1, parseName(`${catalogName}.`))), unixSeconds())
  const wire = await askTcp(at, query)
  const answer = wire === undefined ? 'silent' : readSigned(session, wire, 'right' as const, 'wrong_key' as const)
  return { answer, ...(await whoLeads(db)) }
}

/** `host()` of a Unix socket is null: such sessions come from PostgreSQL's own machine. */
async function whoLeads(db: Db): Promise<Pick<PrimaryFacts, 'isLed' | 'elsewhere'>> {
  const { rows } = await sql<{ at: string; here: boolean }>`
    with sessions as (
      select pid, coalesce(host(client_addr), 'the machine of PostgreSQL') as at,
        application_name in ('zonewright primary', 'zonewright all') as is_primary
      from pg_stat_activity where datname = current_database()
    ), here as (select at from sessions where pid = pg_backend_pid())
    select at, exists (select from sessions s join here h on s.at = h.at where s.is_primary) as here
    from sessions join pg_locks using (pid)
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
      and objid = ${advisoryLocks.publicationLeader}`.execute(db)
  return { isLed: rows[0] !== undefined, elsewhere: rows[0]?.here === false ? rows[0].at : undefined }
}

/** Queries each nameserver for zones in the database, and notifies it of the catalog from the primary's address. */
export async function inspectNameservers(
  look: Look & { readonly from: string },
  nameservers: readonly { readonly name: string; readonly address: string }[],
): Promise<NameserverFacts[]> {
  const requester = new UdpRequester(look.log, look.from)
  const stalled = new Map((await readStalled(look.db, sampleSize)).map((each) => [each.nameserver, each]))
  try {
    return await Promise.all(
      nameservers.map(async ({ name, address }) => {
        const endpoint = parseEndpoint(address)
        const known = stalled.get(name) ?? { zoneCount: 0, zones: [] }
        if (endpoint === undefined)
          return { name, byUdp: false, byTcp: false, notify: 'silent', behind: [], looked: 0, stalled: known }
        const talk = new NameserverTalk(requester, endpoint, look.key)
        return { name, ...(await inspectOne(look, talk, endpoint)), stalled: await stillStalled(look, talk, known) }
      }),
    )
  } finally {
    requester.close()
  }
}

/** What is left of the leader's earlier findings: zones that the nameserver serves by now do not count. */
async function stillStalled(
  { db }: Look,
  talk: NameserverTalk,
  { zoneCount, zones }: NameserverFacts['stalled'],
): Promise<NameserverFacts['stalled']> {
  const served = await Promise.all(zones.map(({ zone, serial }) => servedSerial(talk, { name: zone, serial })))
  const isServed = await areServed(
    db,
    zones.map(({ zone: name, serial }) => ({ name, serial })),
    served,
  )
  const left = zones.filter((_, i) => !isServed[i])
  return { zoneCount: zoneCount - (zones.length - left.length), zones: left }
}

/** What a nameserver answers about a zone. `serial`: in the database's form, near the zone's own; undefined: it does not serve the zone. */
async function servedSerial(
  talk: NameserverTalk,
  { name, serial }: { name: string; serial: number },
): Promise<{ isSilent: boolean; serial?: number }> {
  const answer = await talk.soa(parseName(`${name}.`), timeoutMs)
  const isSilent = answer === 'silent'
  return typeof answer === 'number' ? { isSilent, serial: widenSerial(answer, serial) } : { isSilent }
}

/** The serials of live zones, by name. */
async function presentSerials(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; serial: number }>`
    select name, serial from zones where name = any(${[...names]}::text[]) and state = 'live'`.execute(db)
  return new Map(rows.map(({ name, serial }) => [name, serial]))
}

/** Whether each answer shows the wanted serial. Called after the answers, because a zone may have changed since it was read. */
async function areServed(
  db: Db,
  zones: readonly { readonly name: string; readonly serial: number }[],
  served: readonly { readonly serial?: number }[],
): Promise<boolean[]> {
  const present = await presentSerials(
    db,
    zones.map(({ name }) => name),
  )
  return zones.map(({ name, serial }, i) => isServing(served[i]?.serial ?? null, serial, present.get(name) ?? serial))
}

async function inspectOne({ db, catalogName }: Look, talk: NameserverTalk, endpoint: Endpoint) {
  const catalog = parseName(`${catalogName}.`)
  const soa = catalogSoaRecord(catalog, await readCatalogSerial(db))
  const notify = await talk.notify(catalog, soa, timeoutMs)
  const zones = await newestZones(db)
  const answers: Awaited<ReturnType<typeof servedSerial>>[] = []
  for (const zone of zones) answers.push(await servedSerial(talk, zone))
  const byUdp = notify !== 'silent' || answers.some(({ isSilent }) => !isSilent)
  const isServed = await areServed(db, zones, answers)
  const behind = zones.flatMap(({ name, serial }, i) =>
    isServed[i] ? [] : [{ zone: name, expected: serial, served: answers[i]?.serial }],
  )
  const byTcp =
    (await askTcp(endpoint, buildMessage(soaQuery(1, parseName(`${zones[0]?.name ?? catalogName}.`))))) !== undefined
  return { byUdp, byTcp, notify, behind, looked: zones.length }
}

/**
 * Those with the newest changes, each with its serial of half a minute ago: a change has this long to arrive, and zones that change constantly are
 * also compared. One that went live has no journal yet.
 */
async function newestZones(db: Db): Promise<{ name: string; serial: number }[]> {
  const { rows } = await sql<{ name: string; serial: number }>`
    select name, case
      when not exists (select from zone_journal j
        where j.zone_id = z.id and j.to_serial = z.serial and j.at > app_now() - interval '30 seconds') then serial
      else coalesce(
        (select to_serial from zone_journal j where j.zone_id = z.id and j.at <= app_now() - interval '30 seconds'
          order by to_serial desc limit 1),
        (select from_serial from zone_journal j where j.zone_id = z.id order by to_serial limit 1)) end as serial
    from zones z where state = 'live' and live_at <= app_now() - interval '30 seconds'
    order by z.serial desc limit ${sampleSize}`.execute(db)
  return rows
}

/** One query and one answer over TCP; undefined: no answer. */
function askTcp({ host, port }: Endpoint, query: Uint8Array): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const reader = new FrameReader()
    const socket = connect({ host, port, timeout: timeoutMs }, () => socket.write(frame(query)))
    const end = (answer: Uint8Array | undefined): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (bytes: Buffer) => {
      const [answer] = reader.feed(bytes)
      if (answer !== undefined) end(answer)
    })
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end(undefined))
  })
}
