import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { CodeField, PasswordField } from '../ui/secret-fields.tsx'
import { toast } from '../ui/toasts.tsx'
import { passwordFault } from '../util/password.ts'

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
      toast('Your password was changed. Your other sessions have ended.')
      await renew(keys.sessions)
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
        <PasswordField label="Current password" value={currentPassword} onChange={setCurrent} />
        <PasswordField label="New password" isNew value={newPassword} error={fault} onChange={setNew} />
        {account.two_factor && <CodeField label="Code for the new password" value={code} onChange={setCode} />}
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
