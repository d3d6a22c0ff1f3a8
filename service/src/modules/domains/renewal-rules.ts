/** How many days ahead an owner hears that a domain expires, and an auto-renewal is tried (design: orders). 0: that it has expired. */
export const noticeDays: readonly number[] = [30, 14, 7, 1, 0]

/**
 * The notice that is due, as its days; undefined: none. `noticed` are those of the last one about this very expiry.
 *
 * A notice whose time was slept through is not made up for: the next one tells the same.
 */
export function dueNotice(daysLeft: number, noticed: number | null): number | undefined {
  const due = noticeDays.filter((days) => Math.max(daysLeft, 0) <= days).at(-1)
  return due !== undefined && (noticed === null || noticed > due) ? due : undefined
}
