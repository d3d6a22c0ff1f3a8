import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { SignUpForm } from '../forms/sign-up-form.tsx'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

export function SignUpPage() {
  const [email, setEmail] = useState<string>()
  const again = useMutation({ mutationFn: () => auth.sendConfirmation(email ?? '') })
  if (email !== undefined)
    return (
      <AuthFrame title="Confirm your address" foot={<TextLink {...paths.signIn()}>Back to sign-in</TextLink>}>
        <Stack>
          <Text>
            A mail is on its way to <b>{email}</b>. Follow its link within 24 hours to confirm the address; you are then
            signed in.
          </Text>
          <Text size="sm" className="quiet">
            No mail? Look among unwanted mails first. If the address has an account already, the mail says so.
          </Text>
          <Failure error={again.error} />
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
            {again.isSuccess ? 'Sent again' : 'Send it again'}
          </Button>
        </Stack>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Sign up"
      lead="Host your zones on nameservers that go on answering."
      foot={
        <>
          Have an account? <TextLink {...paths.signIn()}>Sign in</TextLink>
        </>
      }
    >
      <SignUpForm onSignedUp={setEmail} />
    </AuthFrame>
  )
}
