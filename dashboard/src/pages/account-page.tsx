import { Badge, Button, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '../api/auth.ts'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { DeleteAccountForm } from '../forms/delete-account-form.tsx'
import { EmailForm } from '../forms/email-form.tsx'
import { NotificationsSection } from '../forms/notifications-section.tsx'
import { PasskeysSection } from '../forms/passkeys-section.tsx'
import { PasswordForm } from '../forms/password-form.tsx'
import { ProvidersSection } from '../forms/providers-section.tsx'
import { SetPassword } from '../forms/set-password.tsx'
import { TwoFactorSection } from '../forms/two-factor-section.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { Page, Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { useSingleKeys } from '../ui/use-shortcut.ts'
import { When } from '../ui/when.tsx'
import { browserOf } from '../util/browser-of.ts'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'
import { inWords, setTimeZone } from '../util/time.ts'

type Account = Answer<'getAccount'>

export function AccountPage() {
  const account = useQuery(queries.account())
  return (
    <Page title="Account">
      <Loaded of={account}>
        {(data) => (
          <>
            <ProfileSection account={data} />
            <TimeZoneSection account={data} />
            <TwoFactorSection account={data} />
            <Section title="Password" lead="Changing it ends all your other sessions.">
              {data.has_password ? <PasswordForm account={data} /> : <SetPassword email={data.email} />}
            </Section>
            <PasskeysSection account={data} />
            <ProvidersSection account={data} />
            <SessionsSection />
            <NotificationsSection />
            <CreditSection />
            <KeyboardSection />
            <Section
              title="Delete the account"
              lead="Your sessions and keys stop working immediately. Your zones stay live for 7 days, during which support can undo the deletion. Then they are erased."
            >
              <DeleteAccountForm account={data} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function KeyboardSection() {
  const [isOn, set] = useSingleKeys()
  return (
    <Section
      title="Keyboard"
      lead="/ moves to the filter of a list, and n adds records. This browser stores the setting."
    >
      <Switch label="Single keys" checked={isOn} onChange={(event) => set(event.currentTarget.checked)} />
    </Section>
  )
}

function ProfileSection({ account }: { account: Account }) {
  const [name, setName] = useState(account.name)
  const save = useMutation({
    mutationFn: () => call('changeAccount', { body: { name } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(keys.account, changed)
      toast('Saved.')
    },
  })
  return (
    <Section title="Profile">
      <Group gap="xs">
        <Text>{account.email}</Text>
        {account.email_confirmed ? (
          <Badge className="badge-green">Confirmed</Badge>
        ) : (
          <Badge className="badge-orange">Not confirmed</Badge>
        )}
      </Group>
      <Text size="sm" className="quiet">
        Created <When at={account.created_at} />.
      </Text>
      <OneLineForm
        button="Save the name"
        variant="default"
        loading={save.isPending}
        disabled={name.trim() === account.name}
        onSend={() => save.mutate()}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          autoComplete="name"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </OneLineForm>
      <Failure error={save.error} />
      <EmailForm account={account} />
    </Section>
  )
}

function TimeZoneSection({ account }: { account: Account }) {
  const save = useMutation({
    mutationFn: (timeZone: string | null) => call('changeAccount', { body: { time_zone: timeZone } }),
    onSuccess: (changed) => {
      setTimeZone(changed.time_zone)
      queryClient.setQueryData(keys.account, changed)
      toast('Saved.')
    },
  })
  return (
    <Section title="Time zone" lead="Times are shown in this time zone, in every browser that you use. Emails use UTC.">
      <NativeSelect
        label="Time zone"
        maw={320}
        value={account.time_zone ?? ''}
        disabled={save.isPending}
        onChange={({ currentTarget }) => save.mutate(currentTarget.value === '' ? null : currentTarget.value)}
      >
        <option value="">Same as browser</option>
        {zonesWith(account.time_zone).map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </NativeSelect>
      <Failure error={save.error} />
    </Section>
  )
}

/** The time zones that this browser knows, and the chosen one, which may be from another browser. */
function zonesWith(chosen: string | null): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return chosen === null || known.includes(chosen) ? known : [chosen, ...known]
}

function CreditSection() {
  const credit = useQuery(queries.credit())
  return (
    <Section title="Credit" actions={<TextLink {...paths.credit()}>Show all entries</TextLink>}>
      <Loaded of={credit}>{({ available_kobo: available }) => <Text>{naira(available)} is available.</Text>}</Loaded>
    </Section>
  )
}

function SessionsSection() {
  const sessions = useQuery(queries.sessions())
  const renewSessions = () => renew(keys.sessions)
  const end = useMutation({ mutationFn: auth.endSession, onSuccess: renewSessions })
  const endOthers = useMutation({
    mutationFn: auth.endOtherSessions,
    onSuccess: async () => {
      toast('All other sessions are signed out.')
      await renewSessions()
    },
  })
  return (
    <Section
      title="Sessions"
      lead="The browsers in which you are signed in, with their addresses. Sign out those that you do not know, and change your password."
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <Button size="xs" variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out other sessions
          </Button>
        )
      }
    >
      <Failure error={end.error ?? endOthers.error} />
      <Loaded of={sessions}>
        {(list) => (
          <Stack gap="sm" role="list" aria-label="Sessions">
            {list.map((session) => {
              const browser = browserOf(session.userAgent ?? '')
              return (
                <Group key={session.id} justify="space-between" role="listitem">
                  <div>
                    <Group gap="xs">
                      <Text>{browser}</Text>
                      {session.isCurrent && <Badge className="badge-green">This device</Badge>}
                    </Group>
                    <Text size="sm" className="quiet">
                      From {session.ipAddress || 'an unknown address'}, signed in <When at={session.createdAt} />
                    </Text>
                  </div>
                  {!session.isCurrent && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Sign out ${browser}, signed in ${inWords(session.createdAt)}`}
                      loading={end.isPending && end.variables === session.token}
                      onClick={() => end.mutate(session.token)}
                    >
                      Sign out
                    </Button>
                  )}
                </Group>
              )
            })}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
