import { Alert, Box, Button, Group, Select, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { maxChangesPerRequest } from '@zonewright/contract'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { failedWith, isPassing } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { BulkBar } from '../components/bulk-bar.tsx'
import { LastChangeStatus } from '../components/last-change.tsx'
import { ReviewDialog } from '../components/review-dialog.tsx'
import { RrsetRows } from '../components/rrset-rows.tsx'
import { sendEdits, showSaved } from '../components/save-edits.ts'
import { useEdits } from '../components/use-edits.ts'
import { useSelection } from '../components/use-selection.ts'
import { useZone } from '../components/use-zone.ts'
import { WrittenWarnings } from '../components/warning-list.tsx'
import { RrsetForm, type WantedRrset } from '../forms/rrset-form.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { Icon } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { useTitle } from '../ui/page.tsx'
import { useShortcut } from '../ui/use-shortcut.ts'
import {
  applyEdits,
  changesText,
  type Edits,
  isChangedSince,
  keyOf,
  mergeEdits,
  type Rrset,
  recordSetsText,
  type ShownRrset,
  unsavedText,
  withEdit,
  withKept,
  withoutEdit,
  withoutSaved,
  withRow,
} from '../util/edits.ts'
import { notesContain } from '../util/notes.ts'
import { paths } from '../util/paths.ts'
import { type RecordStartSearch, startOf } from '../util/record-start.ts'
import { shownName } from '../util/shown-name.ts'
import { type Order, sortedRows } from '../util/sorted-rows.ts'

const orders: readonly Order[] = ['name', 'type', 'changed']

/** The records of a zone: filter, add, edit, and save everything as one change. */
export function RecordsPage() {
  const { zone, name, id, isLost } = useZone()
  useTitle(`${name}: records`)
  const {
    q = '',
    type = '',
    since = '',
    sort = 'name',
    show,
    ...started
  } = useSearch({ from: '/signed-in/zones/$zone/' })
  const start = startOf(started)
  const navigate = useNavigate({ from: '/zones/$zone/' })
  const set = (change: RecordStartSearch & { q?: string; type?: string; since?: string; sort?: string }): void => {
    const compact = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
    void navigate({ search: (old) => compact({ ...old, ...change }), replace: true, resetScroll: false })
  }
  const rrsets = useQuery(queries.rrsets(zone))
  const [edits, changeEdits] = useEdits(id)
  // The rrset as it was when its form was opened. The person edits this state, even if the zone has changed since then.
  const [editing, setEditing] = useState<ShownRrset>()
  const [isTouched, setTouched] = useState(false)
  const [isAdding, setAdding] = useState(start !== undefined)
  const [isReviewing, setReviewing] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const editingKey = editing && keyOf(editing)
  const order = orders.find((one) => one === sort) ?? 'name'
  const rows = useMemo(
    () => sortedRows(applyEdits(rrsets.data?.items ?? [], edits), order),
    [rrsets.data, edits, order],
  )
  const all = useMemo(() => (editing ? sortedRows(withRow(rows, editing), order) : rows), [rows, editing, order])
  const isMoved = useMemo(
    () => editing !== undefined && rrsets.data?.isWhole === true && isChangedSince(editing, rrsets.data.items),
    [editing, rrsets.data],
  )
  const managed = all.filter((row) => row.managed).length
  const shown = useFiltered(all, q, type, since, editingKey)
  const selection = useSelection(
    useMemo(() => shown.filter(({ managed }) => !managed), [shown]),
    keyOf,
  )
  // The service removes its own TXT records if they are in the way.
  const others = useMemo(
    () =>
      rows.filter(
        (row) => row.edit?.after !== null && keyOf(row) !== editingKey && !(row.managed && row.type === 'TXT'),
      ),
    [rows, editingKey],
  )
  useShortcut('n', () => setAdding(true))
  const closeForm = (): void => {
    setAdding(false)
    if (start !== undefined) set({ add: '', name: '', value: '' })
  }

  // The review opens for changes that cannot be saved as they are. It shows the reason, or merges them. What may work a moment later stays below the
  // records with the reason, and is saved again there.
  const save = useMutation({
    mutationFn: (sent: Edits) => sendEdits(zone, sent, rrsets.data?.version, false),
    onSuccess: async (result, sent) => {
      changeEdits((edits) => withoutSaved(edits, sent))
      await showSaved(zone, result, sent)
    },
    onError: (error) => {
      if (!isToldBelow(error)) setReviewing(true)
    },
  })
  const hasEdits = edits.size > 0
  useEffect(() => {
    if (!hasEdits && save.isError) save.reset()
  }, [hasEdits, save.isError, save.reset])
  const saveAll = (sent: Edits): void => {
    if (sent.size === 0) return
    const isStale = mergeEdits(sent, rrsets.data?.items ?? []).kept.size < sent.size
    if (isStale || sent.size > maxChangesPerRequest) setReviewing(true)
    else save.mutate(sent)
  }
  /** Adds edits, and saves those of the given record sets at once. */
  const edit = (change: (edits: Edits) => Edits, saved: ReadonlySet<string>): void => {
    const next = change(edits)
    changeEdits(change)
    saveAll(new Map([...next].filter(([key]) => saved.has(key))))
  }
  const changeMany = (change: (edits: Edits) => Edits, isSaved: boolean): void =>
    edit(change, isSaved ? selection.keys : new Set())
  const add = ({ name, type, ttl, records, notes }: WantedRrset, isSaved: boolean): void => {
    const there = rows.find((rrset) => keyOf(rrset) === keyOf({ name, type }))
    const before = there === undefined ? null : { ttl: there.ttl, records: there.records }
    const kept = there === undefined || there.edit?.after === null ? [] : there.records
    const after = { ttl, records: [...new Set([...kept, ...records])] }
    edit(
      (edits) => withEdit(edits, { name, type, before, after, notes }),
      new Set(isSaved ? [keyOf({ name, type })] : []),
    )
    closeForm()
  }
  const discard = (): void => {
    // A form that was opened on one of them closes with it, unless the rrset has been saved since then.
    if (editing?.edit && edits.has(keyOf(editing))) setEditing(undefined)
    changeEdits(() => new Map())
    setDiscarding(false)
  }
  const waitsFor = save.isPending
    ? 'The last change is being saved.'
    : rrsets.data?.isWhole === false
      ? 'The existing records are still loading. You can save in a moment.'
      : undefined
  const actions = {
    onEdit: setEditing,
    onDelete: ({ name, type: of, ttl, records }: ShownRrset) =>
      changeEdits((edits) => withEdit(edits, { name, type: of, before: { ttl, records }, after: null })),
    onUndo: (rrset: ShownRrset) => changeEdits((edits) => withoutEdit(edits, keyOf(rrset))),
  }
  return (
    <Loaded of={rrsets} what="Loading the records">
      {({ items, isWhole, version }) => (
        <>
          <Group gap="sm">
            <FilterBox label="Filter records" value={q} onChange={(text) => set({ q: text })} />
            <TypeChoice rrsets={items} value={type} onChange={(value) => set({ type: value })} />
            <Select
              aria-label="Changed"
              placeholder="Changed any time"
              data={[...sinceChoices]}
              value={since === '' ? null : since}
              clearable
              clearButtonProps={{ 'aria-label': 'Changed any time' }}
              w={190}
              onChange={(value) => set({ since: value ?? '' })}
            />
            <Select
              aria-label="Sort by"
              data={[
                { value: 'name', label: 'By name' },
                { value: 'type', label: 'By type' },
                { value: 'changed', label: 'Last changed first' },
              ]}
              value={sort}
              allowDeselect={false}
              w={170}
              onChange={(value) => set({ sort: value === 'name' || value === null ? '' : value })}
            />
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)} disabled={isAdding}>
              Add records
            </Button>
          </Group>
          {isAdding && (
            <div className="card row-editor">
              <RrsetForm
                zone={name}
                known={items}
                others={others}
                start={start}
                waitsFor={waitsFor}
                onDone={add}
                onCancel={closeForm}
              />
            </div>
          )}
          <Text size="sm" className="quiet" role="status">
            {shown.length === all.length
              ? recordSetsText(all.length) + (managed > 0 ? `, including ${managed} of the service` : '')
              : `${shown.length.toLocaleString('en')} of ${recordSetsText(all.length)}`}
            {!isWhole && ' — loading more…'}
          </Text>
          <WrittenWarnings zone={zone} />
          <LastChangeStatus zone={zone} />
          {selection.keys.size > 0 && (
            <BulkBar
              zone={name}
              zoneId={id}
              selected={rows.filter((row) => selection.keys.has(keyOf(row)))}
              maySave={waitsFor === undefined}
              onChange={changeMany}
              onClear={selection.clear}
            />
          )}
          {shown.length === 0 && isWhole ? (
            <Empty
              title="No record matches"
              action={
                <Button variant="default" onClick={() => set({ q: '', type: '', since: '' })}>
                  Show all
                </Button>
              }
            />
          ) : (
            <RrsetRows
              zone={name}
              rrsets={shown}
              selected={selection}
              editing={editingKey}
              found={show}
              isBusy={editing !== undefined && isTouched}
              editor={
                editing && (
                  <>
                    {isMoved && (
                      <Alert color="orange" variant="light" mb="sm" title="Someone else has changed this record set">
                        You choose what to keep when you save.
                      </Alert>
                    )}
                    <RrsetForm
                      zone={name}
                      known={items}
                      others={others}
                      existing={editing}
                      waitsFor={waitsFor}
                      onDone={(wanted, isSaved) => {
                        edit((edits) => withKept(edits, editing, wanted), new Set(isSaved ? [keyOf(editing)] : []))
                        setEditing(undefined)
                      }}
                      onCancel={() => setEditing(undefined)}
                      onTouched={setTouched}
                    />
                  </>
                )
              }
              actions={actions}
            />
          )}
          {items.every(({ managed }) => managed) && edits.size === 0 && isWhole && (
            <Empty
              title="No records yet"
              action={
                <Group>
                  <ButtonLink {...paths.importZone(zone)} variant="default">
                    Import a zone file
                  </ButtonLink>
                  <ButtonLink {...paths.presets(zone)} variant="default">
                    Set up a service
                  </ButtonLink>
                </Group>
              }
            >
              Add records above, import them from your current provider, or set up a service with a preset.
            </Empty>
          )}
          {hasEdits && (
            <div className="pending-bar" role="region" aria-label="Unsaved changes">
              {isToldBelow(save.error) && !isLost && (
                <Box flex="1 1 100%">
                  <Failure error={save.error} />
                </Box>
              )}
              <Text fw={600} flex="1 1 auto">
                {unsavedText(edits.size)}
                {!isWhole && (
                  <Text component="span" size="sm" className="quiet" fw={400} display="block">
                    The existing records are still loading. You can save in a moment.
                  </Text>
                )}
                {isWhole && edits.size > maxChangesPerRequest && (
                  <Text component="span" size="sm" className="quiet" fw={400} display="block">
                    At most {maxChangesPerRequest.toLocaleString('en')} can be saved at once.
                  </Text>
                )}
              </Text>
              {!isLost && (
                <>
                  <Button variant="default" onClick={() => setDiscarding(true)}>
                    Discard
                  </Button>
                  <Button variant="default" disabled={!isWhole} onClick={() => setReviewing(true)}>
                    Review and save
                  </Button>
                  <MainButton
                    disabled={!isWhole || edits.size > maxChangesPerRequest}
                    loading={save.isPending}
                    onClick={() => saveAll(edits)}
                  >
                    Save {changesText(edits.size)}
                  </MainButton>
                </>
              )}
            </div>
          )}
          <ConfirmDialog
            opened={isDiscarding}
            title={`Discard ${changesText(edits.size)} to ${shownName(name)}`}
            action={`Discard ${changesText(edits.size)}`}
            onConfirm={discard}
            onClose={() => setDiscarding(false)}
          >
            The records of the zone stay as they are. Your changes are lost.
          </ConfirmDialog>
          {/* Edits are compared with the loaded records, so records that are not loaded yet would count as deleted. */}
          {isReviewing && isWhole && (
            <ReviewDialog
              zone={zone}
              name={name}
              edits={edits}
              listing={{ items, isWhole, version }}
              onEdits={changeEdits}
              onClose={() => setReviewing(false)}
              onSaved={() => setReviewing(false)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

/** Whether the changes stay as they are after this error: they may be saved in a moment, or never. */
function isToldBelow(error: unknown): boolean {
  return isPassing(error) || failedWith(error, 'not_found')
}

function TypeChoice({
  rrsets,
  value,
  onChange,
}: {
  rrsets: readonly Rrset[]
  value: string
  onChange: (type: string) => void
}) {
  const types = useMemo(() => [...new Set(rrsets.map(({ type }) => type))].sort(), [rrsets])
  return (
    <Select
      aria-label="Type"
      placeholder="All types"
      data={types}
      value={value === '' ? null : value}
      clearable
      clearButtonProps={{ 'aria-label': 'All types' }}
      w={130}
      onChange={(type) => onChange(type ?? '')}
    />
  )
}

/** What "recently changed" can mean: a choice, and its length in ms. */
const sinceChoices = [
  { value: 'hour', label: 'Changed in the last hour' },
  { value: 'day', label: 'Changed in the last 24 h' },
  { value: 'week', label: 'Changed in the last 7 days' },
] as const
const sinceMs: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

/** Whether a record set was changed in the chosen time. Unsaved changes count as changed now. */
function isSince({ edit, updated_at: at }: ShownRrset, since: string): boolean {
  const lengthMs = sinceMs[since]
  return lengthMs === undefined || edit !== undefined || at === undefined || Date.parse(at) > Date.now() - lengthMs
}

/** The rrsets that match the filters, and always the edited one. The list updates a moment after the person types. */
function useFiltered(
  rrsets: readonly ShownRrset[],
  q: string,
  type: string,
  since: string,
  editing: string | undefined,
): readonly ShownRrset[] {
  const wanted = useDeferredValue(q.trim().toLowerCase())
  return useMemo(
    () =>
      rrsets.filter(
        (rrset) =>
          ((wanted === '' ||
            rrset.name.includes(wanted) ||
            shownName(rrset.name).includes(wanted) ||
            rrset.records.some((record) => record.toLowerCase().includes(wanted)) ||
            notesContain(rrset, wanted)) &&
            (type === '' || rrset.type === type) &&
            isSince(rrset, since)) ||
          keyOf(rrset) === editing,
      ),
    [rrsets, wanted, type, since, editing],
  )
}
