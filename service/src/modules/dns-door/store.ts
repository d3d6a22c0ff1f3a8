import { type DomainName, labelsOf, parentOf } from '@zonewright/dns'
import { servedRrsets } from '#modules/alias/index.ts'
import type { StoredRrset } from '#modules/records/index.ts'
import { relativeToRoot } from '#modules/zones/index.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'

/** A live zone, as unsigned queries see it. */
export interface HostedZone {
  readonly id: string
  readonly name: string
  readonly serial: number
  /** Of customers' own secondaries, in its NS records. */
  readonly secondaryNames: readonly string[] | null
}

/** The live zones at or above these names, the nearest of each, in their order. Undefined: there is none. */
export async function findZonesAbove(db: Db, names: readonly DomainName[]): Promise<(HostedZone | undefined)[]> {
  const asked = names.map((name, n) => ({ n, names: namesUpFrom(name) }))
  const { rows } = await sql<{ n: number } & HostedZone>`
    select asked.n, z.id, z.name, z.serial, z.secondary_names as "secondaryNames" from ${askedNames(asked)}
    cross join lateral (
      select id, name, serial, secondary_names from zones where name = any(asked.names) and state = 'live' order by length(name) desc limit 1
    ) z`.execute(db)
  const zones: (HostedZone | undefined)[] = names.map(() => undefined)
  for (const { n, ...zone } of rows) zones[n] = zone
  return zones
}

const askedNames = sql.recordset('asked', 'n int, names text[]')

/** A name and those above it, without the root. */
function namesUpFrom(name: DomainName): string[] {
  const names: string[] = []
  for (let at = name, left = labelsOf(name).length; left > 0; at = parentOf(at), left--) names.push(relativeToRoot(at))
  return names
}

/**
 * The rrsets of a zone that decide the answers about a name: those at the name, at the names above it and at their wildcards, and one below
 * each of these names, which shows that the name exists.
 */
export async function readAround(db: Db, zone: HostedZone, names: readonly DomainName[]): Promise<StoredRrset[]> {
  const up = [...new Set(names.flatMap(namesUpFrom))].filter((name) => name.length >= zone.name.length)
  const at = [...up, ...up.map((name) => `*.${name}`)]
  const below = up.filter((name) => name !== zone.name)
  const served = servedRrsets(sql`${zone.id}::uuid`)
  // `union` removes the repeats: the same rrset may be below several names.
  const { rows } = await sql<StoredRrset>`
    select name, type, ttl, records from ${served} present where name = any(${at}::text[])
    union
    select r.* from (
      -- A name with an rrset needs no proof from below.
      select up from unnest(${below}::text[]) up
      where not exists (select from zone_rrsets where zone_id = ${zone.id} and name = up and type <> 'ALIAS') offset 0
    ) missing cross join lateral (
      select name, type, ttl, records from ${served} beneath
      where right(name, length(up) + 1) = '.' || up and name <> all(${at}::text[]) limit 1
    ) r`.execute(db)
  return rows
}

/** The answer to a signed update. */
export interface StoredAnswer {
  readonly key_id: string
  /** In hexadecimal. */
  readonly mac: string
  readonly rcode: number
  readonly message: string | null
}

/** Stores answers. Fails with a unique violation if one of the messages was answered before. */
export function insertAnswers(answers: readonly unknown[]): Statement {
  return sql`
    insert into update_answers (key_id, mac, rcode, message)
    select key_id, decode(mac, 'hex'), rcode, message from ${givenAnswers(answers as StoredAnswer[])} returning rcode`
}

/** Stores the answer to an update that changes nothing. */
export async function storeAnswer(db: Db, answer: StoredAnswer): Promise<void> {
  await sql`
    insert into update_answers (key_id, mac, rcode, message)
    select key_id, decode(mac, 'hex'), rcode, message from ${givenAnswers([answer])} on conflict do nothing`.execute(db)
}

/** The answer to a message that was answered before. */
export async function readAnswer(db: Db, keyId: string, mac: string): Promise<Pick<StoredAnswer, 'rcode' | 'message'>> {
  const { rows } = await sql<StoredAnswer>`
    select rcode, message from update_answers where key_id = ${keyId} and mac = decode(${mac}, 'hex')`.execute(db)
  const [answer] = rows
  if (answer === undefined) throw new Error('the answer to a repeated message is gone')
  return answer
}

const givenAnswers = sql.recordset('given', 'key_id text, mac text, rcode smallint, message text')

/** How long an answer is kept: twice as long as clocks may be apart, which is how long a message can be repeated. */
const keptMinutes = 10

/** Maximum number of answers that one statement deletes. */
const forgotten = 10_000

export async function forgetAnswers(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from update_answers where ctid = any(array(
        select ctid from update_answers where at < app_now() - make_interval(mins => ${keptMinutes}) limit ${forgotten}))
      returning 1`.execute(db)
    if (rows.length < forgotten) return
  }
}
