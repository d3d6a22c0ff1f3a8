import { Button, Checkbox, Group, MultiSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { headerLimits, maxEndpointZones } from '@zonewright/contract'
import { type ReactNode, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { webhookQueries } from '../api/webhook-queries.ts'
import { useRequestKey } from '../components/use-request-key.ts'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { useFaults } from './use-faults.tsx'

/** An endpoint: its URL, its events, its zones and its headers. Without `endpoint`, the form creates a new one. */
export function WebhookForm({
  endpoint,
  onMade,
  onSecretLost,
  onChanged,
  onCancel,
}: {
  endpoint?: Answer<'getWebhook'>
  onMade?: (endpoint: Answer<'createWebhook'>) => void
  /** It was created by an earlier try, whose response with the secret was lost. */
  onSecretLost?: (url: string) => void
  onChanged?: () => void
  onCancel: () => void
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [scope, setScope] = useState<'all' | 'some'>(endpoint && endpoint.events !== null ? 'some' : 'all')
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? [])
  const [zoneScope, setZoneScope] = useState<'all' | 'some'>(endpoint && endpoint.zones !== null ? 'some' : 'all')
  const [zones, setZones] = useState<string[]>(endpoint?.zones?.map(({ id }) => id) ?? [])
  const [headers, setHeaders] = useState<TypedHeader[]>(
    endpoint?.headers.map(({ name }, key) => ({ key, name, value: '', isKept: true })) ?? [],
  )
  const sentHeaders = headers.filter(({ name, value }) => name !== '' || value !== '')
  const body = {
    url: url.trim(),
    description: description.trim(),
    events: scope === 'all' ? null : events,
    zones: zoneScope === 'all' ? null : zones,
    headers: sentHeaders.map(({ name, value, isKept }) => ({
      name: name.trim(),
      ...((value !== '' || !isKept) && { value: value.trim() }),
    })),
  }
  const requestKey = useRequestKey()
  const save = useMutation({
    mutationFn: async () => {
      if (endpoint) {
        await call('changeWebhook', { params: { id: endpoint.id }, body })
        onChanged?.()
        return
      }
      try {
        onMade?.(await call('createWebhook', { body, headers: requestKey.headersFor(body) }))
      } catch (error) {
        if (!failedWith(error, 'idempotency_replayed')) throw error
        onSecretLost?.(body.url)
      }
    },
    onSuccess: requestKey.done,
  })
  const { form, faultOf } = useFaults(save.error)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="URL"
          description="A public https:// URL of your server."
          placeholder="https://example.com/hooks"
          required
          withAsterisk={false}
          value={url}
          error={faultOf('/url')}
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
            <Radio value="all" label="All events, including future types" />
            <Radio value="some" label="Only these" />
          </Stack>
        </Radio.Group>
        {scope === 'some' && <EventsPicker value={events} error={faultOf('/events')} onChange={setEvents} />}
        <Radio.Group label="Zones" value={zoneScope} onChange={(value) => setZoneScope(value as 'all' | 'some')}>
          <Stack gap={6} mt={4}>
            <Radio value="all" label="All zones, and orders" />
            <Radio value="some" label="Only some zones" />
          </Stack>
        </Radio.Group>
        {zoneScope === 'some' && <ZonesPicker value={zones} error={faultOf('/zones')} onChange={setZones} />}
        <HeaderFields
          value={headers}
          faultOf={(header, part) => faultOf(`/headers/${sentHeaders.indexOf(header)}/${part}`)}
          onChange={setHeaders}
        />
        <Failure error={save.error} />
        <Group>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={(scope === 'some' && events.length === 0) || (zoneScope === 'some' && zones.length === 0)}
          >
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

interface PickerProps {
  readonly value: string[]
  readonly error: ReactNode
  readonly onChange: (value: string[]) => void
}

function ZonesPicker({ value, error, onChange }: PickerProps) {
  const zones = useQuery(queries.zones())
  return (
    <Loaded of={zones}>
      {({ items }) => (
        <MultiSelect
          label="Which zones"
          description={`At most ${maxEndpointZones}. The endpoint gets no order events.`}
          placeholder="Search for a zone"
          data={items.map(({ id, unicode_name: label }) => ({ value: id, label }))}
          value={value}
          error={error}
          maxValues={maxEndpointZones}
          searchable
          limit={50}
          onChange={onChange}
        />
      )}
    </Loaded>
  )
}

interface TypedHeader {
  readonly key: number
  readonly name: string
  readonly value: string
  /** The endpoint has a value for it. An empty field keeps it. */
  readonly isKept: boolean
}

function HeaderFields({
  value,
  faultOf,
  onChange,
}: {
  value: TypedHeader[]
  faultOf: (header: TypedHeader, part: 'name' | 'value') => ReactNode
  onChange: (headers: TypedHeader[]) => void
}) {
  const change = (key: number, part: Partial<TypedHeader>): void =>
    onChange(value.map((each) => (each.key === key ? { ...each, ...part } : each)))
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          Your own headers
        </Text>
        <Text size="sm" className="quiet">
          Sent with each request. Their values are encrypted and never shown again.
        </Text>
      </div>
      {value.map((header, n) => (
        <Group key={header.key} gap="xs" align="flex-end">
          <TextInput
            label={`Header ${n + 1}`}
            placeholder="X-Api-Key"
            value={header.name}
            error={faultOf(header, 'name')}
            maxLength={headerLimits.name}
            readOnly={header.isKept}
            autoComplete="off"
            spellCheck={false}
            flex="1 1 160px"
            onChange={(event) => change(header.key, { name: event.currentTarget.value })}
          />
          <TextInput
            label={`Value of header ${n + 1}`}
            placeholder={header.isKept ? 'Unchanged' : ''}
            value={header.value}
            error={faultOf(header, 'value')}
            maxLength={headerLimits.value}
            autoComplete="off"
            spellCheck={false}
            flex="2 1 200px"
            onChange={(event) => change(header.key, { value: event.currentTarget.value })}
          />
          <Button
            variant="default"
            aria-label={`Remove header ${n + 1}`}
            onClick={() => onChange(value.filter((each) => each.key !== header.key))}
          >
            Remove
          </Button>
        </Group>
      ))}
      {value.length < headerLimits.headers && (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              onChange([
                ...value,
                { key: Math.max(-1, ...value.map(({ key }) => key)) + 1, name: '', value: '', isKept: false },
              ])
            }
          >
            Add a header
          </Button>
        </div>
      )}
    </Stack>
  )
}

function EventsPicker({ value, error, onChange }: PickerProps) {
  const types = useQuery(webhookQueries.eventTypes())
  return (
    <Loaded of={types}>
      {({ data, groups }) => (
        <Checkbox.Group label="Which events" value={value} error={error} onChange={onChange}>
          <Stack gap={8} mt={4}>
            {groups.map((group) => (
              <Checkbox
                key={group}
                value={group}
                label={group}
                description={`All ${group.slice(0, -2)} events, including future types.`}
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
