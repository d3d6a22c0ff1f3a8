import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { changesText } from '../util/edits.ts'
import { useEdits } from './use-edits.ts'
import { useLeaveZone } from './use-leave-zone.ts'

/** Above a zone that this person can no longer open. The page stays as it is, so what was typed can be copied. */
export function AccessLost({ zone, id }: { zone: string; id: string }) {
  const [edits] = useEdits(id)
  const leave = useLeaveZone(zone, id)
  return (
    <Alert color="red" variant="light" role="alert" title="You no longer have access to this zone">
      <Stack gap="xs">
        <Text size="sm">
          Its owner deleted it or removed you as a manager. What you typed here cannot be saved. It stays on this page
          until you leave, so that you can copy it.
        </Text>
        <Group>
          <Button size="xs" variant="default" onClick={() => void leave()}>
            {edits.size === 0 ? 'Go to your zones' : `Discard ${changesText(edits.size)} and go to your zones`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
