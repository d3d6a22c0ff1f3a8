import { Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { AuthFrame } from '../components/auth-frame.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

/** Where the link of the confirmation mail ends. */
export function ConfirmedPage() {
  const { error } = useSearch({ from: '/confirmed' })
  if (error !== undefined)
    return (
      <AuthFrame title="This link does not work any more">
        <Stack>
          <Text>
            It was used already, or is older than 24 hours. Sign in: you are offered a new mail where one is needed.
          </Text>
          <ButtonLink {...paths.signIn()}>Sign in</ButtonLink>
        </Stack>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Your address is confirmed">
      <Stack>
        <Text>You are signed in. Begin with a zone, and turn on two-factor authentication to make API keys.</Text>
        <ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>
      </Stack>
    </AuthFrame>
  )
}
