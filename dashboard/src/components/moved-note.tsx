import { Alert } from '@mantine/core'

/** The zone is no longer what was shown; what is shown now is what would happen now: perhaps nothing. As `usePreviewed` has it. */
export function MovedNote({
  of: { hasMoved, seen },
}: {
  of: { hasMoved: boolean; seen: { diff: { changes: readonly unknown[] } } | undefined }
}) {
  if (!hasMoved || seen === undefined) return null
  if (seen.diff.changes.length === 0)
    return (
      <Alert color="gray" variant="light" role="alert" title="It is so already">
        The zone has changed meanwhile, to what you want: nothing is left to apply.
      </Alert>
    )
  return (
    <Alert color="orange" variant="light" role="alert" title="Somebody else has changed this zone meanwhile">
      Nothing was applied. This is what it would do to the zone as it is now.
    </Alert>
  )
}
