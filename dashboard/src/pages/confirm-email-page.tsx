import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

/** The page of the link that confirms a new address. It requires a click, because programs that scan emails open links. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ from: '/signed-in/confirm-email' })
  const confirm = useMutation({
    mutationFn: () => call('confirmEmail', { body: { token } }),
    onSuccess: async (account) => {
      queryClient.setQueryData(keys.account, account)
      await renew(keys.sessions)
    },
  })
  return (
    <Page title="New email address">
      <Section title={confirm.isSuccess ? 'The address is changed' : 'One step is left'}>
        {confirm.isSuccess ? (
          <>
            <Text>You sign in with {confirm.data.email} from now on. Your other sessions have ended.</Text>
            <Group>
              <ButtonLink {...paths.account()}>Back to the account</ButtonLink>
            </Group>
          </>
        ) : (
          <>
            <Text>
              The address that received this link becomes the address of your account. Your other sessions end.
            </Text>
            <Failure error={confirm.error} />
            <Group>
              <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
                Change the email address
              </Button>
            </Group>
          </>
        )}
      </Section>
    </Page>
  )
}
