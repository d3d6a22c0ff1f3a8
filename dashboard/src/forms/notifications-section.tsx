import { Badge, Button, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { NotificationTopic, WireNotificationAddress } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { topicNames, topicWords } from '../util/notification-words.ts'

type Notifications = Answer<'getNotifications'>

const renewAll = (): Promise<void> => renew(keys.notifications)

/** What is emailed, and to whom. */
export function NotificationsSection() {
  const notifications = useQuery(queries.notifications())
  return (
    <Section title="Email notifications" lead="What we email to you, and to others whom you choose.">
      <Loaded of={notifications}>
        {(data) => (
          <Stack gap="lg">
            <OwnTopics notifications={data} />
            {data.addresses.length > 0 && (
              <Stack gap="md" role="list" aria-label="Further addresses">
                {data.addresses.map((address) => (
                  <AddressRow key={address.email} address={address} />
                ))}
              </Stack>
            )}
            <AddAddress />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function OwnTopics({ notifications: { email, muted } }: { notifications: Notifications }) {
  const mute = useMutation({
    mutationFn: (topics: Notifications['muted']) => call('muteNotifications', { body: { muted: topics } }),
    onSuccess: (changed) => queryClient.setQueryData(keys.notifications, changed),
  })
  // The choice appears immediately, and is reverted if it could not be saved.
  const shown = mute.isPending ? mute.variables : muted
  return (
    <Stack gap="sm">
      <Text size="sm">{email} always gets the urgent emails. Turn the others off if you do not want them.</Text>
      {topicWords.map(({ topic, name, always, optional }) => (
        <Group key={topic} justify="space-between" wrap="nowrap" align="flex-start" gap="md">
          <div>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm" className="quiet">
              Always: {always}
            </Text>
            {optional !== undefined && (
              <Text size="sm" className="quiet">
                Optional: {optional}
              </Text>
            )}
          </div>
          {optional !== undefined && topic !== 'security' && (
            <Switch
              aria-label={`Optional emails: ${name}`}
              checked={!shown.includes(topic)}
              disabled={mute.isPending}
              onChange={({ currentTarget }) =>
                mute.mutate(currentTarget.checked ? muted.filter((each) => each !== topic) : [...muted, topic])
              }
            />
          )}
        </Group>
      ))}
      <Failure error={mute.error} />
    </Stack>
  )
}

function AddressRow({ address }: { address: WireNotificationAddress }) {
  const { email, topics, state } = address
  const [doing, setDoing] = useState<'change' | 'remove'>()
  const done = async (): Promise<void> => {
    setDoing(undefined)
    await renewAll()
  }
  const resend = useMutation({
    mutationFn: () => call('addNotificationAddress', { body: { email, topics } }),
    onSuccess: () => toast(`The link was sent to ${email}.`),
  })
  const remove = useMutation({
    mutationFn: () => call('removeNotificationAddress', { params: { email } }),
    onSuccess: done,
  })
  return (
    <Stack gap="xs" role="listitem">
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text fw={600} className="breakable">
              {email}
            </Text>
            {state === 'confirmed' ? (
              <Badge className="badge-green">Confirmed</Badge>
            ) : (
              <Badge className="badge-orange">Not confirmed</Badge>
            )}
          </Group>
          <Text size="sm" className="quiet">
            {topicNames(topics)}
          </Text>
        </div>
        <Group gap="xs">
          {state === 'unconfirmed' && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Resend the link to ${email}`}
              loading={resend.isPending}
              onClick={() => resend.mutate()}
            >
              Resend
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            aria-label={`Change the topics of ${email}`}
            onClick={() => setDoing('change')}
          >
            Change
          </Button>
          <Button size="xs" variant="default" aria-label={`Remove ${email}`} onClick={() => setDoing('remove')}>
            Remove
          </Button>
        </Group>
      </Group>
      <Failure error={resend.error} />
      {doing === 'change' && <ChangeTopics address={address} onDone={done} onCancel={() => setDoing(undefined)} />}
      <ConfirmDialog
        opened={doing === 'remove'}
        title={`Remove ${email}`}
        action="Remove"
        error={remove.error}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setDoing(undefined)}
      >
        {email} no longer gets emails of this account.
      </ConfirmDialog>
    </Stack>
  )
}

function ChangeTopics({
  address: { email, topics: before },
  onDone,
  onCancel,
}: {
  address: WireNotificationAddress
  onDone: () => Promise<void>
  onCancel: () => void
}) {
  const [topics, setTopics] = useState<readonly NotificationTopic[]>(before)
  const change = useMutation({
    mutationFn: () => call('changeNotificationAddress', { params: { email }, body: { topics: [...topics] } }),
    onSuccess: onDone,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack gap="sm">
        <TopicChoice label={`Topics of ${email}`} topics={topics} onChange={setTopics} />
        <Failure error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={topics.length === 0}>
            Save
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function AddAddress() {
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [topics, setTopics] = useState<readonly NotificationTopic[]>(['zones', 'domains'])
  const add = useMutation({
    mutationFn: () => call('addNotificationAddress', { body: { email: email.trim(), topics: [...topics] } }),
    onSuccess: async () => {
      toast(`A link was sent to ${email.trim()}. The address gets emails once its reader confirms.`)
      setOpen(false)
      setEmail('')
      await renewAll()
    },
  })
  if (!isOpen)
    return (
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          Add an address
        </Button>
      </Group>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Stack gap="sm" maw={480}>
        <TextInput
          label="Further address"
          description="It gets a link. Nothing else is sent there before its reader confirms."
          type="email"
          required
          withAsterisk={false}
          maxLength={254}
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TopicChoice label="Topics" topics={topics} onChange={setTopics} />
        <Failure error={add.error} />
        <Group>
          <Button type="submit" loading={add.isPending} disabled={topics.length === 0}>
            Send the link
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function TopicChoice({
  label,
  topics,
  onChange,
}: {
  label: string
  topics: readonly NotificationTopic[]
  onChange: (topics: readonly NotificationTopic[]) => void
}) {
  return (
    <Checkbox.Group label={label} value={[...topics]} onChange={(chosen) => onChange(chosen as NotificationTopic[])}>
      <Group gap="md" mt={4}>
        {topicWords.map(({ topic, name }) => (
          <Checkbox key={topic} value={topic} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
