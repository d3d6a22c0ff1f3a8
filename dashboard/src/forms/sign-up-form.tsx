import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { Failure } from '../ui/feedback.tsx'
import { PasswordField } from '../ui/secret-fields.tsx'
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
        <PasswordField label="Password" isNew value={password} error={fault} onChange={setPassword} />
        <Failure error={signUp.error} />
        <Button type="submit" loading={signUp.isPending} disabled={fault !== undefined} fullWidth>
          Sign up
        </Button>
      </Stack>
    </form>
  )
}
