import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queries } from '../api/queries.ts'
import { Failure } from '../ui/feedback.tsx'
import { CodeField, PasswordField } from '../ui/secret-fields.tsx'
import { SetPassword } from './set-password.tsx'

/** The proof of a person. Only the requested members are set. */
export interface Proof {
  readonly password: string
  readonly code: string
}

/** The proof that an action that weakens the account requires. */
export function asksOf({ two_factor: hasCodes }: { readonly two_factor: boolean }): readonly ('password' | 'code')[] {
  return hasCodes ? ['password', 'code'] : ['password']
}

/** The proof as the API takes it: without a code if the account has none. */
export function proofOf({ two_factor: hasCodes }: { readonly two_factor: boolean }, { password, code }: Proof) {
  return { password, ...(hasCodes && { code }) }
}

/**
 * Requires the password, a two-factor code, or both before an important action, and says what will happen. Neither stays on the page: a code
 * works once, and a correct password is removed.
 *
 * An account without a password sets one first.
 */
export function ProofForm({
  asks,
  codeLabel = 'Code',
  passwordLabel = 'Password',
  action,
  isDangerous = false,
  onProve,
  onCancel,
  children,
}: {
  asks: readonly ('password' | 'code')[]
  codeLabel?: string
  passwordLabel?: string
  action: string
  isDangerous?: boolean
  /** Performs the action. A rejection is shown. */
  onProve: (proof: Proof) => Promise<unknown>
  onCancel?: () => void
  children?: ReactNode
}) {
  const account = useQuery(queries.account())
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const prove = useMutation({
    mutationFn: () => onProve({ password, code: code.trim() }),
    onSuccess: () => setPassword(''),
    onSettled: () => setCode(''),
  })
  if (account.data?.has_password === false && asks.includes('password'))
    return <SetPassword email={account.data.email} onCancel={onCancel} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        prove.mutate()
      }}
    >
      <Stack gap="sm" maw={420}>
        {children !== undefined && (
          <Text size="sm" component="div">
            {children}
          </Text>
        )}
        {asks.includes('password') && <PasswordField label={passwordLabel} value={password} onChange={setPassword} />}
        {asks.includes('code') && <CodeField label={codeLabel} value={code} onChange={setCode} />}
        <Failure error={prove.error} />
        <Group>
          <Button type="submit" {...(isDangerous && { color: 'red.8' })} loading={prove.isPending}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
