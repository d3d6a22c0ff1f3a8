import { Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { auth } from '../api/auth.ts'
import { queryClient } from '../api/query-client.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { CodeForm } from '../forms/sign-in-form.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
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
      <AuthFrame title="This was not finished" foot={<TextLink {...paths.account()}>To your account</TextLink>}>
        <Stack>
          <Failure error={finish.error} />
          <Group>
            <ButtonLink {...paths.signIn()}>Back to sign-in</ButtonLink>
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

/** The address of the page as the browser has opened it. */
function openedAddress(): string {
  const [opened] = performance.getEntriesByType('navigation')
  return opened?.name.startsWith(location.origin) ? opened.name : location.href
}
