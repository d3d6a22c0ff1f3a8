import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { sessionLost } from '../api/session.ts'
import { SignInForm } from '../forms/sign-in-form.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** The session has ended in the middle of something: the person signs in over the page, and nothing typed is lost. */
export function SessionLostDialog() {
  const [isLost, setLost] = useState(false)
  const { data: account } = useQuery({ ...queries.account(), enabled: !isLost })
  useEffect(() => sessionLost.listen(() => setLost(true)), [])
  if (!isLost) return null
  return (
    <Dialog title="Sign in again">
      <Stack>
        <Text size="sm">Your session has ended. Sign in, and go on where you were: what you typed is still here.</Text>
        <SignInForm
          {...(account && { email: account.email })}
          onSignedIn={() => {
            setLost(false)
            void queryClient.invalidateQueries()
          }}
        />
      </Stack>
    </Dialog>
  )
}
