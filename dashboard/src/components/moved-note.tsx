import { Alert } from '@mantine/core'

/** The zone is no longer what was shown; what is shown now is what would happen now. */
export function MovedNote() {
  return (
    <Alert color="orange" variant="light" role="alert" title="Somebody else has changed this zone meanwhile">
      Nothing was applied. This is what it would do to the zone as it is now.
    </Alert>
  )
}
