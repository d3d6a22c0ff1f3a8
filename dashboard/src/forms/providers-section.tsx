import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireLinkedProvider } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { type SignInProvider, signInProviders } from '../util/sign-in-providers.ts'
import { asksOf, ProofForm, proofOf } from './proof-form.tsx'

interface Account {
  readonly two_factor: boolean
}

/** The sign-in providers of the account. Shows nothing if the service offers none and none is linked. */
export function ProvidersSection({ account }: { account: Account }) {
  const linked = useQuery(queries.linkedProviders())
  if (signInProviders.length === 0 && (linked.data?.items.length ?? 0) === 0) return null
  return (
    <Section
      title="Sign-in providers"
      lead="Sign in with an account that you have elsewhere, in place of your password. If two-factor authentication is on, a code is still required."
    >
      <Loaded of={linked}>
        {({ items }) => (
          <Stack gap="md">
            {items.length > 0 && (
              <Stack gap="sm" role="list" aria-label="Linked providers">
                {items.map((provider) => (
                  <LinkedRow key={provider.id} provider={provider} account={account} />
                ))}
              </Stack>
            )}
            <LinkAnother account={account} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function LinkedRow({ provider, account }: { provider: WireLinkedProvider; account: Account }) {
  const { id, name, email, usable, created_at: createdAt, last_used_at: lastUsedAt } = provider
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const action = `Unlink ${email === null ? name : `${name} (${email})`}`
  return (
    <Stack gap="xs" role="listitem">
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text className="breakable">{email === null ? name : `${name}: ${email}`}</Text>
            {!usable && <Badge className="badge-orange">No longer usable</Badge>}
          </Group>
          <Text size="sm" className="quiet">
            Linked <When at={createdAt} />,{' '}
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <When at={lastUsedAt} />
              </>
            )}
            {!usable && '. This service no longer offers this provider: use your password'}
          </Text>
        </div>
        <Button size="xs" variant="default" aria-label={action} onClick={() => setOpen(true)}>
          Unlink
        </Button>
      </Group>
      {isOpen && (
        <ProofForm
          asks={asksOf(account)}
          action={action}
          isDangerous
          onCancel={close}
          onProve={async (proof) => {
            await call('unlinkProvider', { params: { id }, body: proofOf(account, proof) })
            close()
            await renew(keys.linkedProviders)
          }}
        >
          It no longer signs in. Sessions that it has opened stay until you sign them out.
        </ProofForm>
      )}
    </Stack>
  )
}

function LinkAnother({ account }: { account: Account }) {
  const [chosen, setChosen] = useState<SignInProvider>()
  if (chosen === undefined)
    return (
      <Group>
        {signInProviders.map((provider) => (
          <Button key={provider.id} variant="default" onClick={() => setChosen(provider)}>
            Link {provider.name}
          </Button>
        ))}
      </Group>
    )
  const { id: provider, name } = chosen
  return (
    <ProofForm
      key={provider}
      asks={asksOf(account)}
      passwordLabel={`Your password, for ${name}`}
      codeLabel={`Code for ${name}`}
      action={`Continue to ${name}`}
      onCancel={() => setChosen(undefined)}
      onProve={async (proof) => {
        const { url } = await call('beginProviderLink', { body: { provider, ...proofOf(account, proof) } })
        location.assign(url)
      }}
    >
      You sign in to {name} next, and come back here.
    </ProofForm>
  )
}
