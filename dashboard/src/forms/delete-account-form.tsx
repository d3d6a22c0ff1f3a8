import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { useLeave } from '../components/use-leave.ts'
import { ProofForm } from './proof-form.tsx'

/**
 * Requires two steps: the button opens the form, and the form requires the password and, with two-factor authentication, a code. The service
 * lists the domains and the credit that would be lost, and the person confirms each with a checkbox.
 */
export function DeleteAccountForm({ account }: { account: { readonly email: string; readonly two_factor: boolean } }) {
  const [isOpen, setOpen] = useState(false)
  const [wouldLose, setWouldLose] = useState(false)
  const [letGo, setLetGo] = useState(false)
  const leave = useLeave()
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
        const body = { password, ...(account.two_factor && { code }), ...(letGo && { let_go: true }) }
        await call('deleteAccount', { body }).catch((error: unknown) => {
          if (failedWith(error, 'conflict') && error.details.some(({ path }) => path === '/let_go')) setWouldLose(true)
          throw error
        })
        await leave()
      }}
    >
      {wouldLose ? (
        <Checkbox
          label="Give up the domains and the credit"
          checked={letGo}
          onChange={(event) => setLetGo(event.currentTarget.checked)}
        />
      ) : undefined}
    </ProofForm>
  )
}
