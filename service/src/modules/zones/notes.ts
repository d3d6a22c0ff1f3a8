import { maxLabels, type Notes } from '@zonewright/contract'

/** The comment and labels of a zone or an rrset after a request: what the request does not send stays. */
export function notesAfter(before: Notes | undefined, sent: Notes) {
  const labels = sent.labels === undefined ? before?.labels : sent.labels
  return {
    comment: (sent.comment === undefined ? before?.comment : sent.comment) || null,
    labels: labels != null && labels.length > 0 ? [...new Set(labels)] : null,
  }
}

/** Whether both have the same comment and labels. */
export function areSameNotes(one: Notes | undefined, other: Notes): boolean {
  const labelsOf = (notes: Notes | undefined): string => (notes?.labels ?? []).join()
  return (one?.comment ?? null) === (other.comment ?? null) && labelsOf(one) === labelsOf(other)
}

/** Labels after some are added and others removed; `too_many`: they would be more than a zone can have. */
export function labelsAfter(
  before: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] | 'too_many' {
  const after = [...new Set([...before.filter((label) => !remove.includes(label)), ...add])]
  return after.length > maxLabels ? 'too_many' : after
}
