import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { queries } from '../api/queries.ts'
import { LiveStatus } from '../components/live-status.tsx'
import { ReviewDialog } from '../components/review-dialog.tsx'
import { RrsetRows } from '../components/rrset-rows.tsx'
import { useEdits } from '../components/use-edits.ts'
import { useZone } from '../components/use-zone.ts'
import { WrittenWarnings } from '../components/warning-list.tsx'
import { RrsetForm, type WantedRrset } from '../forms/rrset-form.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { Icon } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useTitle } from '../ui/page.tsx'
import { useShortcut } from '../ui/use-shortcut.ts'
import {
  applyEdits,
  changesText,
  keyOf,
  type Rrset,
  type ShownRrset,
  withEdit,
  withKept,
  withoutEdit,
  withRow,
} from '../util/edits.ts'
import { paths } from '../util/paths.ts'

/** The records of a zone: filter, add, edit, and save everything as one change. */
export function RecordsPage() {
  const { zone, name, id } = useZone()
  useTitle(`${name}: records`)
  const { q = '', type = '' } = useSearch({ from: '/signed-in/zones/$zone/' })
  const navigate = useNavigate({ from: '/zones/$zone/' })
  const set = (change: { q?: string; type?: string }): void => {
    const compact = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
    void navigate({ search: (old) => compact({ ...old, ...change }), replace: true, resetScroll: false })
  }
  const rrsets = useQuery(queries.rrsets(zone))
  const [edits, changeEdits] = useEdits(id)
  // The rrset as it was when its form was opened. The person edits this state, even if the zone has changed since then.
  const [editing, setEditing] = useState<ShownRrset>()
  const [isTouched, setTouched] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [savedSerial, setSavedSerial] = useState<number>()
  const editingKey = editing && keyOf(editing)
  const rows = useMemo(() => applyEdits(rrsets.data?.items ?? [], edits), [rrsets.data, edits])
  const all = useMemo(() => (editing ? withRow(rows, editing) : rows), [rows, editing])
  const shown = useFiltered(all, q, type, editingKey)
  useShortcut('n', () => setAdding(true))

  const add = ({ name, type, ttl, records }: WantedRrset): void => {
    const there = rows.find((rrset) => keyOf(rrset) === keyOf({ name, type }))
    const before = there === undefined ? null : { ttl: there.ttl, records: there.records }
    const kept = there === undefined || there.edit?.after === null ? [] : there.records
    const after = { ttl, records: [...new Set([...kept, ...records])] }
    changeEdits((edits) => withEdit(edits, { name, type, before, after }))
    setAdding(false)
  }
  const discard = (): void => {
    // A form that was opened on one of them closes with it, unless the rrset has been saved since then.
    if (editing?.edit && edits.has(keyOf(editing))) setEditing(undefined)
    changeEdits(() => new Map())
    setDiscarding(false)
  }
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
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)} disabled={isAdding}>
              Add records
            </Button>
          </Group>
          {isAdding && (
            <div className="card row-editor">
              <RrsetForm
                zone={name}
                known={items}
                waitsFor={
                  isWhole ? undefined : 'The existing records are still loading. You can add to them in a moment.'
                }
                onDone={add}
                onCancel={() => setAdding(false)}
              />
            </div>
          )}
          <Text size="sm" className="quiet" role="status">
            {shown.length === all.length
              ? count(all.length)
              : `${shown.length.toLocaleString('en')} of ${count(all.length)}`}
            {!isWhole && ' — loading more…'}
          </Text>
          <WrittenWarnings zone={zone} />
          {savedSerial !== undefined && <LiveStatus key={savedSerial} zone={zone} serial={savedSerial} />}
          {shown.length === 0 && isWhole ? (
            <Empty
              title="No record matches"
              action={
                <Button variant="default" onClick={() => set({ q: '', type: '' })}>
                  Show all
                </Button>
              }
            />
          ) : (
            <RrsetRows
              zone={name}
              rrsets={shown}
              editing={editingKey}
              isBusy={editing !== undefined && isTouched}
              editor={
                editing && (
                  <RrsetForm
                    zone={name}
                    known={items}
                    existing={editing}
                    onDone={(wanted) => {
                      changeEdits((edits) => withKept(edits, editing, wanted))
                      setEditing(undefined)
                    }}
                    onCancel={() => setEditing(undefined)}
                    onTouched={setTouched}
                  />
                )
              }
              actions={actions}
            />
          )}
          {items.every(({ managed }) => managed) && edits.size === 0 && isWhole && (
            <Empty
              title="No records of yours yet"
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
              Add the first ones above, bring them from where the zone is now, or let a preset write them.
            </Empty>
          )}
          {edits.size > 0 && (
            <div className="pending-bar" role="region" aria-label="Changes that are not saved">
              <Text fw={600} flex="1 1 auto">
                {changesText(edits.size)} not saved
                {!isWhole && (
                  <Text component="span" size="sm" className="quiet" fw={400} display="block">
                    The zone is being read to its end; then you can review.
                  </Text>
                )}
              </Text>
              <Button variant="default" onClick={() => setDiscarding(true)}>
                Discard
              </Button>
              <Button disabled={!isWhole} onClick={() => setReviewing(true)}>
                Review and save
              </Button>
            </div>
          )}
          <ConfirmDialog
            opened={isDiscarding}
            title={`Discard ${changesText(edits.size)} of ${name}`}
            action={`Discard ${changesText(edits.size)}`}
            onConfirm={discard}
            onClose={() => setDiscarding(false)}
          >
            The records stay as they are in the zone; what you changed is lost.
          </ConfirmDialog>
          {/* Edits are judged by what is there: what is not read yet would count as deleted. */}
          {isReviewing && isWhole && (
            <ReviewDialog
              zone={zone}
              name={name}
              edits={edits}
              listing={{ items, isWhole, version }}
              onEdits={changeEdits}
              onClose={() => setReviewing(false)}
              onSaved={(serial) => {
                setReviewing(false)
                setSavedSerial(serial)
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
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

/** The rrsets that match the filters, and always the edited one. The list follows a moment after the typing. */
function useFiltered(
  rrsets: readonly ShownRrset[],
  q: string,
  type: string,
  editing: string | undefined,
): readonly ShownRrset[] {
  const wanted = useDeferredValue(q.trim().toLowerCase())
  return useMemo(
    () =>
      rrsets.filter(
        (rrset) =>
          ((wanted === '' ||
            rrset.name.includes(wanted) ||
            rrset.records.some((record) => record.toLowerCase().includes(wanted))) &&
            (type === '' || rrset.type === type)) ||
          keyOf(rrset) === editing,
      ),
    [rrsets, wanted, type, editing],
  )
}

function count(rrsets: number): string {
  return rrsets === 1 ? '1 record set' : `${rrsets.toLocaleString('en')} record sets`
}
