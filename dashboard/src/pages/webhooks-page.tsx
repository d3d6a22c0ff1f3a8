import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { DocsLink } from '../components/docs-link.tsx'
import { DisabledBadge, OutcomeBadge } from '../components/outcome-badge.tsx'
import { SecretOnce } from '../components/secret-once.tsx'
import { WebhookForm } from '../forms/webhook-form.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

/** How often the state of the endpoints is refreshed. */
const pauseMs = 5_000

type Endpoint = Item<'listWebhooks'>

export function WebhooksPage() {
  const endpoints = useQuery({ ...queries.webhooks(), refetchInterval: pauseMs })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Answer<'createWebhook'>>()
  return (
    <Page
      title="Webhooks"
      lead="Signed requests notify your servers of events."
      actions={
        !isMaking && (
          <Button
            onClick={() => {
              setMade(undefined)
              setMaking(true)
            }}
          >
            Add an endpoint
          </Button>
        )
      }
    >
      {made && <SecretOnce of={made.url} secret={made.secret} onClose={() => setMade(undefined)} />}
      {isMaking && (
        <Section title="New endpoint">
          <WebhookForm
            onCancel={() => setMaking(false)}
            onMade={(endpoint) => {
              setMaking(false)
              setMade(endpoint)
              void renew(keys.webhooks)
            }}
          />
        </Section>
      )}
      <Loaded of={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="webhook" title="No endpoints yet">
              Add the https address of a server of yours. Every event can go there, or only some.{' '}
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
  return (
    <Stack gap={6} p="md" className="card">
      <Group gap="xs">
        <TextLink {...paths.webhook(endpoint.id)} fw={600} className="breakable">
          {endpoint.url}
        </TextLink>
        {endpoint.state === 'disabled' && <DisabledBadge of={endpoint} />}
        {endpoint.status && <OutcomeBadge of={{ ...endpoint, status: endpoint.status }} />}
      </Group>
      {endpoint.description !== '' && <Text size="sm">{endpoint.description}</Text>}
      <Text size="sm" className="quiet">
        {endpoint.events === null ? 'Every event' : endpoint.events.join(', ')}
      </Text>
    </Stack>
  )
}
