import { Group, Switch, Text } from '@mantine/core'
import type { WireDomain } from '@zonewright/contract'
import { call } from '../api/client.ts'
import { Failure } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Section } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { withDates } from '../util/time.ts'
import { RenewalCardField } from './renewal-card-field.tsx'
import { useDomainChange } from './use-domain-change.ts'

/** The expiry of a domain, and how it is renewed. */
export function RenewalSection({ domain }: { domain: WireDomain }) {
  const { name, expires_at: expiresAt, auto_renew: renews, status } = domain
  const isOwner = may.ruleDomain(domain)
  const turn = useDomainChange(
    name,
    () => call(renews ? 'turnAutoRenewOff' : 'turnAutoRenewOn', { params: { name } }),
    ({ auto_renew: now }) => (now ? `Auto-renew is on for ${name}.` : `Auto-renew is off for ${name}.`),
  )
  return (
    <Section
      title="Registration"
      actions={
        isOwner &&
        status !== 'transferring_in' && (
          <ButtonLink size="xs" {...paths.newOrder(name, 'renew')}>
            Renew
          </ButtonLink>
        )
      }
    >
      {(status === 'active' || status === 'transferring_out') && expiresAt !== null ? (
        <Text>
          {status === 'active' ? 'The domain is active. It expires' : 'The domain expires'} <When at={expiresAt} />.
        </Text>
      ) : (
        <Text>{withDates(domain.status_message)}</Text>
      )}
      <Group>
        <Switch
          label="Auto-renew"
          description="Renews 30 days before it expires. Your credit pays if it covers the price. Otherwise we charge the card that you allow, or email you a payment link."
          checked={turn.isPending ? !renews : renews}
          disabled={turn.isPending || (renews && !isOwner)}
          onChange={() => turn.mutate()}
        />
      </Group>
      <Failure error={turn.error} />
      {renews && isOwner && !turn.isPending && <RenewalCardField name={name} />}
    </Section>
  )
}
