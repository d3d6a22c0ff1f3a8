import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { hasPasskeys } from '../api/passkey.ts'
import { Failure } from '../ui/feedback.tsx'
import { CodeField, PasswordField } from '../ui/secret-fields.tsx'

/** Email and password, and then, if the account has two-factor authentication, a code. */
export function SignInForm({
  email: known,
  suggested,
  onSignedIn,
}: {
  /** The only account that may sign in. */
  email?: string
  /** Filled in, and can be changed. */
  suggested?: string | undefined
  onSignedIn: () => void
}) {
  const [email, setEmail] = useState(known ?? suggested ?? '')
  const [password, setPassword] = useState('')
  const [step, setStep] = useState<'password' | 'code'>('password')
  const signIn = useMutation({
    mutationFn: () => auth.signIn({ email: email.trim(), password }),
    onSuccess: ({ codeNeeded }) => {
      setPassword('')
      if (codeNeeded) setStep('code')
      else onSignedIn()
    },
  })
  if (step === 'code') return <CodeForm onDone={onSignedIn} onBack={() => setStep('password')} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          autoComplete="username"
          value={email}
          readOnly={known !== undefined}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField label="Password" value={password} onChange={setPassword} isFirst={known !== undefined} />
        <Failure error={signIn.error} />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        {hasPasskeys() && <PasskeyButton onSignedIn={onSignedIn} />}
      </Stack>
    </form>
  )
}

function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const signIn = useMutation({ mutationFn: auth.signInWithPasskey, onSuccess: onSignedIn })
  return (
    <>
      <Button variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()} fullWidth>
        Use a passkey
      </Button>
      <Failure error={signIn.error} />
    </>
  )
}

/** The second step of a sign-in, with two-factor authentication. */
export function CodeForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [code, setCode] = useState('')
  const give = useMutation({ mutationFn: () => auth.giveCode(code), onSuccess: onDone })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        give.mutate()
      }}
    >
      <Stack>
        <CodeField
          label="Code"
          description="The six digits that your authenticator shows now, or one of your backup codes."
          autoFocus
          value={code}
          onChange={setCode}
        />
        <Failure error={give.error} />
        <Button type="submit" loading={give.isPending} fullWidth>
          Continue
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  )
}
