import { maxKeptResponseBytes, type WireReplayed } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import { isLongAsJson, jsonPieces } from '#platform/json-pieces.ts'
import { type Database, type Db, sql, type Tx, withOutagesInDoubt } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { inSlices } from '#platform/work/slices.ts'
import type { Answer, Steps } from './call.ts'

const maxKeyLength = 255

/** A POST whose repeats must get the same response. */
export interface IdempotentRequest {
  readonly caller: string
  readonly key: string
  /** They identify a repeat of the same request, one for each key. The first one is stored. */
  readonly macs: readonly Buffer[]
  readonly carriesSecret: boolean
}

/**
 * What is stored of the request itself. This is not its hash alone, because bodies contain passwords and transfer codes, which could be guessed
 * from a hash.
 *
 * @throws Refusal `validation_failed` when the header is empty or longer than 255 characters.
 */
export async function idempotentRequest(
  secrets: SecretBox,
  header: string,
  request: { caller: string; method: string; url: string; body: unknown; carriesSecret: boolean },
): Promise<IdempotentRequest> {
  if (header.length === 0 || header.length > maxKeyLength) {
    const message = `An Idempotency-Key must have 1 to ${maxKeyLength} characters.`
    throw new Refusal('validation_failed', message, {
      details: [{ path: 'Idempotency-Key', code: 'invalid', message }],
    })
  }
  const told = [request.method, request.url, request.body]
  const macs = await inSlices(secrets.macsOf('idempotent request', jsonPieces(told)))
  return { caller: request.caller, key: header, macs, carriesSecret: request.carriesSecret }
}

/**
 * Does the work once: the first call's answer is stored in the same transaction, and a repeat within 24 hours gets it back. If the body was
 * over 256 KiB, the repeat gets `{replayed, version, serial}` instead.
 *
 * A repeat that comes while the first is running waits for it (the row's unique index makes it).
 */
export async function onceOnly(tx: Tx, request: IdempotentRequest, work: () => Promise<Answer>): Promise<Answer> {
  if (!(await begin(tx, request))) return repeat(tx, request)
  return keep(tx, request, await work())
}

/** Work without progress for this many seconds belonged to a process that has ended: a repeat does it again. */
const abandonedS = 60

/**
 * The same for work that uses the network, for which no transaction may wait: first it is recorded that the work is in progress, and
 * until it ends a repeat is refused with `conflict` and Retry-After. Work that fails leaves no record.
 */
export async function onceAcrossNetwork(
  database: Database,
  request: IdempotentRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!(await database.transact((tx) => begin(tx, request)))) return repeat(database.db, request)
  return withOutagesInDoubt(async () => {
    const answer = await work().catch(async (error: unknown) => {
      await forget(database.db, request)
      throw error
    })
    return keep(database.db, request, answer)
  })
}

/** Steps of a call without an Idempotency-Key, for which nothing is stored. */
export function unkeptSteps<Done>(database: Database): Steps<Done> {
  return { done: undefined, step: async (work, turn) => void (await transactIn(database, work, turn)) }
}

function transactIn<T>(database: Database, work: (tx: Tx) => Promise<T>, turn: string | undefined): Promise<T> {
  return turn === undefined ? database.transact(work) : database.transactInTurn(turn, work)
}

/**
 * The same for work that is too large for one transaction. Its progress is stored as JSON with each step, so a repeat continues after the last step
 * that was committed: at once if the work failed, or after a minute without a step if its process ended.
 */
export async function onceInSteps<Done>(
  database: Database,
  request: IdempotentRequest,
  work: (steps: Steps<Done>) => Promise<Answer>,
): Promise<Answer> {
  const begun = await database.transact((tx) => beginSteps<Done>(tx, request))
  if (begun === undefined) return repeat(database.db, request)
  let { at } = begun
  const steps: Steps<Done> = {
    done: begun.done ?? undefined,
    step: async (work, turn) => {
      at = await transactIn(
        database,
        async (tx) => {
          const done = await work(tx)
          const next = await noteDone(tx, request, at, done)
          if (next !== undefined) return next
          throw new Refusal('conflict', 'A repeat of this call has taken over. Repeat it to get its response.')
        },
        turn,
      )
    },
  }
  return withOutagesInDoubt(async () => {
    const answer = await work(steps).catch(async (error: unknown) => {
      await release(database.db, request, at)
      throw error
    })
    return keep(database.db, request, answer)
  })
}

/**
 * The progress of the work, and the time of its last step as PostgreSQL writes it. Undefined: it is complete, in progress, or belongs to another
 * request.
 */
async function beginSteps<Done>(
  tx: Tx,
  { caller, key, macs }: IdempotentRequest,
): Promise<{ done: Done | null; at: string } | undefined> {
  const { rows } = await sql<{ done: Done | null; at: string }>`
    insert into idempotency_keys as k (caller, key, request_mac) values (${caller}, ${key}, ${macs[0]})
    on conflict (caller, key) do update
      set request_mac = excluded.request_mac, status = null, created_at = app_now(),
        answer = case when k.created_at < app_now() - interval '24 hours' then null else k.answer end
      where k.created_at < app_now() - interval '24 hours'
        or (k.status is null and k.created_at < app_now() - make_interval(secs => ${abandonedS}) and k.request_mac = any(${[...macs]}))
    returning answer as done, created_at::text as at`.execute(tx)
  return rows[0]
}

/** Undefined: another process has taken over. */
async function noteDone(tx: Tx, { caller, key }: IdempotentRequest, at: string, done: unknown) {
  const { rows } = await sql<{ at: string }>`
    update idempotency_keys set answer = ${JSON.stringify(done)}::json, created_at = app_now()
    where caller = ${caller} and key = ${key} and status is null and created_at = ${at}::timestamptz
    returning created_at::text as at`.execute(tx)
  return rows[0]?.at
}

/** Work has failed, and nothing is stored. */
async function forget(db: Db, { caller, key }: IdempotentRequest): Promise<void> {
  await sql`delete from idempotency_keys where caller = ${caller} and key = ${key} and status is null`.execute(db)
}

/**
 * Work in steps has failed: a repeat does the rest, or everything if no step was committed. If it is unknown whether the last step was committed, the
 * repeat waits for a minute, as if the process had ended.
 */
async function release(db: Db, { caller, key }: IdempotentRequest, at: string): Promise<void> {
  await sql`
    delete from idempotency_keys
    where caller = ${caller} and key = ${key} and status is null and answer is null and created_at = ${at}::timestamptz`.execute(
    db,
  )
  await sql`
    update idempotency_keys set created_at = created_at - make_interval(secs => ${abandonedS + 1})
    where caller = ${caller} and key = ${key} and status is null and created_at = ${at}::timestamptz`.execute(db)
}

/** False: there is already a call with this key. */
async function begin(tx: Tx, { caller, key, macs }: IdempotentRequest): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as k (caller, key, request_mac) values (${caller}, ${key}, ${macs[0]})
    on conflict (caller, key) do update
      set request_mac = excluded.request_mac, status = null, answer = null, created_at = app_now()
      where k.created_at < app_now() - interval '24 hours'
        or (k.status is null and k.created_at < app_now() - make_interval(secs => ${abandonedS}))
    returning 1`.execute(tx)
  return rows.length > 0
}

/** A stored response up to this size does not itself count toward the daily change budget. */
const freeBytes = 4 * 1024

/** Stores an answer and returns it. If nothing was changed, a long stored answer counts toward the daily change budget. */
async function keep(db: Db, { caller, key, carriesSecret }: IdempotentRequest, answer: Answer): Promise<Answer> {
  const kept = carriesSecret ? null : JSON.stringify(keptOf(answer))
  await sql`update idempotency_keys set status = ${answer.status}, answer = ${kept}::json
    where caller = ${caller} and key = ${key} returning 1`.execute(db)
  const isCounted = answer.writtenBytes === 0 && kept !== null && kept.length > freeBytes
  return isCounted ? { ...answer, writtenBytes: kept.length } : answer
}

/** The stored form of an answer. A long body is left out: the differences of many large imports would fill the disk. */
function keptOf(answer: Answer): Answer {
  const { body } = answer
  if (!isLonger(body, maxKeptResponseBytes)) return answer
  const { version = null, serial = null } = body as Partial<WireReplayed>
  return { ...answer, body: { replayed: true, version, serial } satisfies WireReplayed }
}

/** Whether the JSON of a value has more bytes than this. If it is much longer, it is not written to find out. */
function isLonger(value: unknown, bytes: number): boolean {
  return isLongAsJson(value, bytes) || Buffer.byteLength(JSON.stringify(value) ?? '') > bytes
}

/**
 * The answer that an identical call already got; undefined if there was none. Refuses as a repeat is refused.
 *
 * Checked before anything else, so that a repeat gets this answer whatever has changed since.
 */
export async function answerOf(db: Db, { caller, key, ...request }: IdempotentRequest): Promise<Answer | undefined> {
  const { rows } = await sql`select 1 from idempotency_keys where caller = ${caller} and key = ${key}
    and created_at >= app_now() - case when status is null then make_interval(secs => ${abandonedS}) else interval '24 hours' end`.execute(
    db,
  )
  return rows.length === 0 ? undefined : repeat(db, { caller, key, ...request })
}

/** Rows that one statement deletes. Responses that an earlier version stored may have 32 MiB each; even so, a statement does not take long. */
const page = 100

/** Deletes answers that are too old for any repeat. */
export async function forgetAnswers(db: Db): Promise<void> {
  for (let gone = page; gone > 0; ) {
    const { rows } = await sql`
      delete from idempotency_keys where created_at < app_now() - interval '24 hours' and ctid = any(array(
        select ctid from idempotency_keys where created_at < app_now() - interval '24 hours' limit ${page})) returning 1`.execute(
      db,
    )
    gone = rows.length
  }
}

async function repeat(tx: Db, request: IdempotentRequest): Promise<Answer> {
  const kept = await sql<{ mac: Buffer; status: number | null; answer: Answer | null }>`
    select request_mac as mac, status, answer from idempotency_keys where caller = ${request.caller} and key = ${request.key}`.execute(
    tx,
  )
  const row = kept.rows[0]
  if (row === undefined)
    throw new Refusal('conflict', 'The first call with this Idempotency-Key did not finish. Try again.')
  if (!request.macs.some((mac) => row.mac.equals(mac)))
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new key.',
    )
  if (row.status === null)
    throw new Refusal(
      'conflict',
      'The first call with this Idempotency-Key is still in progress. Try again in a moment.',
      {
        headers: { 'retry-after': '5' },
      },
    )
  if (row.answer === null)
    throw new Refusal(
      'idempotency_replayed',
      'This was already done. Its response contained a secret, which is not stored. List the existing objects instead.',
    )
  return { ...row.answer, writtenBytes: 0 }
}
