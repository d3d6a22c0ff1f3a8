import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { NotesFields } from '../components/notes-fields.tsx'
import { HelpTip } from '../ui/help-tip.tsx'
import { Icon } from '../ui/icons.tsx'
import { Name } from '../ui/name.tsx'
import { nameInput } from '../ui/name-input.ts'
import { checkRrset, type KnownRrset, shownOwner, shownRecord, typedTarget } from '../util/check-rrset.ts'
import type { RrsetContent } from '../util/edits.ts'
import { hasNotes, labelsFault, type ShownNotes, type WantedNotes, wantedNotes } from '../util/notes.ts'
import { ownerNote } from '../util/owner-note.ts'
import { type FieldSpec, formOfRecord, type RecordForm, recordFormOf, recordForms } from '../util/record-forms.ts'
import { helpOfType, nameHelp, ttlHelp } from '../util/record-help.ts'
import type { RecordStart } from '../util/record-start.ts'
import { shownName } from '../util/shown-name.ts'
import { hostOfUrl } from '../util/typed-host.ts'

/** The result of the form: the rrset in canonical form. */
export interface WantedRrset extends RrsetContent {
  readonly name: string
  readonly type: string
  /** The comment and labels, if they were changed. */
  readonly notes?: WantedNotes | undefined
}

const ttlChoices = [
  { value: '60', label: '1 minute' },
  { value: '300', label: '5 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
]
const usualTtl = 3_600
const typeNames = Object.keys(recordForms)
/** A name has only one record of these types. */
const singleTypes: ReadonlySet<string> = new Set(['CNAME', 'DNAME', 'ALIAS'])

interface Value {
  readonly id: number
  readonly form: RecordForm
  readonly parts: readonly string[]
}

let lastId = 0

function emptyValue(type: string): Value {
  const form = recordFormOf(type)
  return { id: ++lastId, form, parts: form.fields.map(({ initial }) => initial ?? '') }
}

function filledIn(type: string, record: string): Value {
  const form = formOfRecord(type, record)
  const parts = form.toParts(record)
  return { id: ++lastId, form, parts: parts.map((part, i) => (isHost(form, i) ? shownName(part) : part)) }
}

function startValue({ type, value }: RecordStart = { name: '', type: 'A', value: '' }): Value {
  return value === '' ? emptyValue(type) : filledIn(type, value)
}

function dataOf({ form, parts }: Value): string {
  return form.toData(parts.map((part, i) => (isHost(form, i) ? typedTarget(part) : part)))
}

function isHost({ fields }: RecordForm, part: number): boolean {
  return fields[part]?.kind === 'host'
}

/** The part of a URL, pasted as a target, that a record omits. */
function leftOutOf({ form, parts }: Value): string | undefined {
  return parts.flatMap((part, i) => (isHost(form, i) ? (hostOfUrl(part).path ?? []) : []))[0]
}

function isUntouched({ form, parts }: Value): boolean {
  return parts.every((part, i) => part === (form.fields[i]?.initial ?? ''))
}

/**
 * A form for one rrset, field by field. It checks the input during typing with the rules of the server. `existing`: the rrset to edit; without
 * it, the form creates a new one. Fields that were not touched yet show no errors.
 */
export function RrsetForm({
  zone,
  known,
  others,
  existing,
  start,
  waitsFor,
  onDone,
  onCancel,
  onTouched,
}: {
  zone: string
  /** The rrsets of the zone. */
  known: readonly KnownRrset[]
  /** The other rrsets of the zone after the unsaved edits. */
  others: readonly KnownRrset[]
  existing?: RrsetContent & ShownNotes & { readonly name: string; readonly type: string }
  /** How the form for a new rrset is filled in at first. */
  start?: RecordStart | undefined
  /** Why the form cannot be saved yet. It can be filled in nevertheless. */
  waitsFor?: string | undefined
  /** `isSaved`: it is saved immediately, and not together with other changes. */
  onDone: (wanted: WantedRrset, isSaved: boolean) => void
  onCancel: () => void
  /** Called with whether closing the form would lose input. */
  onTouched?: (isTouched: boolean) => void
}) {
  const [name, setName] = useState(existing ? `${existing.name}.` : (start?.name ?? ''))
  const [type, setType] = useState(existing?.type ?? start?.type ?? 'A')
  const [ttl, setTtl] = useState(existing?.ttl ?? usualTtl)
  const [values, setValues] = useState<readonly Value[]>(
    existing ? existing.records.map((record) => filledIn(existing.type, record)) : [startValue(start)],
  )
  const [comment, setComment] = useState(existing?.comment ?? '')
  const [labels, setLabels] = useState((existing?.labels ?? []).join(' '))
  const [isNoted, setNoted] = useState(hasNotes(existing ?? {}))
  const notes = wantedNotes(existing ?? {}, comment, labels)
  const [before] = useState({ ttl, values })
  const isTouched = ttl !== before.ttl || values !== before.values || notes !== undefined
  const [isPressed, setPressed] = useState(false)
  const first = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => first.current?.focus(), [])
  useEffect(() => onTouched?.(isTouched), [onTouched, isTouched])
  useEffect(() => () => onTouched?.(false), [onTouched])
  const texts = values.map((value) => (isUntouched(value) && !isPressed ? '' : dataOf(value)))
  const checked = checkRrset(zone, { name, type, ttl, values: texts }, { known, others })
  const complete = checkRrset(zone, { name, type, ttl, values: values.map(dataOf) }, { known, others })
  const note = checked.owner === undefined ? undefined : ownerNote(zone, checked.owner, known)
  const finish = (isSaved: boolean): void => {
    if (isSaved && waitsFor !== undefined) return
    if (complete.canonical && labelsFault(labels) === undefined) onDone({ ...complete.canonical, notes }, isSaved)
    else setPressed(true)
  }
  const choose = (next: string): void => {
    setType(next)
    setValues([emptyValue(next)])
  }
  const set = (at: number, part: number, text: string): void =>
    setValues(
      values.map((value, i) =>
        i === at
          ? { ...value, parts: value.form.fields.map((_, n) => (n === part ? text : (value.parts[n] ?? ''))) }
          : value,
      ),
    )
  return (
    <form
      aria-label={existing ? `Edit ${shownOwner(existing.name, zone)} ${existing.type}` : 'New records'}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !hasOpenList(event.target)) onCancel()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        finish(true)
      }}
    >
      <Stack gap="sm">
        {!existing && (
          <Group align="flex-start" gap="sm">
            <TextInput
              ref={first}
              label="Name"
              placeholder="@ (the zone itself)"
              value={name}
              error={checked.name}
              description={
                checked.owner === undefined
                  ? undefined
                  : `= ${shownName(checked.owner)}${note ? `. ${shownName(note)}` : ''}`
              }
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              rightSection={
                <Text size="xs" px={10} className="quiet cut">
                  .<Name>{shownName(zone)}</Name>
                </Text>
              }
              rightSectionWidth={Math.min(shownName(zone).length * 7 + 28, 190)}
              rightSectionPointerEvents="none"
              flex="2 1 220px"
              {...nameInput}
              onChange={(event) => setName(event.currentTarget.value)}
              onBlur={() => {
                if (checked.owner !== undefined && isLong(name)) setName(shownOwner(checked.owner, zone))
              }}
            />
            <Autocomplete
              label="Type"
              data={typeNames}
              limit={40}
              value={type}
              error={checked.type}
              flex="1 1 110px"
              onChange={(text) => choose(text.toUpperCase())}
            />
            <TtlField ttl={ttl} error={checked.ttl} onChange={setTtl} />
          </Group>
        )}
        {existing && (
          <Group>
            <TtlField ttl={ttl} error={checked.ttl} onChange={setTtl} />
          </Group>
        )}
        <Group gap="xs">
          <Text size="sm" className="quiet">
            {recordFormOf(type).says}.
          </Text>
          {!existing && <HelpTip about="Name and @">{nameHelp}</HelpTip>}
          <HelpTip about="TTL">{ttlHelp}</HelpTip>
          {helpOfType(type) !== undefined && <HelpTip about={type}>{helpOfType(type) ?? ''}</HelpTip>}
        </Group>
        {values.map((value, at) => (
          <Stack key={value.id} gap={4}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <div className="value-fields">
                {value.form.fields.map((field, part) => (
                  <PartField
                    key={field.label}
                    field={field}
                    {...(existing && at === 0 && part === 0 && { ref: first })}
                    label={values.length > 1 ? `${field.label}, value ${at + 1}` : field.label}
                    value={value.parts[part] ?? ''}
                    isWrong={checked.values[at] !== undefined}
                    onChange={(text) => set(at, part, text)}
                  />
                ))}
              </div>
              {values.length > 1 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove value ${at + 1}`}
                  onClick={() => setValues(values.filter((one) => one !== value))}
                >
                  <Icon name="trash" size={16} />
                </ActionIcon>
              )}
            </Group>
            {checked.readings[at] !== undefined && (
              <Text size="sm" className="quiet mono" role="status">
                → {shownRecord(type, checked.readings[at])}
              </Text>
            )}
            {leftOutOf(value) !== undefined && (
              <Text size="sm" className="quiet" role="status">
                Records point to a host, not to a page. The path {leftOutOf(value)} is left out.
              </Text>
            )}
            {checked.values[at] !== undefined && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {checked.values[at]}
              </Text>
            )}
          </Stack>
        ))}
        {checked.joins !== undefined && checked.together === undefined && (
          <Text size="sm" className="quiet" role="status">
            {joinedText(checked.joins, ttl, zone)}
          </Text>
        )}
        {checked.together !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {checked.together}
          </Text>
        )}
        {isPressed && !complete.canonical && texts.every((text) => text === '') && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            Fill in a value first.
          </Text>
        )}
        {waitsFor !== undefined && (
          <Text size="sm" className="quiet" role="status">
            {waitsFor}
          </Text>
        )}
        {isNoted && <NotesFields comment={comment} labels={labels} onComment={setComment} onLabels={setLabels} />}
        <Group justify="space-between">
          <Group gap="xs">
            {!singleTypes.has(type) && (
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => setValues([...values, emptyValue(type)])}
              >
                Another value
              </Button>
            )}
            {!isNoted && (
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => setNoted(true)}
              >
                Comment or labels
              </Button>
            )}
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button
              variant="default"
              disabled={waitsFor !== undefined && existing === undefined}
              onClick={() => finish(false)}
            >
              Add to changes
            </Button>
            <Button type="submit" disabled={waitsFor !== undefined}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

/** Whether a name was typed as a URL, or with the name of the zone: the field then shows only its own part. */
function isLong(name: string): boolean {
  return name.includes('.') || name.includes('/')
}

function joinedText({ name, type, ttl = 0, records }: KnownRrset, wanted: number, zone: string): string {
  const values = records.length === 1 ? `the value ${shownRecord(type, records[0] ?? '')}` : `${records.length} values`
  const note = `${shownOwner(name, zone)} ${type} has ${values}. New values are added.`
  return ttl === wanted || Number.isNaN(wanted) ? note : `${note} The TTL of all changes from ${ttl} to ${wanted}.`
}

/** Whether this is a field with an open list. Then Escape only closes the list. */
function hasOpenList(target: EventTarget): boolean {
  return target instanceof Element && target.getAttribute('aria-expanded') === 'true'
}

function TtlField({
  ttl,
  error,
  onChange,
}: {
  ttl: number
  error: string | undefined
  onChange: (ttl: number) => void
}) {
  return (
    <Group gap={4} align="flex-start" flex="1 1 230px" wrap="nowrap">
      <NumberInput
        label="TTL in seconds"
        value={Number.isNaN(ttl) ? '' : ttl}
        error={error}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        flex="1 1 90px"
        onChange={(value) => onChange(value === '' ? Number.NaN : Number(value))}
      />
      <Select
        label="Or choose"
        aria-label="Or choose a TTL"
        data={ttlChoices}
        value={ttlChoices.some(({ value }) => value === String(ttl)) ? String(ttl) : null}
        placeholder="Other"
        flex="1 1 110px"
        onChange={(value) => value !== null && onChange(Number(value))}
      />
    </Group>
  )
}

function PartField({
  ref,
  field,
  label,
  value,
  isWrong,
  onChange,
}: {
  ref?: React.Ref<HTMLInputElement & HTMLTextAreaElement>
  field: FieldSpec
  label: string
  value: string
  isWrong: boolean
  onChange: (text: string) => void
}) {
  const flex = `${field.grow ?? 2} 1 ${field.kind === 'number' || field.grow === 0 ? 90 : 180}px`
  if (field.options)
    return (
      <Select
        ref={ref}
        label={label}
        data={
          field.options.some((option) => option.value === value)
            ? [...field.options]
            : [...field.options, { value, label: value }]
        }
        value={value}
        error={isWrong}
        flex={flex}
        allowDeselect={false}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  const common = {
    ref,
    label,
    value,
    placeholder: field.example,
    error: isWrong,
    autoComplete: 'off',
    spellCheck: false,
    autoCapitalize: 'none',
  }
  if (field.kind === 'long')
    return (
      <Textarea
        {...common}
        autosize
        minRows={1}
        maxRows={8}
        flex="1 1 100%"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...common}
      inputMode={field.kind === 'number' ? 'numeric' : 'text'}
      flex={flex}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
