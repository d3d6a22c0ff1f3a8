import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { Failure } from '../ui/feedback.tsx'
import { eventChoices } from '../util/event-choices.ts'

/** A new endpoint: where to, and which events. */
export function WebhookForm({
  onMade,
  onCancel,
}: {
  onMade: (endpoint: Answer<'createWebhook'>) => void
  onCancel: () => void
}) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [scope, setScope] = useState<'all' | 'some'>('all')
  const [events, setEvents] = useState<string[]>([])
  const make = useMutation({
    mutationFn: () =>
      call('createWebhook', {
        body: { url: url.trim(), description: description.trim(), ...(scope === 'some' && { events }) },
      }),
    onSuccess: onMade,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
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
        {scope === 'some' && (
          <Checkbox.Group label="Which events" value={events} onChange={setEvents}>
            <Stack gap={8} mt={4}>
              {eventChoices.map(({ value, says }) => (
                <Checkbox key={value} value={value} label={value} description={says} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <Failure error={make.error} />
        <Group>
          <Button type="submit" loading={make.isPending} disabled={scope === 'some' && events.length === 0}>
            Add the endpoint
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
