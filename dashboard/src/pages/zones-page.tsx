import { Alert, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { queries } from '../api/queries.ts'
import { ZoneInvitations } from '../components/invitation-notes.tsx'
import { ZoneRows } from '../components/zone-rows.tsx'
import { Empty, Loaded, Waiting } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { namesTwice } from '../util/names-twice.ts'
import { notesContain, type ShownNotes } from '../util/notes.ts'
import { paths } from '../util/paths.ts'

/** Loaded only by accounts without a zone. */
const FirstSteps = lazy(async () => ({ default: (await import('../forms/first-steps.tsx')).FirstSteps }))

export function ZonesPage() {
  const { q = '', state = 'all', role = 'all' } = useSearch({ from: '/signed-in/zones' })
  const navigate = useNavigate({ from: '/zones' })
  const set = (change: { q?: string; state?: string; role?: string }): void => {
    void navigate({ search: (old) => compact({ ...old, ...change }), replace: true, resetScroll: false })
  }
  const zones = useQuery(queries.zones())
  const twice = useMemo(() => namesTwice(zones.data?.items ?? []), [zones.data])
  const shown = useShown(zones.data?.items, q, state, role)
  return (
    <Page
      title="Zones"
      actions={
        <>
          <ButtonLink {...paths.deletedZones()} variant="default">
            Deleted zones
          </ButtonLink>
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
              <Group gap="sm">
                <FilterBox label="Filter zones" value={q} onChange={(text) => set({ q: text })} />
                <Choice
                  label="State"
                  value={state}
                  options={stateOptions}
                  onChange={(value) => set({ state: value })}
                />
                <Choice label="Role" value={role} options={roleOptions} onChange={(value) => set({ role: value })} />
              </Group>
              <Text size="sm" className="quiet" role="status">
                {shown.length === items.length
                  ? `${count(items.length)}`
                  : `${shown.length.toLocaleString('en')} of ${count(items.length)}`}
                {!isWhole && ' — loading more…'}
              </Text>
              {shown.length === 0 && isWhole ? (
                <Empty
                  title="No zone matches"
                  action={
                    <Button variant="default" onClick={() => set({ q: '', state: 'all', role: 'all' })}>
                      Show all
                    </Button>
                  }
                >
                  Nothing here has “{q}” in its name, comment or labels, in this state and role.
                </Empty>
              ) : (
                <ZoneRows zones={shown} twice={twice} />
              )}
              {items.some(({ state: one }) => one === 'pending') && state !== 'pending' && (
                <Alert color="orange" variant="light" title="Some zones are not published yet">
                  <TextLink {...paths.zones()} search={{ state: 'pending' }}>
                    Show those that are to be verified
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

const stateOptions = [
  { value: 'all', label: 'All' },
  { value: 'live', label: 'Live' },
  { value: 'pending', label: 'To verify' },
]
const roleOptions = [
  { value: 'all', label: 'All' },
  { value: 'owner', label: 'Mine' },
  { value: 'manager', label: 'Shared with me' },
]

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: { value: string; label: string }[]
  onChange: (value: string) => void
}) {
  return <SegmentedControl aria-label={label} size="sm" data={options} value={value} onChange={onChange} />
}

/** The zones that match the filters. Typing stays fluent, because the list follows a moment later. */
function useShown<T extends ShownNotes & { name: string; unicode_name: string; state: string; role: string }>(
  zones: readonly T[] | undefined,
  q: string,
  state: string,
  role: string,
): readonly T[] {
  const wanted = useDeferredValue(q.trim().toLowerCase())
  return useMemo(
    () =>
      (zones ?? []).filter(
        (zone) =>
          (wanted === '' ||
            zone.name.includes(wanted) ||
            zone.unicode_name.includes(wanted) ||
            notesContain(zone, wanted)) &&
          (state === 'all' || zone.state === state) &&
          (role === 'all' || zone.role === role),
      ),
    [zones, wanted, state, role],
  )
}

function compact(search: { q?: string; state?: string; role?: string }): { q?: string; state?: string; role?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '' && value !== 'all'))
}

function count(zones: number): string {
  return zones === 1 ? '1 zone' : `${zones.toLocaleString('en')} zones`
}
