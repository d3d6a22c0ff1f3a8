/** The days before the expiry on which an owner gets a notice and an auto-renewal is attempted (design: orders). 0: after the expiry. */
export const noticeDays: readonly number[] = [30, 14, 7, 1, 0]

/**
 * The notice that is due, as its number of days; undefined: none. `noticed`: the days of the last notice about this expiry.
 *
 * A notice that was missed is not sent later, because the next one has the same content.
 */
export function dueNotice(daysLeft: number, noticed: number | null): number | undefined {
  const due = noticeDays.filter((days) => Math.max(daysLeft, 0) <= days).at(-1)
  return due !== undefined && (noticed === null || noticed > due) ? due : undefined
}
