import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyOnHover } from '../ui/copy.tsx'
import { Icon } from '../ui/icons.tsx'
import { MiddleCut } from '../ui/middle-cut.tsx'
import { Name } from '../ui/name.tsx'
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx'
import { shownOwner, shownRecord } from '../util/check-rrset.ts'
import { keyOf, type ShownRrset } from '../util/edits.ts'
import { hasNotes } from '../util/notes.ts'
import { resolvedWords } from '../util/resolved-words.ts'
import { NotesLine } from './notes-fields.tsx'
import { SelectAllBox, SelectBox } from './select-boxes.tsx'
import { TypeChip } from './type-chip.tsx'
import type { Selection } from './use-selection.ts'

/** The maximum number of values of an rrset that a row shows. The row shows how many others there are. */
const mostValues = 4
const lineHeight = 24

export interface RrsetActions {
  readonly onEdit: (rrset: ShownRrset) => void
  readonly onDelete: (rrset: ShownRrset) => void
  readonly onUndo: (rrset: ShownRrset) => void
}

/** Record sets, grouped by name. The form of an edited one opens in its place. */
export function RrsetRows({
  zone,
  rrsets,
  selected,
  editing,
  found,
  isBusy,
  editor,
  actions,
}: {
  zone: string
  rrsets: readonly ShownRrset[]
  selected: Selection<ShownRrset>
  /** The key of the edited rrset. */
  editing: string | undefined
  /** The name and type of the record set that was searched for. It is scrolled into view and highlighted. */
  found?: string | undefined
  /** The form has unsaved input, so no other form opens before it is saved or cancelled. */
  isBusy: boolean
  /** The form that edits it. */
  editor: ReactNode
  actions: RrsetActions
}) {
  const isFound = ({ name, type }: ShownRrset): boolean => `${name} ${type}` === found
  return (
    <VirtualRows
      items={rrsets}
      label="Records"
      reveal={found === undefined ? undefined : rrsets.findIndex(isFound)}
      heightOf={(rrset) => 15 + lineHeight * linesOf(rrset)}
      keyOf={keyOf}
      keep={editing === undefined ? undefined : rrsets.findIndex((rrset) => keyOf(rrset) === editing)}
      head={
        <div role="row" className="row row-head record-row">
          <SelectAllBox of={selected} />
          <span role="columnheader">Name</span>
          <span role="columnheader">Type</span>
          <span role="columnheader" className="wide-only number">
            TTL
          </span>
          <span role="columnheader" className="wide-only">
            Values
          </span>
          <span role="columnheader" className="wide-only">
            <span className="only-read">Actions</span>
          </span>
        </div>
      }
      row={(rrset, place, index) =>
        keyOf(rrset) === editing ? (
          <div role="row" key={keyOf(rrset)} className="row-editor" {...place}>
            <div role="cell">
              <Text fw={600} className="mono" mb="xs">
                <Name>{shownOwner(rrset.name, zone)}</Name> {rrset.type}
              </Text>
              {editor}
            </div>
          </div>
        ) : (
          <RrsetRow
            key={keyOf(rrset)}
            zone={zone}
            rrset={rrset}
            selected={selected}
            isFound={isFound(rrset)}
            isFirst={rrsets[index - 1]?.name !== rrset.name}
            place={place}
            isBusy={isBusy}
            actions={actions}
          />
        )
      }
    />
  )
}

/** An ALIAS also shows what it publishes, and the problem of its target. */
function linesOf(rrset: ShownRrset): number {
  const { records, resolved, edit } = rrset
  const values =
    Math.max(1, Math.min(records.length, mostValues + 1)) + removedIn(rrset).length + (hasNotes(rrset) ? 1 : 0)
  if (resolved === undefined || edit !== undefined) return values
  return values + (resolved.error === null ? 1 : 2)
}

/** The values that an unsaved edit removes, as many as a row shows. */
function removedIn({ edit, records }: ShownRrset): readonly string[] {
  if (!edit?.after || !edit.before) return []
  return edit.before.records.filter((record) => !records.includes(record)).slice(0, mostValues)
}

function RrsetRow({
  zone,
  rrset,
  selected,
  isFound,
  isFirst,
  place,
  isBusy,
  actions,
}: {
  zone: string
  rrset: ShownRrset
  selected: Selection<ShownRrset>
  isFound: boolean
  isFirst: boolean
  place: RowPlace
  isBusy: boolean
  actions: RrsetActions
}) {
  const { edit, records, type, ttl, managed, resolved } = rrset
  const name = shownOwner(rrset.name, zone)
  const state =
    edit === undefined ? '' : edit.after === null ? 'row-deleted' : edit.before === null ? 'row-new' : 'row-changed'
  const before = edit?.after ? edit.before : null
  const removed = removedIn(rrset)
  const beyond = records.length > mostValues + 1 ? records.length - mostValues : 0
  return (
    <div
      role="row"
      className={`row record-row ${state} ${isFound ? 'row-found' : ''}`}
      {...(isFound && { 'aria-current': true, tabIndex: -1 })}
      {...place}
    >
      <div role="cell" className="select-box">
        {!managed && (
          <SelectBox
            label={`${name} ${type}`}
            isSelected={selected.keys.has(keyOf(rrset))}
            onToggle={(isRange) => selected.toggle(rrset, isRange)}
          />
        )}
      </div>
      <div role="cell" className="record-name">
        <span className={`mono gone ${isFirst ? '' : 'quiet'}`}>
          <Name>{name}</Name>
        </span>
        {state !== '' && <StateBadge state={state} />}
      </div>
      <div role="cell" className="gone">
        <TypeChip type={type} />
      </div>
      <div role="cell" className="wide-only number">
        <Text size="sm" className="quiet">
          {before && before.ttl !== ttl && <s className="diff-removed">{before.ttl}</s>} {ttl}
        </Text>
      </div>
      <div role="cell" className="values gone">
        {records.slice(0, beyond > 0 ? mostValues : records.length).map((record) => (
          <RecordValue
            key={record}
            shown={shownRecord(type, record)}
            record={record}
            isAdded={before !== null && before !== undefined && !before.records.includes(record)}
          />
        ))}
        {removed.map((record) => (
          <div key={record} className="mono cut diff-removed" title={record}>
            <span className="only-read">removed: </span>
            <s>{shownRecord(type, record)}</s>
          </div>
        ))}
        {beyond > 0 && (
          <Text size="sm" className="quiet">
            and {beyond} more
          </Text>
        )}
        {resolved !== undefined && edit === undefined && <ResolvedLines resolved={resolved} />}
        <NotesLine of={rrset} />
      </div>
      <div role="cell" className="row-actions">
        {managed ? (
          <Tooltip label="The service manages these records and updates them automatically.">
            <Group gap={4} c="dimmed" tabIndex={0} aria-label="The service’s own records" role="note">
              <Icon name="lock" size={14} />
            </Group>
          </Tooltip>
        ) : (
          <RowActions rrset={rrset} name={name} isBusy={isBusy} actions={actions} />
        )}
      </div>
    </div>
  )
}

/** A value: cut in the middle if it is too long, and copied by the button that appears on hover. */
function RecordValue({ shown, record, isAdded }: { shown: string; record: string; isAdded: boolean }) {
  return (
    <div className={`record-value mono ${isAdded ? 'diff-added' : ''}`}>
      <MiddleCut text={shown} title={record} />
      <CopyOnHover text={record} what={shown} />
    </div>
  )
}

function ResolvedLines({ resolved }: { resolved: NonNullable<ShownRrset['resolved']> }) {
  const { published, problem } = resolvedWords(resolved)
  return (
    <>
      <Text size="sm" className="quiet cut" title={[...resolved.a, ...resolved.aaaa].join('\n')}>
        {published}
      </Text>
      {problem !== undefined && (
        <Text size="sm" c="red">
          {problem}
        </Text>
      )}
    </>
  )
}

function RowActions({
  rrset,
  name,
  isBusy,
  actions,
}: {
  rrset: ShownRrset
  name: string
  isBusy: boolean
  actions: RrsetActions
}) {
  const what = `${name} ${rrset.type}`
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {rrset.edit !== undefined && (
        <ActionIcon
          className="row-icon"
          variant="subtle"
          color="gray"
          aria-label={`Undo the change of ${what}`}
          onClick={() => actions.onUndo(rrset)}
        >
          <Icon name="refresh" size={16} />
        </ActionIcon>
      )}
      {rrset.edit?.after !== null && (
        <>
          <ActionIcon
            className="row-icon"
            variant="subtle"
            color="gray"
            aria-label={`Edit ${what}`}
            disabled={isBusy}
            {...(isBusy && { title: 'Keep or cancel the change that is open first' })}
            onClick={() => actions.onEdit(rrset)}
          >
            <Icon name="edit" size={16} />
          </ActionIcon>
          <ActionIcon
            className="row-icon"
            variant="subtle"
            color="gray"
            aria-label={`Delete ${what}`}
            onClick={() => actions.onDelete(rrset)}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </>
      )}
    </Group>
  )
}

function StateBadge({ state }: { state: string }) {
  if (state === 'row-new') return <Badge className="badge-green">New</Badge>
  if (state === 'row-deleted') return <Badge className="badge-red">To delete</Badge>
  return <Badge className="badge-orange">Changed</Badge>
}
