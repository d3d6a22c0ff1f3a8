import { Badge, Button, Group, List, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { shownDelegation } from '@zonewright/contract'
import { useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { DelegationBadge, delegationSentence } from '../components/badges.tsx'
import { NameserverInstructions } from '../components/nameserver-step.tsx'
import { useZone } from '../components/use-zone.ts'
import { CopyListButton, CopyText } from '../ui/copy.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'
import { WideTable } from '../ui/wide-table.tsx'
import { type Advice, adviceFor, startFor } from '../util/advice.ts'
import { paths } from '../util/paths.ts'
import { recordForms } from '../util/record-forms.ts'
import { type RecordStart, startToSearch } from '../util/record-start.ts'
import { resolverWord } from '../util/resolver-word.ts'

/** Whether the DNS shows the zone as it is. The delegation comes first, because badges lead to it. */
export function HealthPage() {
  const { zone, name } = useZone()
  useTitle(`${name}: health`)
  return (
    <Stack>
      <DelegationSection zone={zone} />
      <ChecklistSection zone={zone} />
      <PropagationSection zone={zone} />
    </Stack>
  )
}

const states = {
  done: { label: 'Done', look: 'badge-green' },
  todo: { label: 'To do', look: 'badge-gray' },
  warning: { label: 'Needs attention', look: 'badge-orange' },
} as const

function ChecklistSection({ zone }: { zone: string }) {
  const checklist = useQuery(queries.checklist(zone))
  return (
    <Section
      title="Checklist"
      lead="What is set up, and what still needs attention."
      actions={
        <Button size="xs" variant="default" loading={checklist.isFetching} onClick={() => void checklist.refetch()}>
          Refresh
        </Button>
      }
    >
      <Loaded of={checklist} what="Checking the zone">
        {({ items }) => (
          <ul className="checklist">
            {items.map(({ id, title, state, detail, fix }) => (
              <li key={id}>
                <Badge className={states[state].look}>{states[state].label}</Badge>
                <div>
                  <Text fw={600}>{title}</Text>
                  <Text size="sm">{detail}</Text>
                  {fix !== null && (
                    <Text size="sm" className="quiet">
                      {fix}
                    </Text>
                  )}
                  <Group gap="xs">
                    <AdviceButton zone={zone} advice={adviceFor(id, state)} about={title} />
                    <StartButton zone={zone} start={startFor(id, state)} about={title} />
                  </Group>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function AdviceButton({ zone, advice, about }: { zone: string; advice: Advice | undefined; about: string }) {
  if (advice === undefined) return null
  const { label, leadsTo, search } = advice
  const path = leadsTo === 'presets' ? paths.presets(zone) : paths.zone(zone)
  return (
    <ButtonLink size="xs" variant="default" mt={6} {...path} search={search} aria-label={`${label}: ${about}`}>
      {label}
    </ButtonLink>
  )
}

/** Opens the form for a new record, filled in. */
function StartButton({ zone, start, about }: { zone: string; start: RecordStart | undefined; about: string }) {
  if (start === undefined) return null
  const label = `Add ${start.type === 'A' || start.type === 'MX' ? 'an' : 'a'} ${start.type} record`
  return (
    <ButtonLink
      size="xs"
      variant="default"
      mt={6}
      {...paths.zone(zone)}
      search={startToSearch(start)}
      aria-label={`${label}: ${about}`}
    >
      {label}
    </ButtonLink>
  )
}

const failures = {
  no_parent: 'the nameservers of the parent zone were not found.',
  timeout: 'the nameservers of the parent zone did not answer.',
  lame: 'the nameservers of the parent zone did not give an authoritative answer.',
  disagree: 'the nameservers of the parent zone gave different answers.',
  one_server: 'only one nameserver of the parent zone says that the zone is delegated here.',
} as const

function DelegationSection({ zone }: { zone: string }) {
  const query = queries.delegation(zone)
  const delegation = useQuery(query)
  const check = useMutation({
    mutationFn: () => call('checkDelegation', { params: { zone } }),
    onSuccess: async (checked) => {
      queryClient.setQueryData(query.queryKey, checked)
      await renew([...keys.zone(zone), 'itself'], keys.zones)
    },
  })
  return (
    <Section
      title="Delegation"
      lead="Where the domain points. Resolvers follow the nameservers that its parent zone returns."
      actions={
        <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          Check again
        </Button>
      }
    >
      <Failure error={check.error} />
      <Loaded of={delegation}>{(data) => <DelegationFacts data={data} zone={zone} />}</Loaded>
    </Section>
  )
}

function DelegationFacts({ data, zone: address }: { data: Answer<'getDelegation'>; zone: string }) {
  const zone = useQuery(queries.zone(address)).data
  const state = shownDelegation(data.state, data.parent_nameservers, data.expected)
  // The service delegates free subdomains.
  const hasToSet = zone !== undefined && zone.origin !== 'claimed' && state !== 'live'
  const registrar = useQuery({ ...queries.registrar(address), enabled: hasToSet })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <DelegationBadge state={state} />
        <Text size="sm">
          {delegationSentence(state)} Last change <When at={data.since} />.{' '}
          {data.checked_at === null ? (
            data.failure === null && 'Not checked yet.'
          ) : (
            <>
              Checked <When at={data.checked_at} />.
            </>
          )}
        </Text>
      </Group>
      {data.failure !== null && <Text size="sm">We could not check the delegation: {failures[data.failure]}</Text>}
      {hasToSet && <NameserverInstructions zone={zone} registrar={registrar.data} isWaiting={registrar.isPending} />}
      <Group align="flex-start" gap="xl">
        <Nameservers title="Nameservers to set" names={data.expected} canCopy />
        <Nameservers
          title="Current nameservers"
          names={data.parent_nameservers}
          expected={data.expected}
          none={data.checked_at === null ? 'Not known yet' : 'None found'}
        />
        {data.registry_nameservers.length > 0 && (
          <Nameservers title="The registry has" names={data.registry_nameservers} expected={data.expected} />
        )}
      </Group>
    </Stack>
  )
}

function Nameservers({
  title,
  names,
  expected,
  none,
  canCopy = false,
}: {
  title: string
  names: readonly string[]
  expected?: readonly string[]
  /** The text if there are no names. */
  none?: string
  canCopy?: boolean
}) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {names.length === 0 ? (
        <Text size="sm" className="quiet">
          {none}
        </Text>
      ) : (
        <List size="sm" listStyleType="none">
          {names.map((name) => (
            <List.Item key={name}>
              {canCopy ? <CopyText text={name} what={name} /> : <span className="mono">{name}</span>}
              {expected && !expected.includes(name) && <Badge className="badge-orange">not ours</Badge>}
            </List.Item>
          ))}
        </List>
      )}
      {canCopy && names.length > 1 && (
        <CopyListButton items={names}>{names.length === 2 ? 'Copy both' : `Copy all ${names.length}`}</CopyListButton>
      )}
    </div>
  )
}

function PropagationSection({ zone }: { zone: string }) {
  const { name, type } = useSearch({ from: '/signed-in/zones/$zone/health' })
  const navigate = useNavigate({ from: '/zones/$zone/health' })
  const [typedName, setTypedName] = useState(name ?? '')
  const [typedType, setTypedType] = useState(type ?? 'A')
  const asked = name !== undefined && type !== undefined ? { name, type } : {}
  const propagation = useQuery({ ...queries.propagation(zone, asked), staleTime: 0 })
  return (
    <Section
      title="Propagation"
      lead="Which version each nameserver serves, and what public resolvers answer for a name."
      actions={
        <Button size="xs" variant="default" loading={propagation.isFetching} onClick={() => void propagation.refetch()}>
          Refresh
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({
            search: { name: typedName.trim() === '' ? '@' : typedName.trim(), type: typedType },
            replace: true,
          })
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name"
            placeholder="@ (the zone itself)"
            value={typedName}
            flex="1 1 180px"
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
          <Select
            label="Type"
            data={Object.keys(recordForms)}
            value={typedType}
            w={120}
            allowDeselect={false}
            onChange={(value) => setTypedType(value ?? 'A')}
          />
          <Button type="submit" variant="default">
            Query the resolvers
          </Button>
        </Group>
      </form>
      <Loaded of={propagation} what="Asking">
        {(data) => <PropagationFacts data={data} />}
      </Loaded>
    </Section>
  )
}

function PropagationFacts({ data }: { data: Answer<'getPropagation'> }) {
  return (
    <Stack gap="sm">
      <WideTable label="Nameservers" minWidth={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Nameserver</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Serial</Table.Th>
            <Table.Th>Answered in</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.nameservers.map((server) => (
            <Table.Tr key={server.name}>
              <Table.Td className="mono">{server.name}</Table.Td>
              <Table.Td>
                {server.in_sync ? (
                  <Badge className="badge-green">In sync</Badge>
                ) : (
                  <Badge className="badge-orange">Behind</Badge>
                )}
              </Table.Td>
              <Table.Td>{server.serial ?? '–'}</Table.Td>
              <Table.Td>
                {server.latency_ms === null ? (server.error ?? '–') : `${server.latency_ms.toFixed(1)} ms`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {data.resolvers.map((resolver) => (
        <Group key={resolver.address} gap="sm">
          <Text size="sm" fw={600}>
            {resolver.name}
          </Text>
          <ResolverBadge resolver={resolver} nameservers={data.nameservers} />
          {resolver.answer !== null && <span className="mono">{resolver.answer.join(', ') || 'no records'}</span>}
          {resolver.ttl !== null && (
            <Text size="sm" className="quiet">
              kept for {resolver.ttl} s more
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}

function ResolverBadge({
  resolver,
  nameservers,
}: {
  resolver: Answer<'getPropagation'>['resolvers'][number]
  nameservers: Answer<'getPropagation'>['nameservers']
}) {
  const { label, look } = resolverWord(resolver, nameservers)
  return <Badge className={look}>{label}</Badge>
}
