import { Alert } from '@mantine/core'

/** Says that the zone has changed, and that the page now shows what the change would do now, which may be nothing. See `usePreviewed`. */
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
