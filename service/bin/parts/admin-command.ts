import { parseArgs } from 'node:util'
import { displayData, displayFault } from '@zonewright/contract'
import type { Platform } from '#compose/platform.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'

/** One operator command. It runs in one transaction, under the operator's name in the audit log. */
export interface Command {
  readonly usage: string
  readonly summary: string
  run(tx: Tx, actor: Actor, args: readonly string[], platform: Platform): Promise<object>
}

/** The result of a command as JSON, for a terminal: control, bidirectional and invisible characters are escaped. */
export function printed(result: object): string {
  return `${JSON.stringify(displayData(result), undefined, 2)}\n`
}

/** Joins an operator's words into one text for others to read. `what` names the argument in the refusal. */
export function chosenWords(what: string, words: readonly string[]): string {
  const text = words.join(' ')
  const fault = displayFault(text)
  if (fault !== undefined) throw new Refusal('validation_failed', `${what}: ${fault}`)
  return text
}

/** A list's `--minutes N`; 10 when left out. */
export function minutesOf(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { minutes: { type: 'string', default: '10' } } })
  if (!/^\d{1,7}$/.test(values.minutes))
    throw new Refusal('validation_failed', `--minutes must be a whole number, not ${JSON.stringify(values.minutes)}.`)
  return Number(values.minutes)
}

/** The decision that a registry has reported to an operator: `done` or `refused`, and why. */
export function decisionOf([what, ...reason]: readonly string[]): {
  readonly isDone: boolean
  readonly reason: string
} {
  if (what !== 'done' && what !== 'refused')
    throw new Refusal('validation_failed', `The outcome must be done or refused, not ${JSON.stringify(what ?? '')}.`)
  if (reason.length === 0)
    throw new Refusal('validation_failed', 'Give a reason. The customer or the readers of the audit log see it.')
  return { isDone: what === 'done', reason: chosenWords('REASON', reason) }
}

/** A whole number from 1 to `most`. `what` names the argument in the refusal. */
export function wholeOf(what: string, text: string, most = 1_000_000_000_000): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new Refusal(
      'validation_failed',
      `${what} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`,
    )
  return number
}
