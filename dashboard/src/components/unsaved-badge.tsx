import { Badge, Tooltip } from '@mantine/core'
import { unsavedText } from '../util/edits.ts'

/** Marks a zone whose records have unsaved edits, in this tab or in another one. */
export function UnsavedBadge({ here, elsewhere }: { here: number; elsewhere: number }) {
  const says = [
    ...(here > 0 ? [unsavedText(here)] : []),
    ...(elsewhere > 0 ? [`${unsavedText(elsewhere)} in another tab`] : []),
  ].join(', ')
  if (says === '') return null
  return (
    <Tooltip label={says}>
      <Badge className="badge-orange" size="sm" aria-label={says}>
        {(here + elsewhere).toLocaleString('en')} unsaved
      </Badge>
    </Tooltip>
  )
}
