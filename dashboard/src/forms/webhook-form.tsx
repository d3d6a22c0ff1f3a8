import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Failure, Loaded } from '../ui/feedback.tsx'

/** An endpoint: its URL and its events. Without `endpoint`, the form creates a new one. */
export function WebhookForm({
  endpoint,
  onMade,
  onChanged,
  onCancel,
}: {
  endpoint?: Answer<'getWebhook'>
  onMade?: (endpoint: Answer<'createWebhook'>) => void
  onChanged?: () => void
  onCancel: () => void
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [scope, setScope] = useState<'all' | 'some'>(endpoint && endpoint.events !== null ? 'some' : 'all')
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? [])
  const body = { url: url.trim(), description: description.trim(), events: scope === 'all' ? null : events }
  const save = useMutation({
    mutationFn: async () => {
      if (endpoint) {
        await call('changeWebhook', { params: { id: endpoint.id }, body })
        onChanged?.()
      } else onMade?.(await call('createWebhook', { body }))
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Address"
          description="A public https:// address of yours."
          placeholder="https://example.com/hooks"
          required
          withAsterisk={false}
          value={url}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label="Description"
          value={description}
          maxLength={500}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Radio.Group label="Events" value={scope} onChange={(value) => setScope(value as 'all' | 'some')}>
          <Stack gap={6} mt={4}>
            <Radio value="all" label="Every event, later types too" />
            <Radio value="some" label="Only these" />
          </Stack>
        </Radio.Group>
        {scope === 'some' && <EventsPicker value={events} onChange={setEvents} />}
        <Failure error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={scope === 'some' && events.length === 0}>
            {endpoint ? 'Save' : 'Add the endpoint'}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function EventsPicker({ value, onChange }: { value: string[]; onChange: (events: string[]) => void }) {
  const types = useQuery(queries.eventTypes())
  return (
    <Loaded of={types}>
      {({ data, groups }) => (
        <Checkbox.Group label="Which events" value={value} onChange={onChange}>
          <Stack gap={8} mt={4}>
            {groups.map((group) => (
              <Checkbox
                key={group}
                value={group}
                label={group}
                description={`Every ${group.slice(0, -2)} event, later ones too.`}
              />
            ))}
            {data
              .filter(({ type }) => type !== 'ping')
              .map(({ type, description }) => (
                <Checkbox key={type} value={type} label={type} description={description} />
              ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Loaded>
  )
}
