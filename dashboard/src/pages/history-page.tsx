import { Badge, Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, type Item } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { DiffView } from '../components/diff-view.tsx'
import { MovedNote } from '../components/moved-note.tsx'
import { usePreviewed } from '../components/use-previewed.ts'
import { useZone } from '../components/use-zone.ts'
import { WarningList } from '../components/warning-list.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded, Waiting } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { useTitle } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { fromWhere } from '../util/actor-words.ts'
import { changeWords } from '../util/change-words.ts'
import { paths } from '../util/paths.ts'
import { dayInWords, exactly, timeOfDay } from '../util/time.ts'

type Version = Item<'listVersions'>

/** Every change of the zone's records by day: who, from where, and what, in words; and how to restore a version. */
export function HistoryPage() {
  const { name } = useZone()
  const { version } = useSearch({ from: '/signed-in/zones/$zone/history' })
  useTitle(`${name}: history`)
  return version === undefined ? <AllVersions /> : <OneVersion version={Number(version)} />
}

/** The version that a link is about, which may be one of many. */
function OneVersion({ version }: { version: number }) {
  const { zone, name } = useZone()
  const found = useQuery(queries.version(zone, version))
  const latest = useQuery(queries.zone(zone)).data?.version
  const [isOpen, setOpen] = useState(true)
  const [isRestoring, setRestoring] = useState(false)
  const all = <ButtonLink {...paths.history(zone)}>Show all versions</ButtonLink>
  if (failedWith(found.error, 'not_found', 'validation_failed'))
    return (
      <Empty icon="undo" title="No such version" action={all}>
        This zone has no such version.
      </Empty>
    )
  return (
    <Stack>
      <Loaded of={found}>
        {(item) => (
          <VersionItem
            version={item}
            zone={name}
            day={dayInWords(item.at)}
            isLatest={item.version === latest}
            isOpen={isOpen}
            onOpen={() => setOpen(!isOpen)}
            onRestore={() => setRestoring(true)}
          />
        )}
      </Loaded>
      <Group>{all}</Group>
      {isRestoring && <RestoreDialog version={version} onClose={() => setRestoring(false)} />}
    </Stack>
  )
}

function AllVersions() {
  const { zone, name } = useZone()
  const versions = useInfiniteQuery(queries.versions(zone))
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [restoring, setRestoring] = useState<number>()
  const toggle = (version: number): void => {
    const next = new Set(open)
    if (!next.delete(version)) next.add(version)
    setOpen(next)
  }
  return (
    <Stack>
      <PagedList
        of={versions}
        empty={
          <Empty
            icon="undo"
            title="Nothing has changed yet"
            action={<ButtonLink {...paths.zone(zone)}>Go to the records</ButtonLink>}
          >
            Every change to the records is listed here, and can be undone.
          </Empty>
        }
      >
        {(items) => (
          <>
            <VirtualList
              items={items}
              label="Versions"
              heightOf={() => 72}
              keyOf={({ version }) => String(version)}
              gap={8}
            >
              {(version, i) => (
                <VersionItem
                  version={version}
                  zone={name}
                  day={dayIfFirst(items, i)}
                  isLatest={i === 0}
                  isOpen={open.has(version.version)}
                  onOpen={() => toggle(version.version)}
                  onRestore={() => setRestoring(version.version)}
                />
              )}
            </VirtualList>
            {items.at(-1)?.version === 1 && (
              <Group justify="space-between" p="md" className="card">
                <Text size="sm">Before version 1, the zone was empty.</Text>
                <Button size="xs" variant="default" aria-label="Restore the empty zone" onClick={() => setRestoring(0)}>
                  Restore
                </Button>
              </Group>
            )}
          </>
        )}
      </PagedList>
      {restoring !== undefined && <RestoreDialog version={restoring} onClose={() => setRestoring(undefined)} />}
    </Stack>
  )
}

/** The day of a version, if the version before it in the list is of another day. */
function dayIfFirst(versions: readonly Version[], i: number): string | undefined {
  const day = dayInWords(versions[i]?.at ?? '')
  const above = versions[i - 1]
  return above !== undefined && dayInWords(above.at) === day ? undefined : day
}

function VersionItem({
  version,
  zone,
  day,
  isLatest,
  isOpen,
  onOpen,
  onRestore,
}: {
  version: Version
  zone: string
  /** The heading above it: it is the first version of this day. */
  day: string | undefined
  isLatest: boolean
  isOpen: boolean
  /** Opens it, or closes it. */
  onOpen: () => void
  onRestore: () => void
}) {
  const { actor, at, source } = version
  return (
    <Stack gap="xs">
      {day !== undefined && (
        <Title order={2} size="h5" pt="xs">
          {day}
        </Title>
      )}
      <Stack gap="xs" p="sm" className="card">
        <Group justify="space-between">
          <Box flex="1 1 260px" miw={0}>
            <WhatChanged version={version} zone={zone} />
            <Group gap="xs">
              <Text size="sm" className="quiet">
                <time dateTime={at} title={exactly(at)}>
                  {timeOfDay(at)}
                </time>
                {` · ${fromWhere(actor, source)} · version ${version.version}`}
              </Text>
              {isLatest && <Badge className="badge-green">Now</Badge>}
            </Group>
          </Box>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} the changes of version ${version.version}`}
              onClick={onOpen}
            >
              {isOpen ? 'Hide' : 'Show'} the changes
            </Button>
            {!isLatest && (
              <Button size="xs" variant="default" aria-label={`Restore version ${version.version}`} onClick={onRestore}>
                Restore
              </Button>
            )}
          </Group>
        </Group>
        {isOpen && <VersionDiff version={version.version} />}
      </Stack>
    </Stack>
  )
}

/** Who made a change, and what it did, in words. */
function WhatChanged({ version: { actor, changes, changes_count: count }, zone }: { version: Version; zone: string }) {
  // Isolated: a name in a right-to-left script does not reorder the text next to it.
  const who = (
    <Text span fw={600} inherit>
      <bdi>{actor.name}</bdi>
    </Text>
  )
  const [only, ...others] = changes ?? []
  if (only !== undefined && others.length === 0)
    return (
      <Text size="sm">
        {who} {changeWords(only, zone)}
      </Text>
    )
  return (
    <>
      <Text size="sm">
        {who} changed {count === 1 ? '1 record set' : `${count.toLocaleString('en')} record sets`}
        {changes !== null && ':'}
      </Text>
      {changes !== null && (
        <ul className="changes">
          {changes.map((change) => (
            <li key={`${change.name} ${change.type}`}>{changeWords(change, zone)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function VersionDiff({ version }: { version: number }) {
  const { zone, name } = useZone()
  const diff = useQuery(queries.versionDiff(zone, version))
  return <Loaded of={diff}>{({ changes }) => <DiffView changes={changes} zone={name} />}</Loaded>
}

/** Version 0 is the zone before its first change. */
function targetText(version: number): string {
  return version === 0 ? 'the empty zone' : `version ${version}`
}

function stateText(version: number): string {
  return version === 0 ? 'before version 1' : `in version ${version}`
}

function RestoreDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const { zone, name } = useZone()
  const change = usePreviewed(
    zone,
    ({ dryRun, headers }) =>
      call('restoreVersion', {
        params: { zone, version },
        query: dryRun ? { dry_run: 'true' } : {},
        headers,
      }),
    () => `The records are as ${stateText(version)} again.`,
  )
  // Once, when the dialog opens.
  useEffect(change.preview, [])
  return (
    <Dialog onClose={onClose} title={`Restore ${targetText(version)}`} size="lg" isBusy={change.isApplying}>
      <Stack>
        <Text size="sm">This creates a new version and keeps the history. It changes:</Text>
        {change.isPreviewing && <Waiting />}
        <Failure error={change.error} {...(change.retry && { retry: change.retry })} />
        <MovedNote of={change} />
        {change.seen && <WarningList warnings={change.seen.warnings} title="Check this before you restore" />}
        {change.seen && <DiffView changes={change.seen.diff.changes} zone={name} />}
        <DialogButtons>
          <Button variant="default" disabled={change.isApplying} onClick={onClose}>
            Cancel
          </Button>
          <MainButton
            loading={change.isApplying}
            disabled={!change.seen || change.seen.diff.changes.length === 0}
            onClick={change.apply}
          >
            Restore {targetText(version)}
          </MainButton>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
