import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'

const yesterdayMs = 86_400_000

/** Sends again what failed or was skipped since a time, in the person's own time zone. */
export function RecoverForm({ endpointId: id }: { endpointId: string }) {
  const [since, setSince] = useState(() => localMinute(new Date(Date.now() - yesterdayMs)))
  const recover = useMutation({
    mutationFn: () => call('recoverWebhook', { params: { id }, body: { since: new Date(since).toISOString() } }),
    onSuccess: () => renew(keys.webhook(id)),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        recover.mutate()
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label="Since"
            type="datetime-local"
            required
            withAsterisk={false}
            value={since}
            onChange={(event) => setSince(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={recover.isPending}>
            Send again what was missed
          </Button>
        </Group>
        <Failure error={recover.error} />
        {recover.data && (
          <Text size="sm" role="status">
            {recover.data.recovered === 0
              ? 'Nothing has failed or was skipped since.'
              : `${recover.data.recovered} are sent again${recover.data.more ? '; there are more, do it once more later' : ''}.`}
          </Text>
        )}
      </Stack>
    </form>
  )
}

/** As the field takes it: a minute, without a time zone. */
function localMinute(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
