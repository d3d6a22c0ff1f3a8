import { type Command, EppFault, type Response } from '@zonewright/epp'
import type { Outcome, Reading } from '#ports/registry.ts'
import { ConnectionLost } from './connection.ts'
import { outcomeOf } from './outcome.ts'
import { replyOf } from './reply.ts'
import { LoginRefused } from './session.ts'
import { type CommandFor, NoSession, newTrid, type SessionPool } from './session-pool.ts'

/** Sends a command that changes something, and returns its outcome; `read` extracts its value from the response. */
export async function transform<T>(
  pool: SessionPool,
  commandFor: CommandFor,
  read: (response: Response) => T,
): Promise<Outcome<T>> {
  try {
    const response = await pool.send(commandFor)
    return outcomeOf(replyOf(response), () => read(response))
  } catch (error) {
    if (error instanceof ConnectionLost) return { kind: 'unknown', why: error.message, reply: null }
    if (error instanceof NoSession) return { kind: 'not_sent', why: error.message }
    if (error instanceof LoginRefused) return { kind: 'fault', fault: 'login', reply: error.reply }
    // The schemas do not allow it, so the registry would refuse it too.
    if (error instanceof EppFault) return { kind: 'refused', reply: { code: 2005, message: error.message, svTrid: '' } }
    throw error
  }
}

/** Sends a query command, which changes nothing. The id of its transaction is not stored. */
export async function ask<T>(
  pool: SessionPool,
  questionFor: (speaks: (namespace: string) => boolean, clTrid: string) => Command,
  read: (response: Response) => T,
): Promise<Reading<T>> {
  const clTrid = newTrid()
  const outcome = await transform(pool, (speaks) => questionFor(speaks, clTrid), read)
  if (outcome.kind !== 'pending') return outcome
  return { kind: 'unknown', why: 'The registry answered a query as if it were a change.', reply: outcome.reply }
}

/** A required part of a response. Throws if it is missing. */
export function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`it lacks ${what}`)
  return value
}

export function nothing(): null {
  return null
}
