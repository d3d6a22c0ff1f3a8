import type { Notes } from '@zonewright/contract'

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
