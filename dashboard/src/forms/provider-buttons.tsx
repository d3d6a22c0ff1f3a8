import { Button, Divider, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { auth } from '../api/auth.ts'
import { Failure } from '../ui/feedback.tsx'
import { signInProviders } from '../util/sign-in-providers.ts'

/** A button for each sign-in provider; nothing if there are none. A person without an account gets one. */
export function ProviderButtons({
  back,
}: {
  /** The page to return to. */
  back?: string | undefined
}) {
  const begin = useMutation({
    mutationFn: (provider: string) => auth.beginProvider({ provider, ...(back !== undefined && { back }) }),
    onSuccess: ({ url }) => location.assign(url),
  })
  if (signInProviders.length === 0) return null
  return (
    <Stack>
      <Divider label="or" />
      {signInProviders.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          // The button shows its loader until the browser has left the page.
          loading={(begin.isPending || begin.isSuccess) && begin.variables === id}
          onClick={() => begin.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
      <Failure error={begin.error} />
    </Stack>
  )
}
