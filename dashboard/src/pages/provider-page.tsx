import { Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { auth } from '../api/auth.ts'
import { queryClient } from '../api/query-client.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { CodeForm } from '../forms/sign-in-form.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
import { sayFailure } from '../util/say-failure.ts'
import { answerIn } from '../util/sign-in-providers.ts'

/** The page to which a sign-in provider sends the browser back. It finishes the sign-in, or links the provider. */
export function ProviderPage() {
  const router = useRouter()
  const [answer] = useState(() => answerIn(openedAddress()))
  const [back, setBack] = useState('/')
  const goOn = (path: string): void => {
    queryClient.clear()
    router.history.replace(`/app${path.replace(/^\/app(?=\/)/, '')}`)
  }
  const finish = useMutation({
    mutationFn: () => auth.answerProvider(answer),
    onSuccess: ({ result, provider, back: path }) => {
      if (result === 'linked') toast(`${provider} is linked. Use it the next time that you sign in.`)
      if (result === 'code_needed') setBack(path)
      else goOn(path)
    },
  })
  const { data: isLinking = false } = useQuery({
    queryKey: ['is-signed-in'],
    queryFn: isSignedIn,
    enabled: finish.isError,
  })
  const isSent = useRef(false)
  useEffect(() => {
    // An answer works once.
    if (!isSent.current) finish.mutate()
    isSent.current = true
  }, [finish.mutate])
  if (finish.data?.result === 'code_needed')
    return (
      <AuthFrame title="Sign in" lead={`${finish.data.provider} knows you. One step is left.`}>
        <CodeForm onDone={() => goOn(back)} onBack={() => void router.navigate(paths.signIn())} />
      </AuthFrame>
    )
  if (finish.error)
    return (
      <AuthFrame title={sayFailure(finish.error).title}>
        <Stack>
          <Failure error={finish.error} title={isLinking ? 'The provider was not linked' : 'You are not signed in'} />
          <Group>
            {isLinking ? (
              <ButtonLink {...paths.account()}>Back to your account</ButtonLink>
            ) : (
              <ButtonLink {...paths.signIn()}>Back to sign-in</ButtonLink>
            )}
          </Group>
        </Stack>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Signing in">
      <Text>This takes a moment.</Text>
      <Waiting what="Asking the provider" />
    </AuthFrame>
  )
}

/** Only people who are signed in link a provider. */
async function isSignedIn(): Promise<boolean> {
  return (await auth.currentSession()) !== undefined
}

/** The address of the page as the browser has opened it. */
function openedAddress(): string {
  const [opened] = performance.getEntriesByType('navigation')
  return opened?.name.startsWith(location.origin) ? opened.name : location.href
}
