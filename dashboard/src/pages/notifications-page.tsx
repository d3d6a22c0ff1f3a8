import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { AuthFrame } from '../components/auth-frame.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { topicNames } from '../util/notification-words.ts'

/**
 * The page of the link that asks an address whether it wants an account's notifications. It requires a click, because programs that scan
 * emails open links. Its reader may have no account.
 */
export function NotificationsPage() {
  const { token = '' } = useSearch({ from: '/notifications' })
  const link = useQuery(queries.notificationLink(token))
  const answer = useMutation({
    mutationFn: (wish: 'confirm' | 'stop') => call('answerNotificationLink', { body: { token, answer: wish } }),
    onSuccess: (_, wish) => (wish === 'confirm' ? renew(keys.notificationLink) : undefined),
  })
  if (answer.isSuccess && answer.variables === 'stop')
    return (
      <AuthFrame title="The emails have stopped">
        <Text role="status">This address no longer gets notifications of that account.</Text>
      </AuthFrame>
    )
  if (failedWith(link.error, 'conflict'))
    return (
      <AuthFrame title="This link no longer works">
        <Text>The address gets no notifications. To get them, ask the owner of the account to add it again.</Text>
      </AuthFrame>
    )
  if (link.data === undefined)
    return (
      <AuthFrame title="Notifications">
        {link.error ? (
          <Failure error={link.error} retry={() => void link.refetch()} />
        ) : (
          <Waiting what="Reading the link" />
        )}
      </AuthFrame>
    )
  const { account, email, topics, state } = link.data
  const isOn = state === 'confirmed'
  return (
    <AuthFrame title={isOn ? 'You get these notifications' : 'Get notifications?'}>
      <Text>
        {isOn ? `${email} gets` : `${account} wants ${email} to get`} emails about these topics of{' '}
        {isOn ? `the account of ${account}` : 'their account'}: {topicNames(topics)}.
      </Text>
      <Failure error={answer.error} />
      <Group>
        {!isOn && (
          <Button loading={answer.isPending} onClick={() => answer.mutate('confirm')}>
            Confirm
          </Button>
        )}
        <Button variant="default" loading={answer.isPending} onClick={() => answer.mutate('stop')}>
          {isOn ? 'Stop these emails' : 'No, thank you'}
        </Button>
      </Group>
    </AuthFrame>
  )
}
