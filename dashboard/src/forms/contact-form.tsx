import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { countries, type WireContact, type WireQuote } from '@zonewright/contract'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { DialogButtons } from '../ui/dialog.tsx'
import { Failure } from '../ui/feedback.tsx'
import { isAtFields, useFaults } from './use-faults.tsx'

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
    hint: 'As people dial it in the country of the contact, or with + and the country code',
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
 * A form for a new or existing contact. A new one begins with the name and email of the account. Errors of the service are shown at their fields, and
 * the first of these gets the focus. Errors of fields that are not part of this form are shown at its end.
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
  const account = useQuery(queries.account())
  const [values, setValues] = useState<Fields>(() => ({
    ...noFields,
    ...(contact ? fieldsOf(contact) : { name: account.data?.name ?? '', email: account.data?.email ?? '' }),
  }))
  const save = useMutation({
    mutationFn: () =>
      contact === undefined
        ? call('createContact', { body: values })
        : call('changeContact', { params: { id: contact.id }, body: values }),
    onSuccess: () => renew(keys.contacts),
  })
  const { form, faultOf } = useFaults(save.error)
  const paths = ['country', ...plainFields.map(({ name }) => name), ...extraFields.map(({ name }) => `extra/${name}`)]
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
              error={faultOf(`/${name}`)}
              {...('type' in more && { type: more.type })}
              {...('hint' in more && { description: more.hint })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ))}
          <CountryChoice value={values.country} error={faultOf('/country')} onChange={(code) => set('country', code)} />
          {extraFields.map(({ name, label, required, values: offered }) =>
            offered === null ? (
              <TextInput
                key={name}
                label={label}
                required={required}
                withAsterisk={false}
                maxLength={255}
                value={values.extra[name] ?? ''}
                error={faultOf(`/extra/${name}`)}
                onChange={(event) => setExtra(name, event.currentTarget.value)}
              />
            ) : (
              <NativeSelect
                key={name}
                label={label}
                required={required}
                withAsterisk={false}
                data={[
                  { value: '', label: 'Choose' },
                  ...offered.map((each) => ({ value: each, label: each.charAt(0).toUpperCase() + each.slice(1) })),
                ]}
                value={values.extra[name] ?? ''}
                error={faultOf(`/extra/${name}`)}
                onChange={(event) => setExtra(name, event.currentTarget.value)}
              />
            ),
          )}
        </div>
        {!isAtFields(save.error, paths) && <Failure error={save.error} />}
        <DialogButtons>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {contact === undefined ? 'Save the contact' : 'Save'}
          </Button>
        </DialogButtons>
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
  error: ReactNode
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
      data={[{ value: '', label: 'Choose a country' }, ...offered]}
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
