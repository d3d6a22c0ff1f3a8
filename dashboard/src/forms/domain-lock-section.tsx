import { Badge, Button, Group, Text } from '@mantine/core'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Failure } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { may } from '../util/may.ts'
import { NeedsTwoFactor } from './needs-two-factor.tsx'
import { ProofForm } from './proof-form.tsx'
import { keepDomain, useDomainChange } from './use-domain-change.ts'

/** Whether a domain can be transferred away. New domains are locked. Unlocking requires a code. */
export function DomainLockSection({ domain, mayCode }: { domain: WireDomain; mayCode: boolean }) {
  const { name, locked } = domain
  const [isOpening, setOpening] = useState(false)
  const lock = useDomainChange(
    name,
    () => call('lockDomain', { params: { name } }),
    () => `${name} is locked.`,
  )
  return (
    <Section
      title="Lock"
      lead="A locked domain cannot be transferred to another registrar. New domains are locked automatically."
      actions={
        locked ? <Badge className="badge-green">Locked</Badge> : <Badge className="badge-orange">Not locked</Badge>
      }
    >
      {!locked && (
        <Group>
          <Button loading={lock.isPending} onClick={() => lock.mutate()}>
            Lock it
          </Button>
        </Group>
      )}
      <Failure error={lock.error} />
      {locked && !may.ruleDomain(domain) && <Text size="sm">Only its owner can unlock it.</Text>}
      {locked && may.ruleDomain(domain) && !isOpening && (
        <Group>
          <Button variant="default" onClick={() => setOpening(true)}>
            Unlock it
          </Button>
        </Group>
      )}
      {locked && isOpening && !mayCode && <NeedsTwoFactor what="Unlocking" />}
      {locked && isOpening && mayCode && (
        <ProofForm
          asks={['code']}
          codeLabel="Code for unlocking"
          action={`Unlock ${name}`}
          isDangerous
          onCancel={() => setOpening(false)}
          onProve={async ({ code }) => {
            await keepDomain(await call('unlockDomain', { params: { name }, body: { code } }), `${name} is unlocked.`)
            setOpening(false)
          }}
        >
          Whoever has its transfer code can then move {name} to another registrar. Lock it again when you are done.
        </ProofForm>
      )}
    </Section>
  )
}
