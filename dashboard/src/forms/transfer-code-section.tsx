import { Button, Group, Stack, Text } from '@mantine/core'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { CopyText } from '../ui/copy.tsx'
import { Section } from '../ui/page.tsx'
import { NeedsTwoFactor } from './needs-two-factor.tsx'
import { ProofForm } from './proof-form.tsx'

/** The code with which another registrar can transfer a domain. It requires a two-factor code and is shown once. */
export function TransferCodeSection({ domain: { name, locked }, mayCode }: { domain: WireDomain; mayCode: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const [shown, setShown] = useState<string>()
  return (
    <Section
      title="Transfer code"
      lead="To move the domain to another registrar. Each time, a new code is set and the previous one stops working."
    >
      {shown !== undefined && (
        <Stack gap="sm">
          <CopyText text={shown} what="the transfer code" />
          <Text size="sm">It is shown only once. Give it only to the registrar that the domain moves to.</Text>
          <Group>
            <Button onClick={() => setShown(undefined)}>I have saved it</Button>
          </Group>
        </Stack>
      )}
      {shown === undefined && locked && (
        <Text size="sm">Unlock the domain first. A locked domain cannot be transferred.</Text>
      )}
      {shown === undefined && !locked && !isAsking && (
        <Group>
          <Button variant="default" onClick={() => setAsking(true)}>
            Show the transfer code
          </Button>
        </Group>
      )}
      {shown === undefined && !locked && isAsking && !mayCode && <NeedsTwoFactor what="The transfer code" />}
      {shown === undefined && !locked && isAsking && mayCode && (
        <ProofForm
          asks={['code']}
          codeLabel="Code for the transfer code"
          action="Show it"
          onCancel={() => setAsking(false)}
          onProve={async ({ code }) => {
            try {
              const answer = await call('revealTransferCode', { params: { name }, body: { code } })
              setShown(answer.transfer_code)
              setAsking(false)
            } finally {
              await renew(keys.domain(name))
            }
          }}
        />
      )}
    </Section>
  )
}
