import { Alert, Group, Stack, Text } from '@mantine/core'
import { ButtonLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

/** Replaces a form that requires a code, if the account has no two-factor authentication yet. */
export function NeedsTwoFactor({ what }: { what: string }) {
  return (
    <Alert color="orange" variant="light" title="Turn on two-factor authentication first">
      <Stack gap="xs">
        <Text size="sm">{what} asks for a code of your authenticator.</Text>
        <Group>
          <ButtonLink size="xs" {...paths.account()}>
            Turn it on
          </ButtonLink>
        </Group>
      </Stack>
    </Alert>
  )
}
