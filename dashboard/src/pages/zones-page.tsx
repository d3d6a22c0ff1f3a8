import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useMemo } from 'react'
import { queries } from '../api/queries.ts'
import { ZoneInvitations } from '../components/invitation-notes.tsx'
import { useSelection } from '../components/use-selection.ts'
import { ZoneFilters } from '../components/zone-filters.tsx'
import { ZoneRows } from '../components/zone-rows.tsx'
import { Empty, Loaded, Waiting } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { download } from '../util/download.ts'
import { namesTwice } from '../util/names-twice.ts'
import { paths } from '../util/paths.ts'
import { zonesAsCsv } from '../util/zone-csv.ts'
import { shownZones, type ZoneSearch } from '../util/zone-list.ts'

/** Loaded only by accounts without a zone. */
const FirstSteps = lazyRouteComponent(() => import('../forms/first-steps.tsx'), 'FirstSteps')

/** Loaded when the first zone is selected. */
const ZoneBulkBar = lazyRouteComponent(() => import('../components/zone-bulk-bar.tsx'), 'ZoneBulkBar')

export function ZonesPage() {
  const search = useSearch({ from: '/signed-in/zones' })
  const navigate = useNavigate({ from: '/zones' })
  const set = (change: ZoneSearch): void => {
    void navigate({ search: (old) => compact({ ...old, ...change }), replace: true, resetScroll: false })
  }
  const zones = useQuery(queries.zones())
  const all = zones.data?.items
  const twice = useMemo(() => namesTwice(all ?? []), [all])
  // Typing stays smooth, because the list updates a moment later.
  const wanted = useDeferredValue(search)
  const shown = useMemo(() => shownZones(all ?? [], wanted, Date.now()), [all, wanted])
  const selection = useSelection(shown, ({ id }) => id, 'zones')
  const selected = useMemo(
    () => (selection.keys.size === 0 ? [] : (all ?? []).filter(({ id }) => selection.keys.has(id))),
    [all, selection.keys],
  )
  const isFiltered = Object.keys(search).some((name) => name !== 'sort')
  return (
    <Page
      title="Zones"
      actions={
        <>
          <ButtonLink {...paths.deletedZones()} variant="default">
            Deleted zones
          </ButtonLink>
          <ButtonLink {...paths.replaceValue()} variant="default">
            Replace a value
          </ButtonLink>
          {zones.data !== undefined && zones.data.items.length > 0 && (
            <Button
              variant="default"
              disabled={!zones.data.isWhole || shown.length === 0}
              onClick={() => download('zones.csv', 'text/csv', zonesAsCsv(selected.length > 0 ? selected : shown))}
            >
              Export CSV
            </Button>
          )}
          <ButtonLink {...paths.addZone()}>Add a zone</ButtonLink>
        </>
      }
    >
      <ZoneInvitations />
      <Loaded of={zones} what="Loading your zones">
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Suspense fallback={<Waiting />}>
              <FirstSteps />
            </Suspense>
          ) : (
            <>
              <ZoneFilters zones={items} search={search} onChange={set} />
              <Text size="sm" className="quiet" role="status">
                {shown.length === items.length
                  ? `${count(items.length)}`
                  : `${shown.length.toLocaleString('en')} of ${count(items.length)}`}
                {!isWhole && ' — loading more…'}
              </Text>
              {selected.length > 0 && (
                <Suspense>
                  <ZoneBulkBar selected={selected} shown={shown.length} selection={selection} />
                </Suspense>
              )}
              {shown.length === 0 && isWhole ? (
                <Empty
                  title="No zone matches"
                  action={
                    <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                      Show all
                    </Button>
                  }
                >
                  {search.q === undefined
                    ? 'No zone matches these filters.'
                    : `Nothing here has “${search.q}” in its name, comment or labels, with these filters.`}
                </Empty>
              ) : (
                <ZoneRows
                  zones={shown}
                  twice={twice}
                  sought={(wanted.label ?? wanted.q ?? '').trim().toLowerCase()}
                  selection={selection}
                />
              )}
              {!isFiltered && items.some(({ state }) => state === 'pending') && (
                <Alert color="orange" variant="light" title="Some zones are not published yet">
                  <TextLink {...paths.zones()} search={{ state: 'pending' }}>
                    Show zones to verify
                  </TextLink>
                </Alert>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function compact(search: ZoneSearch): ZoneSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
}

function count(zones: number): string {
  return zones === 1 ? '1 zone' : `${zones.toLocaleString('en')} zones`
}
