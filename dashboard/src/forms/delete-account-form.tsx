import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { paths } from '../util/paths.ts'

/** Asked for twice: the button opens the form, the form needs the password and, where there is one, a code. */
export function DeleteAccountForm({ account }: { account: { readonly email: string; readonly two_factor: boolean } }) {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('deleteAccount', { body: { password, ...(account.two_factor && { code: code.trim() }) } }),
    onSuccess: async () => {
      await navigate(paths.signIn())
      queryClient.clear()
    },
    onSettled: () => setCode(''),
  })
  if (!isOpen)
    return (
      <Group>
        <Button variant="outline" className="danger" onClick={() => setOpen(true)}>
          Delete the account {account.email}
        </Button>
      </Group>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate()
      }}
    >
      <Stack gap="sm" maw={420}>
        <PasswordInput
          label="Password of the account"
          required
          withAsterisk={false}
          autoComplete="current-password"
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {account.two_factor && (
          <TextInput
            label="Code for the deletion"
            description="Of your authenticator, or a backup code."
            required
            withAsterisk={false}
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Failure error={remove.error} />
        <Group>
          <Button color="red.8" type="submit" loading={remove.isPending}>
            Delete {account.email} now
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
