import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { webhookQueries } from '../api/webhook-queries.ts'
import { AttemptsSection } from '../components/attempts-section.tsx'
import { EndpointBadge, OutcomeBadge } from '../components/outcome-badge.tsx'
import { SecretOnce } from '../components/secret-once.tsx'
import { usePause } from '../components/use-pause.ts'
import { VerificationCodes } from '../components/verification-code.tsx'
import { Recovered, RecoverForm, useRecover } from '../forms/recover-form.tsx'
import { RotateSecretForm } from '../forms/rotate-secret-form.tsx'
import { TestWebhookForm } from '../forms/test-webhook-form.tsx'
import { WebhookForm } from '../forms/webhook-form.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { zonesInWords } from '../util/endpoint-words.ts'
import { paths } from '../util/paths.ts'
import { DeliveriesSection, deliveriesPauseMs } from './deliveries-section.tsx'

type Endpoint = Answer<'getWebhook'>

/** One endpoint: its state, its deliveries, and its actions. */
export function WebhookPage() {
  const { id } = useParams({ from: '/signed-in/webhooks/$id' })
  const endpoint = useQuery({ ...webhookQueries.webhook(id), refetchInterval: deliveriesPauseMs })
  return (
    <Page title="Webhook endpoint" within={<TextLink {...paths.webhooks()}>Webhooks</TextLink>}>
      <Loaded of={endpoint}>{(data) => <EndpointParts key={data.id} endpoint={data} />}</Loaded>
    </Page>
  )
}

function EndpointParts({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint
  /** The time at which the endpoint was disabled, after it was enabled again on this page. The page offers to resend what it missed. */
  const [wasDisabledAt, setWasDisabledAt] = useState<string>()
  const missedSince = endpoint.disabled_at ?? wasDisabledAt
  return (
    <>
      {endpoint.state === 'disabled' && <Disabled endpoint={endpoint} onTurnedOn={setWasDisabledAt} />}
      {endpoint.state === 'enabled' && wasDisabledAt && <Missed endpointId={id} since={wasDisabledAt} />}
      {endpoint.zones?.length === 0 && <NoZones />}
      <EndpointSection endpoint={endpoint} />
      <Section
        title="Test"
        lead="Sends one sample event to this endpoint. It has the same form as a real event, but is about sample.zonewright.invalid."
      >
        <TestWebhookForm endpointId={id} />
      </Section>
      <AttemptsSection endpointId={id} />
      <DeliveriesSection endpointId={id} />
      <SecretSection endpoint={endpoint} />
      <Section title="Recover" lead="Resends all deliveries that failed or were skipped since a time, oldest first.">
        <RecoverForm key={missedSince} endpointId={id} {...(missedSince && { from: missedSince })} />
      </Section>
      <DeleteSection endpoint={endpoint} />
    </>
  )
}

function Disabled({
  endpoint: { id, disabled_at: at, disabled_reason: reason },
  onTurnedOn,
}: {
  endpoint: Endpoint
  onTurnedOn: (disabledAt: string) => void
}) {
  const isPaused = reason === 'paused'
  const turnOn = useMutation({
    mutationFn: () => call('changeWebhook', { params: { id }, body: { state: 'enabled' } }),
    onSuccess: () => {
      if (at) onTurnedOn(at)
      toast('The endpoint is on again.', id)
      return renew(keys.webhooks)
    },
  })
  return (
    <Alert
      color={isPaused ? 'gray' : 'red'}
      variant="light"
      title={isPaused ? 'This endpoint is paused' : 'This endpoint is disabled'}
    >
      <Stack gap="xs">
        <Text size="sm">
          {!isPaused && `${reason} `}
          {at && (
            <>
              It was turned off <When at={at} />. Events since then are skipped.{' '}
            </>
          )}
          Turning it on does not resend skipped events, but you can resend them afterwards.
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

/** Its zones are all gone. It must not look as if it got the events of all zones. */
function NoZones() {
  return (
    <Alert color="orange" variant="light" title="This endpoint gets no events">
      <Text size="sm">
        It is limited to zones that were deleted or are no longer shared with you. Choose other zones with “Edit”. A
        restored zone is in the list again.
      </Text>
    </Alert>
  )
}

/** Offers to resend what an endpoint missed while it was disabled. */
function Missed({ endpointId: id, since }: { endpointId: string; since: string }) {
  const recover = useRecover(id)
  return (
    <Alert color="green" variant="light" title="This endpoint is on again">
      <Stack gap="xs">
        <Text size="sm">
          It was turned off <When at={since} />. The events since then were not sent.
        </Text>
        <Failure error={recover.error} />
        {recover.data ? (
          <Recovered of={recover.data} />
        ) : (
          <Group>
            <Button size="xs" loading={recover.isPending} onClick={() => recover.mutate(since)}>
              Resend missed events
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

function EndpointSection({ endpoint }: { endpoint: Endpoint }) {
  const [isEditing, setEditing] = useState(false)
  const { id } = endpoint
  const pause = usePause(id)
  const sources = useQuery(webhookQueries.sourceAddresses())
  const addresses = sources.data?.data ?? []
  if (isEditing)
    return (
      <Section title="Change the endpoint">
        <WebhookForm
          endpoint={endpoint}
          onCancel={() => setEditing(false)}
          onChanged={() => {
            setEditing(false)
            toast('Saved.', endpoint.id)
            void renew(keys.webhooks)
          }}
        />
      </Section>
    )
  return (
    <Section
      title={endpoint.url}
      actions={
        <Group gap="xs">
          {endpoint.state === 'enabled' && (
            <Button size="xs" variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
              Pause
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
        </Group>
      }
    >
      <Group gap="xs">
        <EndpointBadge of={endpoint} />
        {endpoint.status && (
          <OutcomeBadge
            of={{ ...endpoint, status: endpoint.status }}
            {...(endpoint.last_delivery !== null && { to: paths.delivery(id, endpoint.last_delivery) })}
          />
        )}
        {endpoint.last_status !== null && <Text size="sm">last response {endpoint.last_status}</Text>}
      </Group>
      {endpoint.description !== '' && <Text size="sm">{endpoint.description}</Text>}
      <Text size="sm" className="quiet">
        {endpoint.events === null ? 'All events' : endpoint.events.join(', ')} · {zonesInWords(endpoint.zones)} · added{' '}
        <When at={endpoint.created_at} />
      </Text>
      {endpoint.headers.length > 0 && (
        <Text size="sm" className="quiet">
          Your headers: {endpoint.headers.map(({ name }) => name).join(', ')}
        </Text>
      )}
      {addresses.length > 0 && (
        <Text size="sm" className="quiet">
          Requests come from {addresses.join(', ')}.
        </Text>
      )}
      <Failure error={pause.error} />
    </Section>
  )
}

function SecretSection({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <SecretOnce of={url} secret={secret} onClose={() => setSecret(undefined)} />
  return (
    <Section
      title="Secret"
      lead="Rotate the secret if someone else may know it. Both secrets can stay valid for a while."
    >
      <RotateSecretForm endpointId={id} onRotated={setSecret} />
      <VerificationCodes />
    </Section>
  )
}

function DeleteSection({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('deleteWebhook', { params: { id } }),
    onSuccess: async () => {
      toast('The endpoint is deleted.', id)
      await navigate(paths.webhooks())
      queryClient.removeQueries({ queryKey: keys.webhook(id) })
      await renew(keys.webhooks)
    },
  })
  return (
    <Section title="Delete" lead="Nothing more is sent to it, not even pending deliveries.">
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
