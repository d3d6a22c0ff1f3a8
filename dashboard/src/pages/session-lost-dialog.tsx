import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionLost } from '../api/session.ts'
import { SignInForm } from '../forms/sign-in-form.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

/**
 * The session has ended: the person signs in over the page, and no input is lost. If the account can be read again, the person has signed in in
 * another tab, and the dialog closes.
 */
export function SessionLostDialog() {
  const [lostAt, setLostAt] = useState<number>()
  const isLost = lostAt !== undefined
  const { data: account, dataUpdatedAt: readAt } = useQuery({ ...queries.account(), enabled: !isLost })
  const { href } = useLocation()
  useEffect(() => sessionLost.listen(() => setLostAt((before) => before ?? Date.now())), [])
  const isBack = isLost && readAt > lostAt
  useEffect(() => {
    if (isBack) goOn(setLostAt)
  }, [isBack])
  if (!isLost) return null
  return (
    <Dialog title="Sign in again">
      <Stack>
        <Text size="sm">Your session has ended. Sign in to continue. What you typed is still here.</Text>
        <SignInForm {...(account && { email: account.email })} onSignedIn={() => goOn(setLostAt)} />
        <Text size="sm" ta="center">
          <TextLink {...paths.signIn(href)}>Sign in with another account</TextLink> ·{' '}
          <TextLink {...paths.forgotPassword()}>Forgot password?</TextLink>
        </Text>
      </Stack>
    </Dialog>
  )
}

function goOn(setLostAt: (at: undefined) => void): void {
  setLostAt(undefined)
  void queryClient.invalidateQueries()
}
