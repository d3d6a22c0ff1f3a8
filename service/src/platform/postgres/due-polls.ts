import { setTimeout as delay } from 'node:timers/promises'
import { type Statement, sql } from './sql.ts'

/** How long a poll waits for those of other parts, which come at about the same time. */
const companyMs = 15

/** A boolean expression; where it has a parameter that changes, what makes it of the present one, always with the same text. */
export type Question = Statement | (() => Statement)

/** What each of the expressions in an SQL array is. */
type Ask = (expressions: Statement) => Promise<(boolean | null)[]>

/**
 * "Is there anything to do?", asked by all parts of a process in one statement: an installation has many queues, most of them
 * empty, and would otherwise ask PostgreSQL about each of them every second.
 *
 * Every question is in the statement, whoever asks, so that there is one plan to keep. A question must be answered from the end
 * of an index, however long its queue is: `(select min(due_at) from …) <= app_now()`, not `exists (… where due_at <= …)`,
 * which the planner answers by reading the table when it takes most rows for due.
 */
export class DuePolls {
  readonly #ask: Ask
  readonly #questions: Question[] = []
  #answers: ReturnType<Ask> | undefined

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Takes a question; what is returned asks it. */
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
