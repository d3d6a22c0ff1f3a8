import { Autocomplete, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { checkRrset } from '../util/check-rrset.ts'
import { type Edits, recordSetsText, type ShownRrset, withAllChanged, withReplaced } from '../util/edits.ts'
import { CopyDialog } from './copy-dialog.tsx'

type Change = (edits: Edits) => Edits

/** What can be done with the selected record sets. `onChange`: `isSaved` means that the change is saved immediately. */
export function BulkBar({
  zone,
  zoneId,
  selected,
  maySave,
  onChange,
  onClear,
}: {
  zone: string
  zoneId: string
  selected: readonly ShownRrset[]
  maySave: boolean
  onChange: (change: Change, isSaved: boolean) => void
  onClear: () => void
}) {
  const [open, setOpen] = useState<'ttl' | 'value' | 'copy'>()
  const done = (change: Change, isSaved: boolean): void => {
    onChange(change, isSaved)
    setOpen(undefined)
    onClear()
  }
  const props = { zone, selected, maySave, onDone: done, onClose: () => setOpen(undefined) }
  return (
    <Group className="card bulk-bar" px="xs" py="md" gap="xs" role="region" aria-label="Selected records">
      <Text size="sm" fw={600} flex="1 1 auto" role="status">
        {selected.length.toLocaleString('en')} selected
      </Text>
      <Button size="xs" variant="default" onClick={() => setOpen('ttl')}>
        Change TTL
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('value')}>
        Replace a value
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('copy')}>
        Copy to other zones
      </Button>
      <Button
        size="xs"
        variant="default"
        color="red"
        onClick={() => done((edits) => withAllChanged(edits, selected, () => null), false)}
      >
        Delete
      </Button>
      <Button size="xs" variant="default" onClick={onClear}>
        Clear the selection
      </Button>
      {open === 'copy' && (
        <CopyDialog zone={zone} zoneId={zoneId} selected={selected} onClose={() => setOpen(undefined)} />
      )}
      {open === 'ttl' && <TtlDialog {...props} />}
      {open === 'value' && <ValueDialog {...props} />}
    </Group>
  )
}

interface DialogProps {
  readonly zone: string
  readonly selected: readonly ShownRrset[]
  readonly maySave: boolean
  readonly onDone: (change: Change, isSaved: boolean) => void
  readonly onClose: () => void
}

function TtlDialog({ zone, selected, maySave, onDone, onClose }: DialogProps) {
  const [ttl, setTtl] = useState(selected[0]?.ttl ?? 3_600)
  const fault = checkRrset(zone, { name: '@', type: 'TXT', ttl, values: [] }).ttl
  return (
    <BulkDialog
      title={`Change the TTL of ${recordSetsText(selected.length)}`}
      isReady={fault === undefined}
      maySave={maySave}
      onDone={(isSaved) =>
        onDone((edits) => withAllChanged(edits, selected, ({ records }) => ({ ttl, records })), isSaved)
      }
      onClose={onClose}
    >
      <NumberInput
        label="TTL in seconds"
        description="How long resolvers may keep an answer before they ask again. 300 is 5 minutes, 3600 is 1 hour."
        value={Number.isNaN(ttl) ? '' : ttl}
        error={fault}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        data-autofocus
        onChange={(value) => setTtl(value === '' ? Number.NaN : Number(value))}
      />
    </BulkDialog>
  )
}

function ValueDialog({ zone, selected, maySave, onDone, onClose }: DialogProps) {
  const values = [...new Set(selected.flatMap(({ records }) => records))]
  const [from, setFrom] = useState(values.length === 1 ? (values[0] ?? '') : '')
  const [to, setTo] = useState('')
  const changed = selected.filter(({ records }) => records.includes(from))
  // The rules for a value depend only on the type. Thousands of rrsets are not checked on each key press.
  const ofEachType = [...Map.groupBy(changed, ({ type }) => type).values()].flatMap(([first]) => first ?? [])
  const checked = ofEachType.map((rrset) => checkRrset(zone, { ...rrset, name: `${rrset.name}.`, values: [to] }))
  const fault = checked.map(({ values: faults, together }) => faults[0] ?? together).find(Boolean)
  const canonical = checked[0]?.canonical?.records[0]
  return (
    <BulkDialog
      title="Replace a value"
      isReady={canonical !== undefined && fault === undefined}
      maySave={maySave}
      onDone={(isSaved) =>
        onDone((edits) => withAllChanged(edits, changed, (old) => withReplaced(old, from, canonical ?? to)), isSaved)
      }
      onClose={onClose}
    >
      <Autocomplete
        label="Current value"
        data={values}
        limit={20}
        value={from}
        data-autofocus
        onChange={(text) => setFrom(text)}
      />
      <TextInput
        label="New value"
        value={to}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Text size="sm" className="quiet" role="status">
        {recordSetsText(changed.length)} with this value.
      </Text>
    </BulkDialog>
  )
}

function BulkDialog({
  title,
  isReady,
  maySave,
  onDone,
  onClose,
  children,
}: {
  title: string
  isReady: boolean
  maySave: boolean
  onDone: (isSaved: boolean) => void
  onClose: () => void
  children: React.ReactNode
}) {
  return (
    <Dialog onClose={onClose} title={title} hasFields>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && maySave) onDone(true)
        }}
      >
        <Stack gap="sm">
          {children}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="default" disabled={!isReady} onClick={() => onDone(false)}>
              Add to changes
            </Button>
            <MainButton type="submit" disabled={!isReady || !maySave}>
              Save
            </MainButton>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
