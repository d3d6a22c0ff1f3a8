import { Button, Group, NativeSelect, Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { countries, type WireContact, type WireQuote } from '@zonewright/contract'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { ApiFailure } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'

/** The fields that every contact has, in the order of the form. */
const plainFields = [
  { name: 'name', label: 'Full name', isRequired: true, complete: 'name', most: 255 },
  { name: 'organization', label: 'Organization', isRequired: false, complete: 'organization', most: 255 },
  { name: 'email', label: 'Email', isRequired: true, complete: 'email', most: 254, type: 'email' },
  {
    name: 'phone',
    label: 'Phone',
    isRequired: true,
    complete: 'tel',
    most: 60,
    type: 'tel',
    hint: 'With + and the country code: +2348031234567 or +1 212 555 0100 ext. 12',
  },
  { name: 'address1', label: 'Address', isRequired: true, complete: 'address-line1', most: 255 },
  { name: 'address2', label: 'Address, second line', isRequired: false, complete: 'address-line2', most: 255 },
  { name: 'city', label: 'City', isRequired: true, complete: 'address-level2', most: 255 },
  { name: 'state', label: 'State or region', isRequired: false, complete: 'address-level1', most: 255 },
  { name: 'postal_code', label: 'Postal code', isRequired: false, complete: 'postal-code', most: 16 },
] as const

type PlainName = (typeof plainFields)[number]['name']
type Fields = Record<PlainName, string> & { country: string; extra: Record<string, string> }

const noFields: Fields = {
  name: '',
  organization: '',
  email: '',
  phone: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  postal_code: '',
  country: '',
  extra: {},
}

/**
 * A form for a new or existing contact. Errors of the service are shown at their fields, and the first of these gets the focus. All errors are
 * also shown at the end of the form, because a field may be out of sight or not part of this form.
 */
export function ContactForm({
  contact,
  fields: extraFields,
  onSaved,
  onCancel,
}: {
  contact?: WireContact
  fields: WireQuote['requirements']['contact_fields']
  /** Not called after the form is gone, because another form may be open in its place. */
  onSaved: (contact: WireContact) => void
  onCancel: () => void
}) {
  const [values, setValues] = useState<Fields>(() => ({ ...noFields, ...(contact && fieldsOf(contact)) }))
  const save = useMutation({
    mutationFn: () =>
      contact === undefined
        ? call('createContact', { body: values })
        : call('changeContact', { params: { id: contact.id }, body: values }),
    onSuccess: () => renew(keys.contacts),
  })
  const faults = faultsOf(save.error)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (save.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [save.error])
  const set = (name: PlainName | 'country', value: string): void => {
    setValues((old) => ({ ...old, [name]: value }))
  }
  const setExtra = (name: string, value: string): void => {
    setValues((old) => ({ ...old, extra: { ...old.extra, [name]: value } }))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // This form is inside another form, which must not be submitted.
    event.stopPropagation()
    save.mutate(undefined, { onSuccess: onSaved })
  }
  return (
    <form ref={form} onSubmit={submit} aria-label="Contact">
      <Stack gap="sm">
        <div className="field-grid">
          {plainFields.map(({ name, label, isRequired, complete, most, ...more }) => (
            <TextInput
              key={name}
              label={isRequired ? label : `${label} (optional)`}
              required={isRequired}
              withAsterisk={false}
              autoComplete={complete}
              maxLength={most}
              value={values[name]}
              error={faults.get(`/${name}`)}
              {...('type' in more && { type: more.type })}
              {...('hint' in more && { description: more.hint })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ))}
          <CountryChoice
            value={values.country}
            error={faults.get('/country')}
            onChange={(code) => set('country', code)}
          />
          {extraFields.map(({ name, label, required, values: offered }) =>
            offered === null ? (
              <TextInput
                key={name}
                label={label}
                required={required}
                withAsterisk={false}
                maxLength={255}
                value={values.extra[name] ?? ''}
                error={faults.get(`/extra/${name}`)}
                onChange={(event) => setExtra(name, event.currentTarget.value)}
              />
            ) : (
              <Select
                key={name}
                label={label}
                required={required}
                withAsterisk={false}
                data={offered}
                value={values.extra[name] ?? null}
                error={faults.get(`/extra/${name}`)}
                onChange={(value) => setExtra(name, value ?? '')}
              />
            ),
          )}
        </div>
        <Failure error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {contact === undefined ? 'Keep the contact' : 'Save'}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function CountryChoice({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (code: string) => void
}) {
  const offered = useMemo(() => {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    return [...countries]
      .map((code) => ({ value: code, label: names.of(code) ?? code }))
      .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  }, [])
  return (
    <NativeSelect
      label="Country"
      required
      withAsterisk={false}
      autoComplete="country"
      data={[{ value: '', label: 'Choose it' }, ...offered]}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function fieldsOf(contact: WireContact): Fields {
  const { id: _, created_at: __, updated_at: ___, ...fields } = contact
  return fields
}

/** The errors that are about one field, by the field's path. */
function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiFailure)) return new Map()
  return new Map(error.details.map(({ path = '', message }) => [path, message]))
}
