import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { keys } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { toast } from '../ui/toasts.tsx'
import { passwordFault } from '../util/password.ts'

const eye = { 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false } as const

export function PasswordForm({ account }: { account: { readonly email: string; readonly two_factor: boolean } }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [code, setCode] = useState('')
  const change = useMutation({
    mutationFn: () =>
      auth.changePassword({ currentPassword, newPassword, ...(account.two_factor && { code: code.trim() }) }),
    onSuccess: async () => {
      setCurrent('')
      setNew('')
      toast('The password is changed. Your other sessions have ended.')
      await queryClient.invalidateQueries({ queryKey: keys.sessions })
    },
    onSettled: () => setCode(''),
  })
  const fault = newPassword === '' ? undefined : passwordFault(newPassword)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (passwordFault(newPassword) === undefined) change.mutate()
      }}
    >
      <Stack gap="sm" maw={420}>
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <PasswordInput
          label="Present password"
          required
          withAsterisk={false}
          autoComplete="current-password"
          value={currentPassword}
          visibilityToggleButtonProps={eye}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          required
          withAsterisk={false}
          autoComplete="new-password"
          value={newPassword}
          error={fault}
          visibilityToggleButtonProps={eye}
          onChange={(event) => setNew(event.currentTarget.value)}
        />
        {account.two_factor && (
          <TextInput
            label="Code for the new password"
            description="Of your authenticator, or a backup code."
            required
            withAsterisk={false}
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Failure error={change.error} />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending} disabled={fault !== undefined}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
