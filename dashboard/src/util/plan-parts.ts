/** The change that a plan makes to all of its zones. */
export type PlanWish =
  | { readonly replace: { readonly type: string; readonly from: string; readonly to: string } }
  | { readonly preset: { readonly id: string; readonly parameters: Record<string, string> } }

/** The part of a planned zone that decides what can be done with it. */
export interface PlannedState {
  readonly diff: { readonly changes: readonly unknown[] }
  readonly errors: readonly unknown[]
}

/** The outcome of a zone. */
export type PlanStatus = 'applied' | 'unchanged' | 'refused' | 'stale'

/** Whether a plan changes the zone. */
export function isChanging({ diff, errors }: PlannedState): boolean {
  return errors.length === 0 && diff.changes.length > 0
}

/** Splits items into parts of at most this many. */
export function inParts<T>(items: readonly T[], most: number): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < items.length; i += most) parts.push(items.slice(i, i + most))
  return parts
}

/** The number of zones, in words. */
export function zonesText(count: number): string {
  return count === 1 ? '1 zone' : `${count.toLocaleString('en')} zones`
}

/** The outcome of a plan in a sentence. */
export function outcomeText(statuses: readonly PlanStatus[]): string {
  const count = (wanted: PlanStatus): number => statuses.filter((status) => status === wanted).length
  const [applied, unchanged, stale, refused] = [count('applied'), count('unchanged'), count('stale'), count('refused')]
  return [
    `${zonesText(applied)} changed.`,
    ...(unchanged > 0 ? [`${zonesText(unchanged)} already had these records.`] : []),
    ...(stale > 0
      ? [
          `${zonesText(stale)} had changed since the review and ${stale === 1 ? 'was' : 'were'} left as ${stale === 1 ? 'it is' : 'they are'}.`,
        ]
      : []),
    ...(refused > 0 ? [`${zonesText(refused)} could not be changed.`] : []),
  ].join(' ')
}
