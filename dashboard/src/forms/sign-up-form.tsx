import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { Failure } from '../ui/feedback.tsx'
import { passwordFault } from '../util/password.ts'

export function SignUpForm({ onSignedUp }: { onSignedUp: (email: string) => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signUp = useMutation({
    mutationFn: () => auth.signUp({ email: email.trim(), password, name: name.trim() }),
    onSuccess: () => onSignedUp(email.trim()),
  })
  const fault = password === '' ? undefined : passwordFault(password)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (passwordFault(password) === undefined) signUp.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="10 to 128 characters; a phrase is best."
          required
          withAsterisk={false}
          autoComplete="new-password"
          value={password}
          error={fault}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Failure error={signUp.error} />
        <Button type="submit" loading={signUp.isPending} disabled={fault !== undefined} fullWidth>
          Sign up
        </Button>
      </Stack>
    </form>
  )
}
