import { setTimeout as delay } from 'node:timers/promises'
import { type Statement, sql } from './sql.ts'

/** How long a poll waits for polls of other parts, which happen at about the same time. */
const companyMs = 15

/** A boolean expression. If it has a parameter that changes, a function that builds it from the current value, always with the same text. */
export type Question = Statement | (() => Statement)

/** The value of each expression in an SQL array. */
type Ask = (expressions: Statement) => Promise<(boolean | null)[]>

/**
 * Checks for all parts of a process in one statement whether work is due. An installation has many queues, most of them empty. Without this, it would
 * query each of them every second.
 *
 * The statement always contains all conditions, whichever part polls, so that there is only one plan. A condition must be answered from the end of an
 * index, however long its queue is. Use `(select min(due_at) from …) <= app_now()`, and not `exists (… where due_at <= …)`, for which the planner
 * reads the table if it expects most rows to be due.
 */
export class DuePolls {
  readonly #ask: Ask
  readonly #questions: Question[] = []
  #answers: ReturnType<Ask> | undefined

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Adds a condition, and returns a function that checks it. */
  add(question: Question): () => Promise<boolean> {
    const place = this.#questions.push(question) - 1
    return async () => (await this.#poll())[place] === true
  }

  #poll(): ReturnType<Ask> {
    this.#answers ??= delay(companyMs).then(() => {
      this.#answers = undefined
      const questions = this.#questions.map((question) => (typeof question === 'function' ? question() : question))
      return this.#ask(sql`array[${sql.join(questions)}]`)
    })
    return this.#answers
  }
}
