import { Alert, Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireWantedSecondary } from '@zonewright/contract'
import { useState } from 'react'
import { queries } from '../api/queries.ts'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'
import { useFaults } from './use-faults.tsx'

/** Adds a secondary: its address, the key that it signs with, and optionally its name in the NS records. */
export function SecondaryForm({
  place,
  error,
  isSaving,
  onSave,
  onCancel,
}: {
  /** Its index in the list. */
  place: number
  error: unknown
  isSaving: boolean
  onSave: (secondary: WireWantedSecondary) => void
  onCancel: () => void
}) {
  const apiKeys = useQuery(queries.apiKeys())
  const [address, setAddress] = useState('')
  const [port, setPort] = useState(53)
  const [keyId, setKeyId] = useState<string | null>(null)
  const [nsName, setNsName] = useState('')
  const { form, faultOf } = useFaults(error)
  const at = `/secondaries/${place}`
  return (
    <Loaded of={apiKeys}>
      {({ items }) => {
        const usable = items.filter(
          ({ state, tsig, limits, permissions }) =>
            state === 'live' && tsig !== null && limits === null && permissions.includes('records:read'),
        )
        return (
          <form
            ref={form}
            onSubmit={(event) => {
              event.preventDefault()
              if (keyId === null) return
              const name = nsName.trim()
              onSave({ address: address.trim(), port, key_id: keyId, ns_name: name === '' ? null : name })
            }}
          >
            <Stack gap="sm">
              {usable.length === 0 && (
                <Alert color="orange" variant="light" title="No key can be used">
                  <Stack gap="xs">
                    Create an API key with records:read and without limits, and a TSIG secret for it.
                    <Group>
                      <ButtonLink size="xs" {...paths.keys()}>
                        API keys
                      </ButtonLink>
                    </Group>
                  </Stack>
                </Alert>
              )}
              <Group align="flex-end">
                <TextInput
                  label="Address"
                  placeholder="203.0.113.53"
                  required
                  withAsterisk={false}
                  value={address}
                  error={faultOf(`${at}/address`)}
                  maxLength={64}
                  flex="1 1 220px"
                  onChange={(event) => setAddress(event.currentTarget.value)}
                />
                <NumberInput
                  label="Port"
                  value={port}
                  min={1}
                  max={65_535}
                  w={110}
                  onChange={(value) => setPort(typeof value === 'number' ? value : 53)}
                />
              </Group>
              <Select
                label="API key"
                description="A key with records:read, without limits, and with a TSIG secret."
                placeholder="Choose a key"
                data={usable.map(({ id, name }) => ({ value: id, label: name }))}
                value={keyId}
                error={faultOf(`${at}/key_id`)}
                required
                withAsterisk={false}
                onChange={setKeyId}
              />
              <TextInput
                label="Name in the NS records (optional)"
                description="A host name with an A or AAAA record. Add it at the registrar, too."
                placeholder="ns3.example.com"
                value={nsName}
                error={faultOf(`${at}/ns_name`)}
                maxLength={255}
                onChange={(event) => setNsName(event.currentTarget.value)}
              />
              <Failure error={error} />
              <Group>
                <Button type="submit" loading={isSaving} disabled={keyId === null}>
                  Add
                </Button>
                <Button variant="default" onClick={onCancel}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </form>
        )
      }}
    </Loaded>
  )
}
