import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { secondaryPrograms, type WireSecondary, type WireWantedSecondary } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call, urlOf } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { useZone } from '../components/use-zone.ts'
import { SecondaryForm } from '../forms/secondary-form.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { WideTable } from '../ui/wide-table.tsx'
import { may } from '../util/may.ts'
import { serialOf } from '../util/secondary-serial.ts'
import { shownName } from '../util/shown-name.ts'

type Program = (typeof secondaryPrograms)[number]
type Served = Answer<'getPropagation'>['secondaries']

const programNames: Readonly<Record<Program, string>> = {
  bind: 'BIND',
  knot: 'Knot DNS',
  nsd: 'NSD',
  powerdns: 'PowerDNS',
}

const states = {
  active: { label: 'Active', look: 'badge-green', detail: undefined },
  silent: {
    label: 'Needs attention',
    look: 'badge-orange',
    detail: 'It has not queried the zone for 24 hours, so we no longer notify it. Check it, then save the list again.',
  },
  cut_off: {
    label: 'Cut off',
    look: 'badge-orange',
    detail: 'Its key can no longer transfer the zone. Remove it, and add it again with another key.',
  },
} as const

/** The customer's own nameservers that copy the zone, with the serial that each of them serves. */
export function SecondariesPage() {
  const { zone, name } = useZone()
  useTitle(`${name}: secondaries`)
  const { data } = useQuery(queries.zone(zone))
  const secondaries = useQuery(queries.secondaries(zone))
  const known = secondaries.data?.secondaries ?? []
  const propagation = useQuery({ ...queries.propagation(zone, {}), staleTime: 0, enabled: known.length > 0 })
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<WireSecondary>()
  const mayChange = may.changeSecondaries(data)
  const save = useMutation({
    mutationFn: (wanted: readonly WireWantedSecondary[]) =>
      call('setSecondaries', { params: { zone }, body: { secondaries: [...wanted] } }),
    onSuccess: async () => {
      setAdding(false)
      setRemoving(undefined)
      toast('The secondaries are saved.')
      await renew(keys.zone(zone))
    },
  })
  return (
    <Stack>
      <Section
        title="Secondaries"
        lead="Nameservers of your own that copy this zone. We notify them of each change. They transfer the zone with the TSIG secret of an API key."
        actions={
          <Group gap="sm">
            <Button
              size="xs"
              variant="default"
              loading={propagation.isFetching}
              onClick={() => void propagation.refetch()}
            >
              Refresh
            </Button>
            {mayChange && known.some(({ state }) => state === 'silent') && (
              <Button
                size="xs"
                variant="default"
                loading={save.isPending}
                onClick={() => save.mutate(known.map(wantedOf))}
              >
                Save the list again
              </Button>
            )}
            {mayChange && !isAdding && (
              <Button size="xs" onClick={() => setAdding(true)}>
                Add a secondary
              </Button>
            )}
          </Group>
        }
      >
        <Loaded of={secondaries}>
          {(list) =>
            list.secondaries.length === 0 ? (
              <Empty title="No secondaries">Our nameservers serve the zone. You can add up to 8 of your own.</Empty>
            ) : (
              <>
                <SecondaryTable
                  secondaries={list.secondaries}
                  served={propagation.data?.secondaries}
                  onRemove={mayChange ? setRemoving : undefined}
                />
                {propagation.data && (
                  <Text size="sm" className="quiet">
                    The serial of the zone is {propagation.data.serial}.
                  </Text>
                )}
              </>
            )
          }
        </Loaded>
        <Failure error={propagation.error} />
        {removing === undefined && !isAdding && <Failure error={save.error} />}
      </Section>
      {isAdding && (
        <Section title="New secondary">
          <SecondaryForm
            place={known.length}
            error={removing === undefined ? save.error : null}
            isSaving={save.isPending}
            onCancel={() => setAdding(false)}
            onSave={(added) => save.mutate([...known.map(wantedOf), added])}
          />
        </Section>
      )}
      {known.length > 0 && <ConfigSection zone={zone} secondaries={known} />}
      {removing && (
        <ConfirmDialog
          opened
          title={`Remove ${removing.address}`}
          action="Remove"
          error={save.error}
          isBusy={save.isPending}
          onConfirm={() => save.mutate(known.filter(({ address }) => address !== removing.address).map(wantedOf))}
          onClose={() => setRemoving(undefined)}
        >
          We no longer notify it.
          {removing.ns_name !== null &&
            ` ${shownName(removing.ns_name)} is removed from the NS records of the zone. Remove it at the registrar, too.`}
        </ConfirmDialog>
      )}
    </Stack>
  )
}

function wantedOf({ address, port, key_id, ns_name }: WireSecondary): WireWantedSecondary {
  return { address, port, key_id, ns_name }
}

function SecondaryTable({
  secondaries,
  served,
  onRemove,
}: {
  secondaries: readonly WireSecondary[]
  served: Served | undefined
  onRemove: ((secondary: WireSecondary) => void) | undefined
}) {
  return (
    <WideTable label="Your secondaries" minWidth={720} isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Secondary</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Serial</Table.Th>
          <Table.Th>Key</Table.Th>
          <Table.Th>Last query</Table.Th>
          {onRemove && <Table.Th>Actions</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {secondaries.map((secondary) => {
          const { address, port, ns_name: nsName, key_name: keyName, key_id: keyId, read_at: readAt } = secondary
          const { label, look, detail } = states[secondary.state]
          return (
            <Table.Tr key={address}>
              <Table.Td className="mono">
                {address}
                {port !== 53 && ` port ${port}`}
                {nsName !== null && <div>{shownName(nsName)}</div>}
              </Table.Td>
              <Table.Td>
                <Badge className={look}>{label}</Badge>
                {detail !== undefined && (
                  <Text size="sm" className="quiet">
                    {detail}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-label="Serial">{serialOf(secondary, served)}</Table.Td>
              <Table.Td data-label="Key">{keyName ?? keyId}</Table.Td>
              <Table.Td data-label="Last query">{readAt === null ? 'Never' : <When at={readAt} />}</Table.Td>
              {onRemove && (
                <Table.Td>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Remove ${address}`}
                    onClick={() => onRemove(secondary)}
                  >
                    Remove
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </WideTable>
  )
}

/** A configuration for the program that runs on a secondary. */
function ConfigSection({ zone, secondaries }: { zone: string; secondaries: readonly WireSecondary[] }) {
  const [program, setProgram] = useState<Program>('bind')
  const [chosen, setChosen] = useState<string>()
  const address = secondaries.find((each) => each.address === chosen)?.address ?? secondaries[0]?.address ?? ''
  return (
    <Section
      title="Configuration"
      lead="Download this for the configuration of your nameserver, and replace SECRET with the TSIG secret of the key."
    >
      <Group align="flex-end">
        <Select
          label="Secondary"
          data={secondaries.map((each) => each.address)}
          value={address}
          allowDeselect={false}
          onChange={(value) => setChosen(value ?? undefined)}
        />
        <Select
          label="Program"
          data={secondaryPrograms.map((value) => ({ value, label: programNames[value] }))}
          value={program}
          allowDeselect={false}
          onChange={(value) => setProgram(secondaryPrograms.find((each) => each === value) ?? program)}
        />
        <Button
          component="a"
          href={urlOf('getSecondaryConfig', { params: { zone }, query: { for: program, address } })}
          download={`${zone}.${program}.txt`}
          variant="default"
        >
          Download
        </Button>
      </Group>
    </Section>
  )
}
