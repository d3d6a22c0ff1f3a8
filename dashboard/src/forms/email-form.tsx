import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { ProofForm } from './proof-form.tsx'

/** Changes the email address. The new address takes effect when the person opens the link that is sent to it. */
export function EmailForm({ account }: { account: { readonly email: string; readonly two_factor: boolean } }) {
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined)
    return (
      <Alert title={`Check the inbox of ${mailedTo}`} withCloseButton onClose={() => setMailedTo(undefined)}>
        Open the link in our email in this browser. Until then, your account keeps {account.email}.
      </Alert>
    )
  if (!isOpen)
    return (
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          Change the email address
        </Button>
      </Group>
    )
  return (
    <ProofForm
      asks={account.two_factor ? ['password', 'code'] : ['password']}
      passwordLabel="Your password, for the new address"
      codeLabel="Code for the new address"
      action="Send the link"
      onCancel={() => setOpen(false)}
      onProve={async ({ password, code }) => {
        await call('askForEmail', { body: { email: email.trim(), password, ...(account.two_factor && { code }) } })
        setMailedTo(email.trim())
        setOpen(false)
        setEmail('')
      }}
    >
      <TextInput
        label="New address"
        type="email"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </ProofForm>
  )
}
