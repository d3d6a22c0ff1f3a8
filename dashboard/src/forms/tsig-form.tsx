import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type TsigClient, tsigClients } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call, type Item, urlOf } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { CopyText } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { NeedsTwoFactor } from './needs-two-factor.tsx'
import { ProofForm } from './proof-form.tsx'

/** The names of clients as their makers write them. */
const clientNames: Readonly<Record<TsigClient, string>> = {
  nsupdate: 'nsupdate',
  certbot: 'certbot',
  lego: 'lego',
  'cert-manager': 'cert-manager',
  'external-dns': 'ExternalDNS',
  terraform: 'Terraform (hashicorp/dns)',
  kea: 'Kea DHCP-DDNS',
  bind: 'BIND, as a secondary',
  knot: 'Knot DNS, as a secondary',
  nsd: 'NSD, as a secondary',
  powerdns: 'PowerDNS, as a secondary',
}

/** Creates, replaces or deletes the TSIG secret of a key. The secret is shown once. */
export function TsigForm({
  apiKey: { id, name, tsig },
  mayCode,
  onMade,
  onClose,
}: {
  apiKey: Item<'listKeys'>
  mayCode: boolean
  /** Shows the secret. Without it, the form does. */
  onMade?: (made: Answer<'createTsig'>) => void
  /** Undefined: nothing to go back to. */
  onClose: (() => void) | undefined
}) {
  const [made, setMade] = useState<Answer<'createTsig'>>()
  const [isDeleting, setDeleting] = useState(false)
  const deletion = useMutation({
    mutationFn: () => call('deleteTsig', { params: { id } }),
    onSuccess: async () => {
      toast(`The TSIG secret of ${name} is deleted.`)
      await renew(keys.apiKeys)
      onClose?.()
    },
  })
  if (made !== undefined) return <MadeTsig keyId={id} of={name} made={made} onClose={() => onClose?.()} />
  return (
    <Section
      title={`TSIG secret of ${name}`}
      lead="Programs sign DNS updates, queries and zone transfers with it: nsupdate, certbot, Kea and others. They can do what the key can do."
    >
      {tsig !== null && (
        <Text size="sm">
          The key has a TSIG secret, created <When at={tsig.created_at} />. A new one replaces it immediately.
        </Text>
      )}
      {mayCode ? (
        <ProofForm
          asks={['code']}
          codeLabel="Code for the TSIG secret"
          action={tsig === null ? 'Create the TSIG secret' : 'Replace the TSIG secret'}
          {...(onClose && { onCancel: onClose })}
          onProve={async ({ code }) => {
            const made = await call('createTsig', { params: { id }, body: { code } })
            if (onMade) onMade(made)
            else setMade(made)
            await renew(keys.apiKeys)
          }}
        />
      ) : (
        <NeedsTwoFactor what="A TSIG secret" />
      )}
      {tsig !== null && (
        <Group>
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete the TSIG secret
          </Button>
          <ConfirmDialog
            opened={isDeleting}
            title={`Delete the TSIG secret of ${name}`}
            action="Delete the TSIG secret"
            error={deletion.error}
            isBusy={deletion.isPending}
            onConfirm={() => deletion.mutate()}
            onClose={() => setDeleting(false)}
          >
            Programs that use it are refused immediately.
          </ConfirmDialog>
        </Group>
      )}
    </Section>
  )
}

/** The secret, from the only response that has it, and a configuration for the program that uses it. */
function MadeTsig({
  keyId: id,
  of,
  made,
  onClose,
}: {
  keyId: string
  of: string
  made: Answer<'createTsig'>
  onClose: () => void
}) {
  const [client, setClient] = useState<TsigClient>('nsupdate')
  return (
    <Section title={`TSIG secret of ${of}`} lead="It is shown only once. Store it where your program can read it.">
      <Stack gap="sm">
        <CopyText text={made.secret} what="the TSIG secret" />
        <Text size="sm">
          Name: <span className="mono">{made.name}</span>, algorithm: <span className="mono">{made.algorithm}</span>
        </Text>
        <Group align="flex-end">
          <Select
            label="Configuration for"
            data={tsigClients.map((value) => ({ value, label: clientNames[value] }))}
            value={client}
            allowDeselect={false}
            onChange={(value) => setClient(tsigClients.find((each) => each === value) ?? client)}
          />
          <Button
            component="a"
            href={urlOf('getTsigConfig', { params: { id }, query: { for: client } })}
            download={`${made.name}.${client}.txt`}
            variant="default"
          >
            Download
          </Button>
        </Group>
        <Text size="sm" className="quiet">
          The file has SECRET in place of the secret.
        </Text>
        <Group>
          <Button onClick={onClose}>I have saved it</Button>
        </Group>
      </Stack>
    </Section>
  )
}
