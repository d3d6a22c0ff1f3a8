import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireDomain } from '@zonewright/contract'
import { Icon } from '../ui/icons.tsx'
import { TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { paths } from '../util/paths.ts'
import { DomainStatusBadge } from './badges.tsx'

/** Domains, one per row. */
export function DomainRows({ domains }: { domains: readonly WireDomain[] }) {
  const isNarrow = useMediaQuery('(width < 48em)')
  return (
    <VirtualRows
      items={domains}
      label="Domains"
      heightOf={() => (isNarrow ? 76 : 41)}
      keyOf={({ name }) => name}
      head={
        <div role="row" className="row row-head domain-row">
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
      row={(domain, place) => <DomainRow key={domain.name} domain={domain} place={place} />}
    />
  )
}

function DomainRow({ domain, place }: { domain: WireDomain; place: RowPlace }) {
  const { name, unicode_name: shown, expires_at: expiresAt, auto_renew: renews, locked } = domain
  return (
    <div role="row" className="row domain-row" {...place}>
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
          'Open'
        )}
      </div>
    </div>
  )
}
