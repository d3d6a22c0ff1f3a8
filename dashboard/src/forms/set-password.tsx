import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { auth } from '../api/auth.ts'
import { Failure } from '../ui/feedback.tsx'

/** For an account that a sign-in provider has created: emails a link to set a password. */
export function SetPassword({ email, onCancel }: { email: string; onCancel?: (() => void) | undefined }) {
  const request = useMutation({ mutationFn: () => auth.requestReset(email) })
  if (request.isSuccess)
    return (
      <Alert title={`Check the inbox of ${email}`}>
        Open the link in our email within an hour, and set the password. Then sign in again.
      </Alert>
    )
  return (
    <Stack gap="sm" maw={420}>
      <Text size="sm">
        Your account has no password yet. We email you a link to set one. Setting it ends all your sessions.
      </Text>
      <Failure error={request.error} />
      <Group>
        <Button loading={request.isPending} onClick={() => request.mutate()}>
          Email me the link
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </Stack>
  )
}
