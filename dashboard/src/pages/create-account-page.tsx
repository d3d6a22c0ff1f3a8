import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { failedWith } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { CreateAccountForm } from '../forms/create-account-form.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

/** The page of the link in a sign-up email. Opening it changes nothing: submitting the form creates the account. */
export function CreateAccountPage() {
  const { token } = useSearch({ from: '/create-account' })
  return token === undefined ? <LinkEnded /> : <CreateAccount token={token} />
}

function CreateAccount({ token }: { token: string }) {
  const link = useQuery(queries.signUpLink(token))
  const navigate = useNavigate()
  if (failedWith(link.error, 'conflict')) return <LinkEnded />
  const goOn = async (): Promise<void> => {
    // Someone else may have been signed in before. The link's data stays until the person leaves this page.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.signUpLink[0] })
    await navigate({ ...paths.zones(), replace: true })
    queryClient.removeQueries({ queryKey: keys.signUpLink })
  }
  return (
    <AuthFrame
      title="Create your account"
      foot={
        <>
          Have an account? <TextLink {...paths.signIn()}>Sign in</TextLink>
        </>
      }
    >
      <Loaded of={link}>
        {({ email }) => <CreateAccountForm token={token} email={email} onCreated={() => void goOn()} />}
      </Loaded>
    </AuthFrame>
  )
}

function LinkEnded() {
  return (
    <AuthFrame
      title="This link no longer works"
      foot={
        <>
          Already created your account? <TextLink {...paths.signIn()}>Sign in</TextLink>
        </>
      }
    >
      <Stack>
        <Text>It was already used, or it is older than 24 hours. Sign up again to get a new link.</Text>
        <ButtonLink {...paths.signUp()}>Get a new link</ButtonLink>
      </Stack>
    </AuthFrame>
  )
}
