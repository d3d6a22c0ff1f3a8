import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, Item } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { webhookQueries } from '../api/webhook-queries.ts'
import { DocsLink } from '../components/docs-link.tsx'
import { EndpointBadge, OutcomeBadge } from '../components/outcome-badge.tsx'
import { SecretOnce } from '../components/secret-once.tsx'
import { usePause } from '../components/use-pause.ts'
import { useResend } from '../components/use-resend.ts'
import { TestWebhookForm } from '../forms/test-webhook-form.tsx'
import { WebhookForm } from '../forms/webhook-form.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { zonesInWords } from '../util/endpoint-words.ts'
import { paths } from '../util/paths.ts'

/** How often the state of the endpoints is refreshed. */
const pauseMs = 5_000

type Endpoint = Item<'listWebhooks'>

export function WebhooksPage() {
  const endpoints = useQuery({ ...webhookQueries.webhooks(), refetchInterval: pauseMs })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Answer<'createWebhook'>>()
  const [lostSecretOf, setLostSecretOf] = useState<string>()
  return (
    <Page
      title="Webhooks"
      lead="Send events to your servers as signed HTTP requests."
      actions={
        !isMaking && (
          <Button
            onClick={() => {
              setMade(undefined)
              setLostSecretOf(undefined)
              setMaking(true)
            }}
          >
            Add an endpoint
          </Button>
        )
      }
    >
      {made && (
        <SecretOnce of={made.url} secret={made.secret} onClose={() => setMade(undefined)}>
          <TestWebhookForm endpointId={made.id} />
        </SecretOnce>
      )}
      {lostSecretOf !== undefined && (
        <Alert color="orange" variant="light" role="alert" title="The endpoint was added without its secret">
          The response that had the secret was lost. To get a new secret, open {lostSecretOf} below and choose “Rotate
          secret”.
        </Alert>
      )}
      {isMaking && (
        <Section title="New endpoint">
          <WebhookForm
            onCancel={() => setMaking(false)}
            onMade={(endpoint) => {
              setMaking(false)
              setMade(endpoint)
              void renew(keys.webhooks)
            }}
            onSecretLost={(url) => {
              setMaking(false)
              setLostSecretOf(url)
              void renew(keys.webhooks)
            }}
          />
        </Section>
      )}
      <Loaded of={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="webhook" title="No endpoints yet">
              Add the https address of your server. It gets all events, or only some.{' '}
              <DocsLink page="webhooks">Read about webhooks</DocsLink>
            </Empty>
          ) : (
            <Stack gap="sm">
              {items.map((endpoint) => (
                <EndpointItem key={endpoint.id} endpoint={endpoint} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

function EndpointItem({ endpoint }: { endpoint: Endpoint }) {
  const { id, status, last_delivery: delivery } = endpoint
  const pause = usePause(id)
  const again = useResend(id)
  const isFailing = status === 'failed' || endpoint.retry !== null
  return (
    <Stack gap={6} p="md" className="card">
      <Group justify="space-between" align="flex-start">
        <Group gap="xs">
          <TextLink {...paths.webhook(id)} fw={600} className="breakable">
            {endpoint.url}
          </TextLink>
          <EndpointBadge of={endpoint} />
          {status && (
            <OutcomeBadge
              of={{ ...endpoint, status }}
              {...(delivery !== null && { to: paths.delivery(id, delivery) })}
            />
          )}
        </Group>
        <Group gap="xs">
          {isFailing && delivery !== null && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Resend to ${endpoint.url}`}
              loading={again.isPending}
              onClick={() => again.mutate(delivery)}
            >
              Resend
            </Button>
          )}
          {endpoint.state === 'enabled' && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Pause ${endpoint.url}`}
              loading={pause.isPending}
              onClick={() => pause.mutate()}
            >
              Pause
            </Button>
          )}
        </Group>
      </Group>
      <Failure error={again.error ?? pause.error} />
      {endpoint.description !== '' && <Text size="sm">{endpoint.description}</Text>}
      <Text size="sm" className="quiet">
        {endpoint.events === null ? 'All events' : endpoint.events.join(', ')} · {zonesInWords(endpoint.zones)}
      </Text>
    </Stack>
  )
}
