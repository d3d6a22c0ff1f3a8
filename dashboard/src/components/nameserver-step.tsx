import { Anchor, Button, Loader, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { CopyListButton, CopyText } from '../ui/copy.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Icon } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { When } from '../ui/when.tsx'
import { paths } from '../util/paths.ts'
import { isolated, shownName } from '../util/shown-name.ts'

type Zone = Answer<'getZone'>
type Registrar = Answer<'getRegistrar'>

/** Where to set which nameservers, and whether the parent zone has them. */
export function NameserverStep({ zone, address }: { zone: Zone; address: string }) {
  const registrar = useQuery(queries.registrar(address))
  const query = queries.delegation(address)
  const delegation = useQuery(query)
  const check = useMutation({
    mutationFn: () => call('checkDelegation', { params: { zone: address } }),
    onSuccess: async (checked) => {
      queryClient.setQueryData(query.queryKey, checked)
      await renew([...keys.zone(address), 'itself'], keys.zones)
    },
  })
  const { nameservers } = zone
  const known = registrar.data
  const expected = delegation.data?.expected ?? nameservers
  const current = delegation.data?.parent_nameservers ?? []
  return (
    <>
      <Text component="h2" className="setup-title">
        {titleOf(zone, known)}
      </Text>
      <NameserverInstructions zone={zone} registrar={known} isWaiting={registrar.isPending} />
      <div className="nameservers">
        <div className="nameservers-wanted">
          <ul className="plain-list" aria-label="Nameservers to set">
            {expected.map((server) => (
              <li key={server}>
                <CopyText text={server} what={server} />
              </li>
            ))}
          </ul>
          {expected.length > 1 && (
            <CopyListButton items={expected}>
              {expected.length === 2 ? 'Copy both' : `Copy all ${expected.length}`}
            </CopyListButton>
          )}
        </div>
        {current.length > 0 && (
          <div className="nameservers-now">
            <Text size="xs" className="quiet">
              Now
            </Text>
            {current.map((server) => (
              <Text key={server} size="sm" className={`mono${expected.includes(server) ? '' : ' quiet'}`}>
                {server}
              </Text>
            ))}
          </div>
        )}
      </div>
      <div className="setup-actions">
        {known?.registered_here && (
          <ButtonLink size="sm" {...paths.domain(known.domain)}>
            Go to the domain
          </ButtonLink>
        )}
        <Button
          size="sm"
          variant={known?.registered_here ? 'default' : 'filled'}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check now
        </Button>
        <Text size="sm" className="quiet" role="status" aria-live="polite">
          <Checked delegation={delegation.data} isChecking={check.isPending} />
        </Text>
      </div>
      <Failure error={check.error} />
    </>
  )
}

function titleOf({ name, unicode_name: shown, delegation }: Zone, registrar: Registrar | undefined): string {
  if (delegation.state === 'missing') return `${isolated(shown)} is not registered`
  if (registrar !== undefined && registrar.domain !== name) return `Delegate ${isolated(shown)} to our nameservers`
  if (registrar === undefined || registrar.name === null) return 'Set the nameservers of the domain'
  return `Set the nameservers at ${registrar.name}`
}

/** Where to set the nameservers, in a sentence before their list. */
export function NameserverInstructions({
  zone: { name, unicode_name: shown, delegation },
  registrar,
  isWaiting,
}: {
  zone: Zone
  registrar: Registrar | undefined
  isWaiting: boolean
}) {
  if (registrar?.registered_here && registrar.domain === name)
    return (
      <Text size="sm">
        <Name>{shown}</Name> is registered here, so you can set its nameservers on the page of the domain.
      </Text>
    )
  if (delegation.state === 'missing')
    return (
      <Text size="sm">
        The parent zone has no domain of this name. If you have registered it just now, wait a few minutes. Then set
        these nameservers:
      </Text>
    )
  if (registrar !== undefined && registrar.domain !== name)
    return (
      <Text size="sm">
        At the DNS provider of <Name>{shownName(registrar.domain)}</Name>, add an NS record with the name{' '}
        <Name>{shown}</Name> for each of these nameservers. If the zone above it is also in this account, that zone has
        these records already.
      </Text>
    )
  if (isWaiting)
    return (
      <Text size="sm" className="with-icon">
        <Loader size="xs" aria-hidden="true" />
        <span>
          Finding out where <Name>{shown}</Name> is registered…
        </span>
      </Text>
    )
  return (
    <Text size="sm">
      {registrar === undefined || registrar.name === null ? (
        <>
          Set these at the company where you bought <Name>{shown}</Name>.
        </>
      ) : (
        <>
          <Name>{shown}</Name> is registered at <RegistrarName registrar={registrar} />. Sign in there, open the
          nameserver settings of the domain, and replace its nameservers with these.
        </>
      )}{' '}
      If DNSSEC is on for the domain, turn it off there a day before. Otherwise, many visitors cannot reach it.
    </Text>
  )
}

function RegistrarName({ registrar: { name, url } }: { registrar: Registrar }) {
  if (url === null) return <b>{name}</b>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" underline="always" title={new URL(url).host}>
      {name} <Icon name="outside" size={12} />
    </Anchor>
  )
}

function Checked({ delegation, isChecking }: { delegation: Answer<'getDelegation'> | undefined; isChecking: boolean }) {
  if (isChecking) return 'Checking…'
  if (delegation === undefined) return null
  if (delegation.checked_at === null) return 'We check automatically, and email you when the domain points here.'
  return (
    <>
      Checked <When at={delegation.checked_at} />. We check automatically, and email you when the domain points here.
    </>
  )
}
