import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { OutcomeBadge } from '../components/outcome-badge.tsx'
import { SecretOnce } from '../components/secret-once.tsx'
import { RecoverForm } from '../forms/recover-form.tsx'
import { RotateSecretForm } from '../forms/rotate-secret-form.tsx'
import { TestWebhookForm } from '../forms/test-webhook-form.tsx'
import { WebhookForm } from '../forms/webhook-form.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
import { exactly } from '../util/time.ts'
import { DeliveriesSection } from './deliveries-section.tsx'

type Endpoint = Answer<'getWebhook'>

/** One endpoint: how it stands, what was delivered to it, and what can be done. */
export function WebhookPage() {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  const endpoint = useQuery(queries.webhook(id))
  return (
    <Page title="Webhook endpoint" lead={<TextLink {...paths.webhooks()}>Back to all endpoints</TextLink>}>
      <Loaded of={endpoint}>
        {(data) => (
          <>
            {data.state === 'disabled' && <TurnedOff endpoint={data} />}
            <EndpointSection endpoint={data} />
            <Section
              title="Test"
              lead="Sends a sample of an event to this endpoint, once. The sample has the shape of a real event; its names are sample.zonewright.invalid or below it."
            >
              <TestWebhookForm endpointId={data.id} />
            </Section>
            <DeliveriesSection endpointId={data.id} />
            <SecretSection endpoint={data} />
            <Section
              title="Recover"
              lead="After a failure of your server: everything since a time that failed or was skipped is sent again, oldest first."
            >
              <RecoverForm endpointId={data.id} />
            </Section>
            <DeleteSection endpoint={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function TurnedOff({ endpoint: { id, disabled_at: at, disabled_reason: reason } }: { endpoint: Endpoint }) {
  const turnOn = useMutation({
    mutationFn: () => call('changeWebhook', { params: { id }, body: { state: 'enabled' } }),
    onSuccess: () => {
      toast('The endpoint is on again.')
      return renew(keys.webhooks)
    },
  })
  return (
    <Alert color="red" variant="light" title="This endpoint is turned off">
      <Stack gap="xs">
        <Text size="sm">
          {reason}
          {at && ` Since ${exactly(at)}.`} What happened meanwhile was skipped: after turning it on, recover it below.
        </Text>
        <Failure error={turnOn.error} />
        <Group>
          <Button size="xs" loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
            Turn it on again
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function EndpointSection({ endpoint }: { endpoint: Endpoint }) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing)
    return (
      <Section title="Change the endpoint">
        <WebhookForm
          endpoint={endpoint}
          onCancel={() => setEditing(false)}
          onChanged={() => {
            setEditing(false)
            toast('Saved.')
            void renew(keys.webhooks)
          }}
        />
      </Section>
    )
  return (
    <Section
      title={endpoint.url}
      actions={
        <Button size="xs" variant="default" onClick={() => setEditing(true)}>
          Change
        </Button>
      }
    >
      <Group gap="xs">
        {endpoint.state === 'enabled' ? (
          <Badge className="badge-green">On</Badge>
        ) : (
          <Badge className="badge-red">Turned off</Badge>
        )}
        {endpoint.status && <OutcomeBadge status={endpoint.status} />}
        {endpoint.last_status !== null && <Text size="sm">last answer {endpoint.last_status}</Text>}
      </Group>
      {endpoint.description !== '' && <Text size="sm">{endpoint.description}</Text>}
      <Text size="sm" className="quiet">
        {endpoint.events === null ? 'Every event' : endpoint.events.join(', ')} · added {exactly(endpoint.created_at)}
      </Text>
    </Section>
  )
}

function SecretSection({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretOnce of={url} secret={secret} onClose={() => setSecret(undefined)} />
  return (
    <Section
      title="Secret"
      lead="Give the endpoint a new one when the old one may be known. For a while both can sign."
    >
      <RotateSecretForm endpointId={id} onRotated={setSecret} />
    </Section>
  )
}

function DeleteSection({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('deleteWebhook', { params: { id } }),
    onSuccess: async () => {
      toast('The endpoint is deleted.')
      await navigate(paths.webhooks())
      queryClient.removeQueries({ queryKey: keys.webhook(id) })
      await renew(keys.webhooks)
    },
  })
  return (
    <Section title="Delete" lead="Nothing more is sent there, what waits included.">
      <Group>
        <Button variant="outline" className="danger" onClick={() => setAsking(true)}>
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
