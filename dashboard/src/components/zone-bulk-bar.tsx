import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { maxLabels } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { changeInList } from '../api/query-client.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { nameInput } from '../ui/name-input.ts'
import { Batch } from '../util/batch.ts'
import { labelsFault, labelsIn } from '../util/notes.ts'
import { paths } from '../util/paths.ts'
import { labelsOf } from '../util/zone-list.ts'
import { BatchProgress } from './batch-progress.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { attempted, useBatch } from './use-batch.ts'
import type { Selection } from './use-selection.ts'
import type { ZoneItem } from './zone-rows.tsx'

/** The maximum number of zones in one call of the API. */
const zonesACall = 200

/** What can be done with the selected zones. `shown`: how many zones match the filters. */
export function ZoneBulkBar({
  selected,
  shown,
  selection,
}: {
  selected: readonly ZoneItem[]
  shown: number
  selection: Selection<ZoneItem>
}) {
  const [open, setOpen] = useState<'labels'>()
  return (
    <SelectionBar label="Selected zones" what="zones" selected={selected.length} shown={shown} selection={selection}>
      <Button size="xs" variant="default" onClick={() => setOpen('labels')}>
        Labels
      </Button>
      <ButtonLink size="xs" variant="default" {...paths.replaceValue('selected')}>
        Replace a value in them
      </ButtonLink>
      <ButtonLink size="xs" variant="default" {...paths.applyPreset('selected')}>
        Apply a preset
      </ButtonLink>
      {open === 'labels' && <LabelsDialog zones={selected} onClose={() => setOpen(undefined)} />}
    </SelectionBar>
  )
}

/** Adds labels to zones, or removes some. Names the zones that would have too many. */
function LabelsDialog({ zones, onClose }: { zones: readonly ZoneItem[]; onClose: () => void }) {
  const [text, setText] = useState('')
  const { batch, view, begin } = useBatch<readonly ZoneItem[]>()
  const [full, setFull] = useState<readonly ZoneItem[]>()
  const isBusy = view?.isRunning === true
  const wanted = labelsIn(text)
  const fault = labelsFault(text)
  const there = labelsOf(zones)
  const send = (change: { add?: string[]; remove?: string[] }): void => {
    const calls: ZoneItem[][] = []
    for (let i = 0; i < zones.length; i += zonesACall) calls.push(zones.slice(i, i + zonesACall))
    const refused: ZoneItem[] = []
    const next = new Batch<readonly ZoneItem[]>(calls, (part) =>
      attempted(async () => {
        const { data } = await call('labelZones', { body: { zones: part.map(({ id }) => id), ...change } })
        takeIn(data)
        const tooMany = new Set(data.filter(({ outcome }) => outcome === 'too_many').map(({ zone }) => zone))
        refused.push(...part.filter(({ id }) => tooMany.has(id)))
      }),
    )
    const stop = next.listen(() => {
      const { isRunning, states } = next.view()
      if (isRunning || states.some(({ kind }) => kind !== 'done')) return
      stop()
      if (refused.length === 0) onClose()
      else setFull(refused)
    })
    begin(next)
  }
  return (
    <Dialog
      title={`Labels of ${zones.length === 1 ? (zones[0]?.unicode_name ?? '') : `${zones.length.toLocaleString('en')} zones`}`}
      hasFields
      isBusy={isBusy}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (fault === undefined && wanted.length > 0) send({ add: wanted })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Add labels"
            description="Separated by spaces, for example: shop eu"
            value={text}
            error={fault}
            {...nameInput}
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {there.length > 0 && (
            <Group gap="xs" role="group" aria-label="Remove a label">
              <Text size="sm" className="quiet">
                Remove:
              </Text>
              {there.slice(0, maxLabels).map(({ label, zones: count }) => (
                <Button
                  key={label}
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove the label ${label} from ${count.toLocaleString('en')}`}
                  disabled={isBusy}
                  onClick={() => send({ remove: [label] })}
                >
                  {label} ({count.toLocaleString('en')}) ×
                </Button>
              ))}
            </Group>
          )}
          {batch !== undefined && view !== undefined && full === undefined && (
            <BatchProgress of={batch} view={view} what="Labels" each={zonesACall} total={zones.length} />
          )}
          {full !== undefined && (
            <Text size="sm" role="alert">
              Not added to {full.map(({ unicode_name: name }) => name).join(', ')}: a zone has at most {maxLabels}{' '}
              labels.
            </Text>
          )}
          <DialogButtons>
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              {full === undefined ? 'Cancel' : 'Close'}
            </Button>
            <MainButton type="submit" disabled={fault !== undefined || wanted.length === 0} loading={isBusy}>
              Add
            </MainButton>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Shows changed labels in the list immediately. */
function takeIn(changed: Answer<'labelZones'>['data']): void {
  const labels = new Map(changed.map((one) => [one.zone, one.labels]))
  changeInList<ZoneItem>(keys.zones, (zone) => {
    const now = labels.get(zone.id)
    return now === undefined ? zone : { ...zone, labels: now }
  })
}
