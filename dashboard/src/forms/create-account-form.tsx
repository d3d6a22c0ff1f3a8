import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { PasswordField } from '../ui/secret-fields.tsx'
import { passwordFault } from '../util/password.ts'

/** Name and password of the account that a sign-up link creates. */
export function CreateAccountForm({
  token,
  email,
  onCreated,
}: {
  token: string
  email: string
  onCreated: () => void
}) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const create = useMutation({
    mutationFn: () => auth.createAccount({ token, name: name.trim(), password }),
    onSuccess: onCreated,
    // The link may have expired in the meantime.
    onError: () => renew(keys.signUpLink),
  })
  const fault = password === '' ? undefined : passwordFault(password)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (passwordFault(password) === undefined) create.mutate()
      }}
    >
      <Stack>
        <TextInput label="Email" type="email" readOnly autoComplete="username" value={email} />
        <TextInput
          label="Name"
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordField label="Password" isNew value={password} error={fault} onChange={setPassword} />
        <Failure error={create.error} />
        <Button type="submit" loading={create.isPending} disabled={fault !== undefined} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  )
}
