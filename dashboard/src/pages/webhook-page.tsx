import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { OutcomeBadge } from '../components/outcome-badge.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
import { exactly } from '../util/time.ts'

/** One endpoint: how it stands, and what was delivered to it. */
export function WebhookPage() {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  const endpoint = useQuery(queries.webhook(id))
  return (
    <Page title="Webhook endpoint" lead={<TextLink {...paths.webhooks()}>Back to all endpoints</TextLink>}>
      <Loaded of={endpoint}>
        {(data) => (
          <>
            {data.state === 'disabled' && (
              <Alert color="red" variant="light" title="This endpoint is turned off">
                {data.disabled_reason}
                {data.disabled_at && ` Since ${exactly(data.disabled_at)}.`}
              </Alert>
            )}
            <Section title={data.url}>
              <Group gap="xs">
                {data.state === 'enabled' ? (
                  <Badge className="badge-green">On</Badge>
                ) : (
                  <Badge className="badge-red">Turned off</Badge>
                )}
                {data.status && <OutcomeBadge status={data.status} />}
                {data.last_status !== null && <Text size="sm">last answer {data.last_status}</Text>}
              </Group>
              {data.description !== '' && <Text size="sm">{data.description}</Text>}
              <Text size="sm" className="quiet">
                {data.events === null ? 'Every event' : data.events.join(', ')} · added {exactly(data.created_at)}
              </Text>
            </Section>
            <DeleteSection endpoint={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DeleteSection({ endpoint: { id, url } }: { endpoint: Item<'listWebhooks'> }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('deleteWebhook', { params: { id } }),
    onSuccess: async () => {
      toast('The endpoint is deleted.')
      await navigate(paths.webhooks())
      await queryClient.invalidateQueries({ queryKey: keys.webhooks })
    },
  })
  return (
    <Section title="Delete" lead="Nothing more is sent there, what waits included.">
      <Group>
        <Button color="red.8" variant="outline" onClick={() => setAsking(true)}>
          Delete this endpoint
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title="Delete the endpoint"
        action="Delete the endpoint"
        error={remove.error}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {url} gets no events any more; what waits for it is dropped, and its deliveries can no longer be seen. A new
        endpoint gets a new secret.
      </ConfirmDialog>
    </Section>
  )
}
