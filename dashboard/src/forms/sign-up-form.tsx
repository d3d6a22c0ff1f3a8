import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { Failure } from '../ui/feedback.tsx'

/** The address to which a link is sent. Name and password are chosen on the page of the link. */
export function SignUpForm({
  suggested = '',
  onSignedUp,
}: {
  /** Filled in, and can be changed. */
  suggested?: string | undefined
  onSignedUp: (email: string) => void
}) {
  const [email, setEmail] = useState(suggested)
  const signUp = useMutation({
    mutationFn: () => auth.signUp(email.trim()),
    onSuccess: () => onSignedUp(email.trim()),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signUp.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          autoComplete="username"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Failure error={signUp.error} />
        <Button type="submit" loading={signUp.isPending} fullWidth>
          Sign up
        </Button>
      </Stack>
    </form>
  )
}
