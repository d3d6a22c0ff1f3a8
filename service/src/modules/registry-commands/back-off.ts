import type { RecordedCommand } from './command.ts'

/** Seconds until the next step. */
export const waits = {
  /** After a fault of our own account, which a person must correct. */
  fault: 300,
  /** Until the registry is queried about a command that it has accepted and decides later. */
  pending: 600,
}

/** Seconds to wait after a command that could not be sent. Doubled each time, because each attempt is recorded. */
const notSent = {
  order: { first: 5, longest: 300 },
  change: { first: 15, longest: 3_600 },
}

/** Seconds until a command that could not be sent is retried. `commands`: the earlier commands. */
export function backOffS(owner: keyof typeof notSent, commands: readonly Pick<RecordedCommand, 'state'>[]): number {
  const misses = commands.filter(({ state }) => state === 'not_done').length
  const { first, longest } = notSent[owner]
  return Math.min(first * 2 ** misses, longest)
}
