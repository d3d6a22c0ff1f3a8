import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { Failure } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PasswordField } from '../ui/secret-fields.tsx'
import { passwordFault } from '../util/password.ts'
import { paths } from '../util/paths.ts'

export function ResetPasswordPage() {
  const { token, error } = useSearch({ from: '/reset-password' })
  const [newPassword, setPassword] = useState('')
  const reset = useMutation({ mutationFn: () => auth.resetPassword({ newPassword, token: token ?? '' }) })
  if (token === undefined || error !== undefined)
    return (
      <AuthFrame title="This link is no longer valid">
        <Stack>
          <Text>It was already used, or is older than an hour.</Text>
          <ButtonLink {...paths.forgotPassword()}>Request a new one</ButtonLink>
        </Stack>
      </AuthFrame>
    )
  if (reset.isSuccess)
    return (
      <AuthFrame title="The password is set">
        <Stack>
          <Text>All sessions of the account were ended. Sign in with the new password.</Text>
          <ButtonLink {...paths.signIn()}>Sign in</ButtonLink>
        </Stack>
      </AuthFrame>
    )
  const fault = newPassword === '' ? undefined : passwordFault(newPassword)
  return (
    <AuthFrame title="Set a new password">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (passwordFault(newPassword) === undefined) reset.mutate()
        }}
      >
        <Stack>
          <PasswordField label="New password" isNew value={newPassword} error={fault} onChange={setPassword} />
          <Failure error={reset.error} />
          <Button type="submit" loading={reset.isPending} disabled={fault !== undefined} fullWidth>
            Set the password
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  )
}
