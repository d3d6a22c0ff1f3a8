import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Failure } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { ContactPicker } from './contact-picker.tsx'
import { useDomainChange } from './use-domain-change.ts'

/** The registrant of a domain at its registry. Another contact of the account can replace it. */
export function RegistrantSection({ domain }: { domain: WireDomain }) {
  const { name, contacts } = domain
  const { registrant } = contacts
  const [isChanging, setChanging] = useState(false)
  const [contactId, setContactId] = useState<string>()
  const tlds = useQuery({ ...queries.tlds(), enabled: isChanging })
  const tld = tlds.data?.items
    .filter((one) => name.endsWith(`.${one.tld}`))
    .sort((a, b) => b.tld.length - a.tld.length)[0]
  const set = useDomainChange(
    name,
    () => call('setContacts', { params: { name }, body: { contact_id: contactId ?? '' } }),
    () => `The registrant of ${name} was changed.`,
  )
  return (
    <Section title="Registrant" lead="The registrant at the registry. Later changes of the contact do not affect it.">
      {registrant === null ? (
        <Text size="sm">The domain was transferred here, and no registrant has been set since.</Text>
      ) : (
        <Text size="sm" className="breakable">
          <b>{[registrant.name, registrant.organization].filter(Boolean).join(', ')}</b>
          <br />
          {[
            registrant.address1,
            registrant.address2,
            registrant.postal_code,
            registrant.city,
            registrant.state,
            registrant.country,
          ]
            .filter(Boolean)
            .join(', ')}
          <br />
          {registrant.email} · {registrant.phone}
        </Text>
      )}
      {isChanging ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            set.mutate(undefined, { onSuccess: () => setChanging(false) })
          }}
        >
          <ContactPicker
            value={contactId}
            fields={tld?.contact_fields ?? []}
            error={set.error}
            onChange={(id) => {
              setContactId(id)
              set.reset()
            }}
          />
          <Group mt="md">
            <Button type="submit" loading={set.isPending} disabled={contactId === undefined}>
              Change the registrant of {name}
            </Button>
            <Button variant="default" onClick={() => setChanging(false)}>
              Cancel
            </Button>
          </Group>
        </form>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change registrant
          </Button>
        </Group>
      )}
      {!isChanging && <Failure error={set.error} />}
    </Section>
  )
}
