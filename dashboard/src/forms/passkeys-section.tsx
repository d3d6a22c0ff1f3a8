import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WirePasskey } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { createPasskey } from '../api/new-passkey.ts'
import { hasPasskeys } from '../api/passkey.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { brand } from '../util/brand.ts'
import { browserOf } from '../util/browser-of.ts'
import { asksOf, ProofForm, proofOf } from './proof-form.tsx'

interface Account {
  readonly two_factor: boolean
}

const renewPasskeys = (): Promise<void> => renew(keys.passkeys)

/** Passkeys: sign in with a finger, a face or a PIN, in place of the password and the code. */
export function PasskeysSection({ account }: { account: Account }) {
  const passkeys = useQuery(queries.passkeys())
  return (
    <Section
      title="Passkeys"
      lead="Sign in with a finger, a face or a PIN in place of your password and code. If you lose a passkey, your password still works."
    >
      <Loaded of={passkeys}>
        {({ items }) => (
          <Stack gap="md">
            {items.length > 0 && (
              <Stack gap="sm" role="list" aria-label="Passkeys">
                {items.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} account={account} />
                ))}
              </Stack>
            )}
            <AddPasskey account={account} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function PasskeyRow({ passkey, account }: { passkey: WirePasskey; account: Account }) {
  const { id, name, synced, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const close = (): void => setDoing(undefined)
  return (
    <Stack gap="xs" role="listitem">
      <Group justify="space-between">
        <div>
          <Text className="breakable">{name}</Text>
          <Text size="sm" className="quiet">
            Added <When at={createdAt} />,{' '}
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <When at={lastUsedAt} />
              </>
            )}
            {synced && '. Your password manager can have it on several devices'}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-label={`Rename ${name}`} onClick={() => setDoing('rename')}>
            Rename
          </Button>
          <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={() => setDoing('remove')}>
            Remove
          </Button>
        </Group>
      </Group>
      {doing === 'rename' && <RenameForm passkey={passkey} onDone={close} />}
      {doing === 'remove' && (
        <ProofForm
          asks={asksOf(account)}
          action={`Remove ${name}`}
          isDangerous
          onCancel={close}
          onProve={async (proof) => {
            await call('removePasskey', { params: { id }, body: proofOf(account, proof) })
            close()
            await renewPasskeys()
          }}
        >
          It no longer signs in. Sessions that it has opened stay until you sign them out.
        </ProofForm>
      )}
    </Stack>
  )
}

function RenameForm({ passkey, onDone }: { passkey: WirePasskey; onDone: () => void }) {
  const [name, setName] = useState(passkey.name)
  const rename = useMutation({
    mutationFn: () => call('renamePasskey', { params: { id: passkey.id }, body: { name: name.trim() } }),
    onSuccess: async () => {
      onDone()
      await renewPasskeys()
    },
  })
  return (
    <OneLineForm
      button="Save the name"
      variant="default"
      loading={rename.isPending}
      disabled={name.trim() === ''}
      below={<Failure error={rename.error} />}
      onSend={() => rename.mutate()}
    >
      <TextInput
        label="Name of the passkey"
        value={name}
        maxLength={60}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </OneLineForm>
  )
}

function AddPasskey({ account }: { account: Account }) {
  const [isOpen, setOpen] = useState(false)
  if (!hasPasskeys())
    return (
      <Text size="sm">
        Passkeys are not available in this browser at this address. Open the service by its host name, in a current
        browser.
      </Text>
    )
  if (!isOpen)
    return (
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          Add a passkey
        </Button>
      </Group>
    )
  return (
    <ProofForm
      asks={asksOf(account)}
      passwordLabel="Your password, for the passkey"
      codeLabel="Code for the passkey"
      action="Continue"
      onCancel={() => setOpen(false)}
      onProve={async (proof) => {
        const options = await call('beginPasskey', { body: proofOf(account, proof) })
        const answer = await createPasskey({ ...options, service: brand.name })
        await call('createPasskey', { body: { ...answer, name: browserOf(navigator.userAgent) } })
        toast('The passkey is added. Use it the next time that you sign in.')
        setOpen(false)
        await renewPasskeys()
      }}
    >
      Your browser then asks where to keep the passkey.
    </ProofForm>
  )
}
