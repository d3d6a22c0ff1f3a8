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
      <Alert color="gray" variant="light" role="alert" title="Nothing to apply">
        The zone has changed since and already matches your change.
      </Alert>
    )
  return (
    <Alert color="orange" variant="light" role="alert" title="Someone else has changed this zone">
      Nothing was applied. This is what it would do to the zone as it is now.
    </Alert>
  )
}
