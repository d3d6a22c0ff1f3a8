import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WireContact } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { ContactForm } from '../forms/contact-form.tsx'
import { labelOf } from '../forms/contact-picker.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { paths } from '../util/paths.ts'

const noFields: [] = []

/** People and organizations that domains are registered for. */
export function ContactsPage() {
  const contacts = useQuery(queries.contacts())
  const [editing, setEditing] = useState<WireContact | 'new'>()
  const [deleting, setDeleting] = useState<WireContact>()
  return (
    <Page
      title="Contacts"
      within={<TextLink {...paths.buy()}>Buy a domain</TextLink>}
      lead="The registrants of your domains. A domain keeps the details with which it was ordered."
      actions={<Button onClick={() => setEditing('new')}>New contact</Button>}
    >
      <Loaded of={contacts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="account" title="No contacts yet">
              Add the person or organization that your domains are to belong to.
            </Empty>
          ) : (
            <VirtualList items={items} label="Contacts" heightOf={() => 80} keyOf={({ id }) => id}>
              {(contact) => (
                <Group justify="space-between" p="md" className="card" wrap="nowrap" gap="sm">
                  <div>
                    <Text fw={600} className="breakable">
                      {labelOf(contact)}
                    </Text>
                    <Text size="sm" className="quiet breakable">
                      {contact.email} · {contact.phone} · {contact.country}
                    </Text>
                  </div>
                  <Group gap="xs" justify="flex-end">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Edit ${contact.name}`}
                      onClick={() => setEditing(contact)}
                    >
                      Edit
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Delete ${contact.name}`}
                      onClick={() => setDeleting(contact)}
                    >
                      Delete
                    </Button>
                  </Group>
                </Group>
              )}
            </VirtualList>
          )
        }
      </Loaded>
      {editing !== undefined && (
        <Dialog
          title={editing === 'new' ? 'New contact' : 'Change the contact'}
          size="lg"
          hasFields
          onClose={() => setEditing(undefined)}
        >
          <ContactForm
            fields={noFields}
            {...(editing !== 'new' && { contact: editing })}
            onCancel={() => setEditing(undefined)}
            onSaved={() => setEditing(undefined)}
          />
        </Dialog>
      )}
      {deleting && <DeleteDialog contact={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

function DeleteDialog({ contact, onClose }: { contact: WireContact; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => call('deleteContact', { params: { id: contact.id } }),
    onSuccess: async () => {
      await renew(keys.contacts)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={`Delete ${contact.name}`}
      action={`Delete ${contact.name}`}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      New orders can no longer use this contact. Domains that were ordered with it keep its details.
    </ConfirmDialog>
  )
}
