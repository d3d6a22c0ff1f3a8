import { type Answer, createAnswer } from '../responder/answer.ts'
import type { Tables } from '../tables/tables.ts'
import { keptLog } from './kept-log.ts'

/** Answers queries from tables, and fails if that writes to the log. */
export function answerFrom(tables: Tables): Answer {
  const log = keptLog()
  const answer = createAnswer({ segments: tables.segments, log, doors: { udp: 1, tcp: 2 } })
  return (...args) => {
    const response = answer(...args)
    if (log.lines.length > 0) throw new Error(`The log has lines: ${JSON.stringify(log.lines)}`)
    return response
  }
}
