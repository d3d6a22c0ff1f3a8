import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { WireDomain } from '@zonewright/contract'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { DomainStatusBadge } from '../components/badges.tsx'
import { ManagersPanel } from '../components/managers-panel.tsx'
import { DomainLockSection } from '../forms/domain-lock-section.tsx'
import { NameserversSection } from '../forms/nameservers-section.tsx'
import { RegistrantSection } from '../forms/registrant-section.tsx'
import { RenewalSection } from '../forms/renewal-section.tsx'
import { TransferCodeSection } from '../forms/transfer-code-section.tsx'
import { TransferOutAlert } from '../forms/transfer-out-alert.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'

/** How often the domain is refreshed while a change is in progress at the registry. */
const pauseMs = 2_000

const changes: Readonly<Record<NonNullable<WireDomain['change']>['kind'], string>> = {
  nameservers: 'The nameservers are being changed.',
  lock: 'It is being locked.',
  unlock: 'It is being unlocked.',
  contacts: 'The registrant is being changed.',
  transfer_code: 'A transfer code is being set.',
  approve_transfer: 'The transfer is being approved.',
  reject_transfer: 'The transfer is being refused.',
  restore: 'It is being restored.',
}

/** One domain: its expiry, lock, nameservers and registrant. */
export function DomainPage() {
  const { name } = useParams({ from: '/signed-in/domains/$name' })
  const domain = useQuery({
    ...queries.domain(name),
    refetchInterval: ({ state }) => (state.data?.change || state.data?.status === 'transferring_in' ? pauseMs : false),
  })
  return (
    <Page
      title={domain.data?.unicode_name ?? name}
      within={<TextLink {...paths.domains()}>Domains</TextLink>}
      badges={domain.data && <DomainStatusBadge status={domain.data.status} />}
      actions={
        domain.data &&
        domain.data.zone_id !== null && (
          <ButtonLink size="xs" variant="default" {...paths.zone(name)}>
            Open the zone
          </ButtonLink>
        )
      }
    >
      <Loaded of={domain} what="Loading the domain">
        {(data) => <DomainParts domain={data} />}
      </Loaded>
    </Page>
  )
}

function DomainParts({ domain }: { domain: WireDomain }) {
  const isOwner = may.ruleDomain(domain)
  const { data: account } = useQuery(queries.account())
  const mayCode = may.giveCodes(account)
  return (
    <Stack>
      {domain.change !== null && (
        <Alert color="gray" variant="light" role="status" title="Waiting for the registry">
          {changes[domain.change.kind]} Requested <When at={domain.change.since} />. It continues automatically.
        </Alert>
      )}
      {domain.transfer_out !== null && <TransferOutAlert domain={domain} transfer={domain.transfer_out} />}
      <RenewalSection domain={domain} />
      <NameserversSection domain={domain} />
      <DomainLockSection domain={domain} mayCode={mayCode} />
      {isOwner && <RegistrantSection domain={domain} />}
      {isOwner && <TransferCodeSection domain={domain} mayCode={mayCode} />}
      <DomainManagers domain={domain} />
      {domain.checked_at !== null && (
        <Group>
          <Text size="xs" className="quiet">
            Data from the registry, checked <When at={domain.checked_at} />.
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function DomainManagers({ domain }: { domain: WireDomain }) {
  const { name } = domain
  const managers = useQuery(queries.domainManagers(name))
  const navigate = useNavigate()
  const thing = {
    name,
    isOwner: may.ruleDomain(domain),
    lead: 'Managers of a domain can change its nameservers, lock it, and turn on auto-renew. They cannot unlock it, transfer it, or change its registrant. Its zone is shared separately.',
    may: 'change nameservers, lock it and turn on auto-renew',
    invite: (email: string) => call('inviteDomainManager', { params: { name }, body: { email } }),
    remove: (account: string) => call('removeDomainManager', { params: { name, account } }),
    onLeft: async () => {
      await navigate(paths.domains())
      queryClient.removeQueries({ queryKey: keys.domain(name) })
      await renew(keys.domains)
    },
  }
  return <ManagersPanel thing={thing} managers={managers} />
}
