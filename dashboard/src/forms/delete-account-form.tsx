import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { paths } from '../util/paths.ts'
import { ProofForm } from './proof-form.tsx'

/** Asked for twice: the button opens the form, the form needs the password and, where there is one, a code. */
export function DeleteAccountForm({ account }: { account: { readonly email: string; readonly two_factor: boolean } }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  if (!isOpen)
    return (
      <Group>
        <Button variant="outline" className="danger" onClick={() => setOpen(true)}>
          Delete the account {account.email}
        </Button>
      </Group>
    )
  return (
    <ProofForm
      asks={account.two_factor ? ['password', 'code'] : ['password']}
      passwordLabel="Password of the account"
      codeLabel="Code for the deletion"
      action={`Delete ${account.email} now`}
      isDangerous
      onCancel={() => setOpen(false)}
      onProve={async ({ password, code }) => {
        await call('deleteAccount', { body: { password, ...(account.two_factor && { code }) } })
        await navigate(paths.signIn())
        queryClient.clear()
      }}
    />
  )
}
