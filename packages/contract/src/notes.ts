import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { labelForm, maxCommentLength, maxLabels } from './limits.ts'

const comment = chosenText
  .max(maxCommentLength)
  .meta({ description: 'A comment for people. DNS does not use it.', example: 'Ask Ada before you change this.' })
export const label = z.string().regex(labelForm, 'A label has 1 to 32 characters: a–z, 0–9, `.`, `_` and `-`.')
const labels = z
  .array(label)
  .max(maxLabels)
  .meta({ description: 'Labels for people and programs. DNS does not use them.', example: ['shop'] })

/** The comment and labels of an object in a response. It has a field only if there is something to show. */
export const notesShown = { comment: comment.optional(), labels: labels.optional() }

/** The comment and labels in a request. If a field is absent, the stored value stays; null removes the value. */
export const notesSent = {
  comment: comment
    .nullable()
    .optional()
    .meta({ description: 'A comment for people. If you omit it, the comment stays. Null removes the comment.' }),
  labels: labels
    .nullable()
    .optional()
    .meta({ description: 'The labels. If you omit them, the labels do not change. Null removes all labels.' }),
}

/** The comment and labels of an object in the code's form. Null: it has none. */
export interface Notes {
  readonly comment?: string | null | undefined
  readonly labels?: readonly string[] | null | undefined
}

export function notesToWire({ comment, labels }: Notes): { comment?: string; labels?: string[] } {
  return {
    ...(comment != null && comment !== '' && { comment }),
    ...(labels != null && labels.length > 0 && { labels: [...labels] }),
  }
}
