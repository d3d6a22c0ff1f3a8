import type { Answer } from './call.ts'

/** Counts the bytes of each account's changes, and refuses changes beyond its daily budget. */
export interface ChangeBudget {
  /**
   * Takes bytes from the account's budget for today, before the change is made. Usually needs no database and returns undefined.
   *
   * @throws Refusal `quota_exceeded`, directly or by rejecting the promise
   */
  take(accountId: string, bytes: number): Promise<void> | undefined
  /** Corrects what was taken, once the size of the change is known. Never refuses. */
  add(accountId: string, bytes: number): void
  /** Stores what is still only in memory. */
  close(): Promise<void>
}

/** The minimum that a change takes, so that an account with no budget left is refused: a call without a body may write a lot. */
const leastBytes = 1

/** The account whose budget a change uses. */
export interface Spender {
  readonly budget: ChangeBudget
  readonly accountId: string
  readonly bodyBytes: number
}

/**
 * Carries out a change within its account's budget: takes the bytes of its body, and gives them back when it fails or changed nothing.
 *
 * The answer can report that more than the body was written, or nothing at all (`writtenBytes`).
 */
export async function withinBudget<A extends Pick<Answer, 'writtenBytes'>>(
  { budget, accountId, bodyBytes }: Spender,
  change: () => Promise<A>,
): Promise<A> {
  const taken = Math.max(bodyBytes, leastBytes)
  const taking = budget.take(accountId, taken)
  if (taking !== undefined) await taking
  let changed = 0
  try {
    const answer = await change()
    changed = answer.writtenBytes === 0 ? 0 : Math.max(bodyBytes, answer.writtenBytes ?? 0)
    return answer
  } finally {
    if (changed !== taken) budget.add(accountId, changed - taken)
  }
}
