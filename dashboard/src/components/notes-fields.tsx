import { Badge, Group, Text, TextInput } from '@mantine/core'
import { maxCommentLength } from '@zonewright/contract'
import { nameInput } from '../ui/name-input.ts'
import { hasNotes, labelsFault, type ShownNotes } from '../util/notes.ts'

/** Fields for the comment and the labels of a zone or a record set. */
export function NotesFields({
  comment,
  labels,
  onComment,
  onLabels,
}: {
  comment: string
  /** As they are typed: separated by spaces or commas. */
  labels: string
  onComment: (comment: string) => void
  onLabels: (labels: string) => void
}) {
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        label="Comment"
        description="For people. The DNS does not publish it."
        value={comment}
        maxLength={maxCommentLength}
        autoComplete="off"
        flex="2 1 260px"
        onChange={(event) => onComment(event.currentTarget.value)}
      />
      <TextInput
        label="Labels"
        description="Separated by spaces, for example: shop eu"
        value={labels}
        error={labelsFault(labels)}
        {...nameInput}
        flex="1 1 200px"
        onChange={(event) => onLabels(event.currentTarget.value)}
      />
    </Group>
  )
}

/** The comment and the labels in a row of a list. */
export function NotesLine({ of: notes }: { of: ShownNotes }) {
  if (!hasNotes(notes)) return null
  const { comment = '', labels = [] } = notes
  return (
    <div className="notes">
      {labels.map((label) => (
        <Badge key={label} className="badge-gray" size="sm">
          {label}
        </Badge>
      ))}
      {comment !== '' && (
        <Text span size="xs" className="quiet" title={comment}>
          {comment}
        </Text>
      )}
    </div>
  )
}
