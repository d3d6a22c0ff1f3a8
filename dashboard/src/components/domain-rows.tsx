import { Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { WireDomain } from '@zonewright/contract'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Icon } from '../ui/icons.tsx'
import { TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { toast } from '../ui/toasts.tsx'
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { sayFailure } from '../util/say-failure.ts'
import { isolated } from '../util/shown-name.ts'
import { DomainStatusBadge } from './badges.tsx'
import { takeIn } from './domain-bulk-bar.tsx'
import { SelectAllBox, SelectBox } from './select-boxes.tsx'
import type { Selection } from './use-selection.ts'

/** Domains, one per row. */
export function DomainRows({
  domains,
  selection,
}: {
  domains: readonly WireDomain[]
  selection: Selection<WireDomain>
}) {
  const isNarrow = useMediaQuery('(width < 48em)')
  return (
    <VirtualRows
      items={domains}
      label="Domains"
      heightOf={() => (isNarrow ? 76 : 41)}
      keyOf={({ name }) => name}
      head={
        <div role="row" className="row row-head domain-row">
          <SelectAllBox of={selection} />
          <span role="columnheader">Domain</span>
          <span role="columnheader">State</span>
          <span role="columnheader" className="wide-only">
            Expires
          </span>
          <span role="columnheader" className="wide-only">
            Auto-renew
          </span>
          <span role="columnheader" className="wide-only">
            Lock
          </span>
        </div>
      }
      row={(domain, place) => (
        <DomainRow
          key={domain.name}
          domain={domain}
          isSelected={selection.keys.has(domain.name)}
          onSelect={(isRange) => selection.toggle(domain, isRange)}
          place={place}
        />
      )}
    />
  )
}

function DomainRow({
  domain,
  isSelected,
  onSelect,
  place,
}: {
  domain: WireDomain
  isSelected: boolean
  onSelect: (isRange: boolean) => void
  place: RowPlace
}) {
  const { name, unicode_name: shown, expires_at: expiresAt, auto_renew: renews, locked } = domain
  return (
    <div role="row" className={`row domain-row ${isSelected ? 'row-selected' : ''}`} {...place}>
      <div role="cell" className="select-box">
        <SelectBox label={shown} isSelected={isSelected} onToggle={onSelect} />
      </div>
      <div role="cell" className="cut">
        <TextLink {...paths.domain(name)} fw={600} size="sm" underline="hover">
          <Name>{shown}</Name>
        </TextLink>
        {shown !== name && (
          <Text span size="xs" className="quiet">
            {name}
          </Text>
        )}
        {expiresAt !== null && (
          <Text size="xs" className="quiet narrow-only">
            {renews ? 'Renews' : 'Expires'} <When at={expiresAt} />
          </Text>
        )}
      </div>
      <div role="cell">
        <DomainStatusBadge status={domain.status} />
      </div>
      <div role="cell" className="wide-only">
        {expiresAt === null ? '–' : <When at={expiresAt} />}
        {domain.status === 'active' && may.ruleDomain(domain) && (
          <>
            {' · '}
            <TextLink {...paths.newOrder(name, 'renew')} size="sm" aria-label={`Renew ${isolated(shown)}`}>
              Renew
            </TextLink>
          </>
        )}
      </div>
      <div role="cell" className="wide-only">
        {renews ? 'On' : 'Off'}
      </div>
      <div role="cell" className="wide-only">
        {locked ? (
          <span className="with-icon">
            <Icon name="lock" size={14} /> Locked
          </span>
        ) : (
          <LockButton domain={domain} />
        )}
      </div>
    </div>
  )
}

/** Locks a domain. While the registry has not answered, the button is busy. */
function LockButton({ domain: { name, status } }: { domain: WireDomain }) {
  const lock = useMutation({
    mutationFn: () => call('lockDomain', { params: { name } }),
    onSuccess: (domain) => {
      takeIn(domain)
      if (domain.change === null) toast(`${name} is locked.`, name)
    },
    onError: async (error) => {
      toast(sayFailure(error).message, name)
      await renew(keys.domains)
    },
  })
  if (status === 'transferring_in') return 'Open'
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Lock ${name}`}
      loading={lock.isPending}
      onClick={() => lock.mutate()}
    >
      Lock
    </Button>
  )
}
