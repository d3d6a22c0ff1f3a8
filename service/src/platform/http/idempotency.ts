import { createHash } from 'node:crypto'
import { sql, type Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import type { Answer } from './call.ts'

const maxKeyLength = 255

/** A POST that wants a repeat of itself to be answered as it was. */
export interface IdempotentRequest {
  readonly caller: string
  readonly key: string
  readonly sha256: Buffer
  readonly carriesSecret: boolean
}

/** @throws Refusal `validation_failed` when the header is empty or longer than 255 characters. */
export function idempotentRequest(
  header: string,
  request: { caller: string; method: string; url: string; body: unknown; carriesSecret: boolean },
): IdempotentRequest {
  if (header.length === 0 || header.length > maxKeyLength) {
    const message = `An Idempotency-Key has 1 to ${maxKeyLength} characters.`
    throw new Refusal('validation_failed', message, {
      details: [{ path: 'Idempotency-Key', code: 'invalid', message }],
    })
  }
  const sha256 = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body]))
    .digest()
  return { caller: request.caller, key: header, sha256, carriesSecret: request.carriesSecret }
}

/**
 * Does the work once: the first call's answer is kept with the work's own writes, a repeat within 24 hours gets it back.
 *
 * A repeat that comes while the first is running waits for it (the row's unique index makes it).
 */
export async function onceOnly(tx: Tx, request: IdempotentRequest, work: () => Promise<Answer>): Promise<Answer> {
  const mine = await sql<{ fresh: boolean }>`
    insert into idempotency_keys as k (caller, key, request_sha256) values (${request.caller}, ${request.key}, ${request.sha256})
    on conflict (caller, key) do update
      set request_sha256 = excluded.request_sha256, status = null, answer = null, created_at = app_now()
      where k.created_at < app_now() - interval '24 hours'
    returning true as fresh`.execute(tx)
  if (mine.rows.length === 0) return repeat(tx, request)
  const answer = await work()
  const kept = request.carriesSecret ? null : JSON.stringify(answer)
  await sql`update idempotency_keys set status = ${answer.status}, answer = ${kept}::json
    where caller = ${request.caller} and key = ${request.key} returning 1`.execute(tx)
  return answer
}

async function repeat(tx: Tx, request: IdempotentRequest): Promise<Answer> {
  const kept = await sql<{ sha256: Buffer; answer: Answer | null }>`
    select request_sha256 as sha256, answer from idempotency_keys where caller = ${request.caller} and key = ${request.key}`.execute(
    tx,
  )
  const row = kept.rows[0]
  if (row === undefined)
    throw new Refusal('conflict', 'The first call with this Idempotency-Key did not finish. Try again.')
  if (!row.sha256.equals(request.sha256))
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request within 24 hours. Use a new one.',
    )
  if (row.answer === null)
    throw new Refusal(
      'idempotency_replayed',
      'This was done already, and its answer carried a secret, which is not stored. List what exists.',
    )
  return row.answer
}
