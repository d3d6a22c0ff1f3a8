import { labelForm, maxLabels } from '@zonewright/contract'

/** The comment and the labels of a zone or a record set, as the API shows them. */
export interface ShownNotes {
  readonly comment?: string | undefined
  readonly labels?: readonly string[] | undefined
}

/** The comment and the labels that a person wants. Null: none. */
export interface WantedNotes {
  readonly comment: string | null
  readonly labels: readonly string[] | null
}

/** The labels in a text: separated by spaces or commas, each once. */
export function labelsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((label) => label !== ''),
    ),
  ]
}

/** Why a text does not contain valid labels; undefined: it does. */
export function labelsFault(text: string): string | undefined {
  const labels = labelsIn(text)
  const wrong = labels.find((label) => !labelForm.test(label))
  if (wrong !== undefined)
    return `${wrong} is not a label. Use up to 32 letters a–z, digits, dots, hyphens and underscores.`
  return labels.length > maxLabels ? `There can be at most ${maxLabels} labels.` : undefined
}

/** What a person has typed, if it differs from what is there; undefined: nothing has changed. */
export function wantedNotes(before: ShownNotes, comment: string, labelsText: string): WantedNotes | undefined {
  const labels = labelsIn(labelsText)
  const wanted = { comment: comment.trim() === '' ? null : comment.trim(), labels: labels.length === 0 ? null : labels }
  const isSame = wanted.comment === (before.comment ?? null) && labels.join() === (before.labels ?? []).join()
  return isSame ? undefined : wanted
}

/** Wanted notes, in the form of notes that are there. */
export function shownNotes({ comment, labels }: WantedNotes): ShownNotes {
  return { comment: comment ?? undefined, labels: labels ?? undefined }
}

export function hasNotes({ comment, labels }: ShownNotes): boolean {
  return (comment ?? '') !== '' || (labels ?? []).length > 0
}

/** Labels, with those that contain a text in lower case before the others. */
export function soughtFirst(labels: readonly string[], text: string): readonly string[] {
  return labels.toSorted((a, b) => Number(b.includes(text)) - Number(a.includes(text)))
}

/** Whether the comment or a label contains a text in lower case. */
export function notesContain({ comment = '', labels = [] }: ShownNotes, text: string): boolean {
  return comment.toLowerCase().includes(text) || labels.some((label) => label.includes(text))
}
