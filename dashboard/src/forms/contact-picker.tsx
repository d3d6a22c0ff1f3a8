import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireContact, WireQuote } from '@zonewright/contract'
import { useEffect, useState } from 'react'
import { queries } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ContactForm } from './contact-form.tsx'

/** Selects one of the account's contacts. A dialog creates a new one or changes an existing one. */
export function ContactPicker({
  value,
  fields,
  error,
  onChange,
}: {
  value: string | undefined
  /** The additional fields that the TLD requires. */
  fields: WireQuote['requirements']['contact_fields']
  /** Why the selected contact was refused. */
  error?: unknown
  onChange: (id: string) => void
}) {
  const contacts = useQuery(queries.contacts())
  const [editing, setEditing] = useState<WireContact | 'new'>()
  const items = contacts.data?.items
  const chosen = items?.find(({ id }) => id === value)
  useEffect(() => {
    const [only] = items ?? []
    if (value === undefined && items?.length === 1 && only) onChange(only.id)
  }, [items, value, onChange])
  return (
    <Loaded of={contacts} what="Loading your contacts">
      {({ items: all }) => (
        <Stack gap="sm">
          {all.length > 0 && (
            <Select
              aria-label="Contact"
              placeholder="Choose a contact"
              data={all.map((contact) => ({ value: contact.id, label: labelOf(contact) }))}
              value={chosen?.id ?? null}
              searchable
              allowDeselect={false}
              nothingFoundMessage="No contact of this name"
              onChange={(id) => id !== null && onChange(id)}
            />
          )}
          {chosen && (
            <Text size="sm" className="quiet breakable">
              {[chosen.email, chosen.phone, chosen.address1, chosen.city, chosen.country].filter(Boolean).join(' · ')}
            </Text>
          )}
          <Failure error={error} />
          <Group gap="xs">
            <Button size="xs" variant={all.length === 0 ? 'filled' : 'default'} onClick={() => setEditing('new')}>
              {all.length === 0 ? 'Enter the contact' : 'New contact'}
            </Button>
            {chosen && (
              <Button size="xs" variant="default" onClick={() => setEditing(chosen)}>
                Edit this contact
              </Button>
            )}
          </Group>
          {editing !== undefined && (
            <Dialog
              title={editing === 'new' ? 'New contact' : 'Correct the contact'}
              size="lg"
              hasFields
              onClose={() => setEditing(undefined)}
            >
              <ContactForm
                fields={fields}
                {...(editing !== 'new' && { contact: editing })}
                onCancel={() => setEditing(undefined)}
                onSaved={(saved) => {
                  setEditing(undefined)
                  onChange(saved.id)
                }}
              />
            </Dialog>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

export function labelOf({ name, organization, city }: WireContact): string {
  return [name, organization, city].filter((part) => part !== '').join(', ')
}
