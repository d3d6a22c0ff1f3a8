import { Badge, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { maxCommentLength } from '@zonewright/contract'
import { nameInput } from '../ui/name-input.ts'
import { hasNotes, labelsFault, type ShownNotes, soughtFirst } from '../util/notes.ts'

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

/**
 * The comment and the labels in a row of a list. With `sought`, the text that the list is filtered by, the row has room for only one label: one that
 * contains this text, if there is one. The others are counted.
 */
export function NotesLine({ of: notes, sought }: { of: ShownNotes; sought?: string }) {
  if (!hasNotes(notes)) return null
  const { comment = '', labels = [] } = notes
  const shown = sought === undefined ? labels : soughtFirst(labels, sought).slice(0, 1)
  const rest = labels.filter((label) => !shown.includes(label)).join(', ')
  return (
    <div className="notes">
      {shown.map((label) => (
        <Badge key={label} className="badge-gray" size="sm">
          {label}
        </Badge>
      ))}
      {rest !== '' && (
        <Tooltip label={rest}>
          <Badge className="badge-gray" size="sm" aria-label={rest}>
            +{labels.length - shown.length}
          </Badge>
        </Tooltip>
      )}
      {comment !== '' && (
        <Text span size="xs" className={sought === undefined ? 'quiet' : 'quiet cut'} title={comment}>
          {comment}
        </Text>
      )}
    </div>
  )
}
