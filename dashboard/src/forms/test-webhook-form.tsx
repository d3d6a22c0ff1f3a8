import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { EventType } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { webhookQueries } from '../api/webhook-queries.ts'
import { Failure, Loaded } from '../ui/feedback.tsx'

/** Sends a sample of an event type to one endpoint, and shows the outcome. */
export function TestWebhookForm({ endpointId: id }: { endpointId: string }) {
  const types = useQuery(webhookQueries.eventTypes())
  const [type, setType] = useState<EventType>('ping')
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params: { id }, body: { type } }),
    onSettled: () => renew(keys.webhook(id)),
  })
  return (
    <Loaded of={types}>
      {({ data }) => (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            test.mutate()
          }}
        >
          <Stack gap="sm">
            <Group align="flex-end">
              <Select
                label="Event type"
                data={data.map((one) => one.type)}
                value={type}
                allowDeselect={false}
                w={240}
                onChange={(value) => setType((value ?? 'ping') as EventType)}
              />
              <Button type="submit" loading={test.isPending}>
                Send a test
              </Button>
            </Group>
            <Failure error={test.error} />
            {test.data && (
              <Text size="sm" role="status">
                {outcomeText(test.data)}
              </Text>
            )}
          </Stack>
        </form>
      )}
    </Loaded>
  )
}

function outcomeText({ status, last_status: answer, failure_detail: why }: Answer<'testWebhook'>): string {
  if (status === 'succeeded') return `The test arrived: your server answered ${answer}.`
  if (status === 'pending') return 'The test is on its way. Its outcome will appear in the deliveries below.'
  if (why !== null) return `The test failed. ${why}`
  return answer === null ? 'The test failed: there was no answer.' : `The test failed: your server answered ${answer}.`
}
