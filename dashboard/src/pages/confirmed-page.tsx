import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { queries } from '../api/queries.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { Waiting } from '../ui/feedback.tsx'
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
      <WhatNext />
    </AuthFrame>
  )
}

/** Whoever opens the link where nobody is signed in, on a phone perhaps, signs in first. */
function WhatNext() {
  const account = useQuery(queries.account())
  if (account.isPending) return <Waiting />
  return account.data ? (
    <Stack>
      <Text>You are signed in. Begin with a zone, and turn on two-factor authentication to make API keys.</Text>
      <ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>
    </Stack>
  ) : (
    <Stack>
      <Text>Sign in, and begin with a zone.</Text>
      <ButtonLink {...paths.signIn()}>Sign in</ButtonLink>
    </Stack>
  )
}
