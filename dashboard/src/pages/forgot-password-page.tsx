import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const request = useMutation({ mutationFn: () => auth.requestReset(email.trim()) })
  const back = <TextLink {...paths.signIn()}>Back to sign-in</TextLink>
  if (request.isSuccess)
    return (
      <AuthFrame title="Check your email" foot={back}>
        <Text>
          If <b>{email}</b> has an account, we have sent an email with a link. The link is valid for one hour.
        </Text>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Reset your password" lead="We will email you a link to set a new password." foot={back}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          request.mutate()
        }}
      >
        <Stack>
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Failure error={request.error} />
          <Button type="submit" loading={request.isPending} fullWidth>
            Send the link
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  )
}
