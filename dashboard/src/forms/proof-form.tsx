import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Failure } from '../ui/feedback.tsx'
import { CodeField, PasswordField } from '../ui/secret-fields.tsx'

/** The proof of a person. Only the requested members are set. */
export interface Proof {
  readonly password: string
  readonly code: string
}

/**
 * Requires the password, a two-factor code, or both before an important action, and says what will happen. Neither stays on the page: a code
 * works once, and a correct password is removed.
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
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const prove = useMutation({
    mutationFn: () => onProve({ password, code: code.trim() }),
    onSuccess: () => setPassword(''),
    onSettled: () => setCode(''),
  })
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
