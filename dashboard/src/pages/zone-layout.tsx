import { Alert, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { AccessLost } from '../components/access-lost.tsx'
import { DelegationBadge, ZoneStateBadge } from '../components/badges.tsx'
import { SetupStrip } from '../components/setup-strip.tsx'
import { UnsavedBadge } from '../components/unsaved-badge.tsx'
import { useEditCounts } from '../components/use-edits.ts'
import { VerificationSteps } from '../components/verification-panel.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Explained, FailedPage, Waiting } from '../ui/feedback.tsx'
import { ButtonLink, PlainLink, TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { Breadcrumb, Heading, Page } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

/** How often a zone that waits for its verification is refreshed. */
const verificationPauseMs = 5_000
/** How often a zone is refreshed whose domain does not point here yet. */
const delegationPauseMs = 30_000

/** The frame of every page of a zone: its name, its state, and links to its pages. */
export function ZoneLayout() {
  const { zone: address } = useParams({ from: '/signed-in/zones/$zone' })
  const zone = useQuery({
    ...queries.zone(address),
    // The service also checks the proof automatically, mostly while no one reloads the page.
    refetchInterval: ({ state: { data } }) =>
      data?.verification ? verificationPauseMs : data?.delegation.state === 'waiting' ? delegationPauseMs : false,
  })
  const unsaved = useEditCounts()(zone.data?.id ?? '')
  const { pathname } = useLocation()
  const tabs = useRef<HTMLElement>(null)
  const isShown = zone.data !== undefined
  // A phone does not have room for all tabs. The tab of this page must be visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which tab is this page's changes with the path
  useEffect(() => {
    const bar = tabs.current
    const tab = isShown ? bar?.querySelector<HTMLElement>('[aria-current="page"]') : undefined
    if (bar && tab) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.clientWidth) / 2
  }, [pathname, isShown])
  if (zone.data === undefined) {
    if (failedWith(zone.error, 'not_found')) return <NoSuchZone />
    if (zone.error) return <FailedPage error={zone.error} retry={() => void zone.refetch()} />
    return <Waiting what="Loading the zone" />
  }
  const { data } = zone
  const isLost = failedWith(zone.error, 'not_found')
  const contestEnds = data.state === 'live' && data.verification?.contest_ends_at
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Breadcrumb>
          <TextLink {...paths.zones()}>Zones</TextLink>
        </Breadcrumb>
        <Heading
          badges={
            <>
              <ZoneStateBadge zone={data} />
              <DelegationBadge state={data.delegation.state} zone={address} />
            </>
          }
        >
          <Group gap={4} wrap="nowrap">
            <Title order={1} className="zone-title">
              <Name>{data.unicode_name}</Name>
            </Title>
            <CopyButton text={data.name} what="the name" />
          </Group>
        </Heading>
      </Stack>
      <nav className="tabs" ref={tabs} aria-label="Pages of the zone">
        <PlainLink className="tab" {...paths.zone(address)} activeOptions={{ exact: true, includeSearch: false }}>
          Records <UnsavedBadge {...unsaved} />
        </PlainLink>
        <PlainLink className="tab" {...paths.importZone(address)}>
          Import and export
        </PlainLink>
        <PlainLink className="tab" {...paths.presets(address)}>
          Presets
        </PlainLink>
        <PlainLink className="tab" {...paths.history(address)}>
          History
        </PlainLink>
        <PlainLink className="tab" {...paths.health(address)}>
          Health
        </PlainLink>
        <PlainLink className="tab" {...paths.secondaries(address)}>
          Secondaries
        </PlainLink>
        <PlainLink className="tab" {...paths.sharing(address)}>
          Sharing
        </PlainLink>
        <PlainLink className="tab" {...paths.zoneSettings(address)}>
          Settings
        </PlainLink>
      </nav>
      {isLost && <AccessLost zone={address} id={data.id} />}
      {zone.error && !isLost && (
        <Alert color="orange" variant="light" title="The zone could not be read again">
          What is shown may be old.
        </Alert>
      )}
      {contestEnds && (
        <Alert color="orange" variant="light" title="Another account claims this name">
          <VerificationSteps zone={data} address={address} />
        </Alert>
      )}
      {!isLost && <SetupStrip zone={data} address={address} />}
      <Explained value={(error) => isLost && failedWith(error, 'not_found')}>
        <Outlet />
      </Explained>
    </Stack>
  )
}

function NoSuchZone() {
  return (
    <Page title="Zone not found" lead="This zone does not exist, or this account has no access to it.">
      <Group>
        <ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>
      </Group>
    </Page>
  )
}
