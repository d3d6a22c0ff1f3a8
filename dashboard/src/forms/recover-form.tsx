import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'

const yesterdayMs = 86_400_000

/**
 * Resends failed and skipped deliveries since a time, in the person's time zone. The field starts with the instant `from`, or with yesterday.
 */
export function RecoverForm({ endpointId: id, from }: { endpointId: string; from?: string }) {
  const [since, setSince] = useState(() => localMinute(from ? new Date(from) : new Date(Date.now() - yesterdayMs)))
  const recover = useRecover(id)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        recover.mutate(new Date(since).toISOString())
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
            Resend missed deliveries
          </Button>
        </Group>
        <Failure error={recover.error} />
        {recover.data && <Recovered of={recover.data} />}
      </Stack>
    </form>
  )
}

/** Resends what an endpoint missed since an instant. */
export function useRecover(id: string) {
  return useMutation({
    mutationFn: (since: string) => call('recoverWebhook', { params: { id }, body: { since } }),
    onSuccess: () => renew(keys.webhook(id)),
  })
}

/** Says how many deliveries are resent. */
export function Recovered({ of: answer }: { of: Answer<'recoverWebhook'> }) {
  return (
    <Text size="sm" role="status">
      {recoveredText(answer)}
    </Text>
  )
}

function recoveredText({ recovered, more }: Answer<'recoverWebhook'>): string {
  if (recovered === 0) return 'Nothing failed or was skipped since then.'
  const count = recovered === 1 ? '1 delivery is' : `${recovered} deliveries are`
  return `${count} being resent.${more ? ' There are more. Repeat this later.' : ''}`
}

/** In the format of the field: a minute, without a time zone. */
function localMinute(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
