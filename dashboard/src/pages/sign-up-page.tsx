import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { ProviderButtons } from '../forms/provider-buttons.tsx'
import { SignUpForm } from '../forms/sign-up-form.tsx'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

export function SignUpPage() {
  const { email: suggested } = useSearch({ from: '/sign-up' })
  const [email, setEmail] = useState<string>()
  const again = useMutation({ mutationFn: () => auth.signUp(email ?? '') })
  if (email !== undefined)
    return (
      <AuthFrame title="Check your email" foot={<TextLink {...paths.signIn()}>Back to sign-in</TextLink>}>
        <Stack>
          <Text>
            We sent an email to <b>{email}</b>. Open its link within 24 hours to choose a name and a password.
          </Text>
          <Text size="sm" className="quiet">
            No email? Check your spam folder. If the address already has an account, the email says this.
          </Text>
          <Failure error={again.error} />
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
            {again.isSuccess ? 'Resent' : 'Resend'}
          </Button>
        </Stack>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Sign up"
      lead="Enter your address. We send you a link to create your account."
      foot={
        <>
          Have an account? <TextLink {...paths.signIn()}>Sign in</TextLink>
        </>
      }
    >
      <SignUpForm suggested={suggested} onSignedUp={setEmail} />
      <ProviderButtons />
    </AuthFrame>
  )
}
