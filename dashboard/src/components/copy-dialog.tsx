import { Badge, Button, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { maxChangesPerRequest } from '@zonewright/contract'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Name } from '../ui/name.tsx'
import { copiedEdits } from '../util/copied-edits.ts'
import { recordSetsText, type ShownRrset } from '../util/edits.ts'
import { DiffView } from './diff-view.tsx'
import { sendEdits } from './save-edits.ts'
import { versionSeenBy } from './use-previewed.ts'
import { WarningList } from './warning-list.tsx'

/** The maximum number of zones to copy to at once. Each zone takes one request. */
const mostZones = 20

interface Target {
  readonly id: string
  readonly name: string
  readonly unicode_name: string
}

/** What the copy would do in a zone, or has done; `error`: why it cannot. */
interface Outcome {
  readonly zone: Target
  readonly seen?: Answer<'changeRrsets'>
  readonly error?: unknown
  readonly isSaved?: boolean
}

/** Copies record sets to other zones: one reviewed change per zone, which is made only if the zone is still as it was shown. */
export function CopyDialog({
  zone,
  zoneId,
  selected,
  onClose,
}: {
  zone: string
  zoneId: string
  selected: readonly ShownRrset[]
  onClose: () => void
}) {
  const zones = useQuery(queries.zones())
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const others = (zones.data?.items ?? []).filter(({ id }) => id !== zoneId)
  const editsOf = (target: Target) => copiedEdits(selected, zone, target.name)
  const look = async (target: Target): Promise<Outcome> => {
    try {
      return { zone: target, seen: await sendEdits(target.id, editsOf(target), undefined, true) }
    } catch (error) {
      return { zone: target, error }
    }
  }
  const copy = async ({ zone: target, seen, ...before }: Outcome): Promise<Outcome> => {
    if (seen === undefined || before.isSaved || seen.diff.changes.length === 0)
      return { zone: target, ...before, ...(seen && { seen }) }
    try {
      await sendEdits(target.id, editsOf(target), versionSeenBy(seen), false)
      await renew(keys.zone(target.id), keys.zone(target.name))
      return { zone: target, seen, isSaved: true }
    } catch (error) {
      // The zone has changed since then. The dialog shows what the copy does now, and the person decides again.
      return failedWith(error, 'precondition_failed')
        ? { ...(await look(target)), error }
        : { zone: target, seen, error }
    }
  }
  const review = useMutation({
    mutationFn: async () =>
      oneAfterAnother(
        others.filter(({ id }) => chosen.includes(id)),
        look,
      ),
    onSuccess: setOutcomes,
  })
  const save = useMutation({
    mutationFn: async (reviewed: readonly Outcome[]) => oneAfterAnother(reviewed, copy),
    onSuccess: async (done) => {
      setOutcomes(done)
      await renew(keys.zones)
    },
  })
  const left = (outcomes ?? []).filter(({ seen, isSaved }) => !isSaved && (seen?.diff.changes.length ?? 0) > 0)
  const isTooMany = selected.length > maxChangesPerRequest
  return (
    <Dialog
      onClose={onClose}
      title={`Copy ${recordSetsText(selected.length)} to other zones`}
      size="lg"
      hasFields
      isBusy={save.isPending}
    >
      <Stack>
        <MultiSelect
          label="Zones"
          description={`At most ${mostZones}. Record sets of the same name and type there are replaced.`}
          placeholder="Search for a zone"
          data={others.map(({ id, unicode_name: label }) => ({ value: id, label }))}
          value={[...chosen]}
          maxValues={mostZones}
          searchable
          limit={50}
          data-autofocus
          disabled={outcomes !== undefined}
          onChange={setChosen}
        />
        <Failure error={zones.error} />
        {isTooMany && (
          <Text size="sm" role="alert">
            Select at most {maxChangesPerRequest.toLocaleString('en')} record sets.
          </Text>
        )}
        {review.isPending && <Waiting what="Asking the server" />}
        {outcomes?.map((outcome) => (
          <OutcomeOf key={outcome.zone.id} outcome={outcome} />
        ))}
        <DialogButtons>
          <Button variant="default" disabled={save.isPending} onClick={onClose}>
            {outcomes !== undefined && left.length === 0 ? 'Close' : 'Cancel'}
          </Button>
          {outcomes === undefined ? (
            <MainButton
              disabled={chosen.length === 0 || isTooMany}
              loading={review.isPending}
              onClick={() => review.mutate()}
            >
              Review the changes
            </MainButton>
          ) : (
            left.length > 0 && (
              <MainButton loading={save.isPending} onClick={() => save.mutate(outcomes)}>
                Save in {left.length === 1 ? '1 zone' : `${left.length} zones`}
              </MainButton>
            )
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function OutcomeOf({ outcome: { zone, seen, error, isSaved } }: { outcome: Outcome }) {
  return (
    <Stack gap="xs" component="section" aria-label={zone.unicode_name}>
      <Group gap="xs">
        <Text fw={600}>
          <Name>{zone.unicode_name}</Name>
        </Text>
        {isSaved && <Badge className="badge-green">Saved</Badge>}
      </Group>
      {error !== undefined && (
        <Failure
          error={error}
          {...(failedWith(error, 'precondition_failed') && {
            title: 'Someone else has changed this zone. This is what the copy does now.',
          })}
        />
      )}
      {seen !== undefined && !isSaved && (
        <>
          <WarningList warnings={seen.warnings} title="Check this before you save" />
          <DiffView changes={seen.diff.changes} zone={zone.name} />
        </>
      )}
    </Stack>
  )
}

/** Sends one request at a time, because requests count towards the limit of the session. */
async function oneAfterAnother<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<readonly B[]> {
  const done: B[] = []
  for (const item of items) done.push(await work(item))
  return done
}
