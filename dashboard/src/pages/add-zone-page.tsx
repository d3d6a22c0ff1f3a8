import { Badge, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { addressOf } from '../api/zone-address.ts'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'
import { domainOf } from '../util/typed-host.ts'

/** Two ways to add a zone: for a domain of one's own, or as a free subdomain. */
export function AddZonePage() {
  return (
    <Page title="Add a zone" lead={<TextLink {...paths.zones()}>Back to your zones</TextLink>}>
      <OwnDomain />
      <FreeSubdomain />
    </Page>
  )
}

function useMade() {
  const navigate = useNavigate()
  return async (zone: { id: string; name: string }): Promise<void> => {
    await renew(keys.zones)
    await navigate(paths.zone(await addressOf(zone)))
  }
}

function OwnDomain() {
  const [name, setName] = useState('')
  const onMade = useMade()
  const add = useMutation({
    mutationFn: () => call('createZone', { body: { name: domainOf(name) } }),
    onSuccess: onMade,
  })
  return (
    <Section
      title="A domain of yours"
      lead="Bought anywhere. You show that it is yours by a TXT record or a nameserver; a name below one of your zones or domains is live at once."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Domain"
              placeholder="example.com"
              required
              withAsterisk={false}
              value={name}
              flex="1 1 260px"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setName(event.currentTarget.value)}
              onBlur={() => setName(domainOf(name))}
            />
            <Button type="submit" loading={add.isPending}>
              Add the domain
            </Button>
          </Group>
          <Failure error={add.error} />
        </Stack>
      </form>
    </Section>
  )
}

const typingPauseMs = 200
/** A name that no one has, used to find the parent domains of free subdomains. */
const anyName = 'a.invalid'

function FreeSubdomain() {
  const [label, setLabel] = useState('')
  const [typed] = useDebouncedValue(label.trim(), typingPauseMs)
  const offered = useQuery(queries.availability(anyName))
  const parents = offered.data?.parents ?? []
  const [chosen, setChosen] = useState<string>()
  const parent = chosen ?? parents[0] ?? ''
  const name = `${label.trim()}.${parent}`
  const found = useQuery({ ...queries.availability(`${typed}.${parent}`), enabled: typed !== '' && parent !== '' })
  const onMade = useMade()
  const claim = useMutation({ mutationFn: () => call('claimSubdomain', { body: { name } }), onSuccess: onMade })
  if (parents.length === 0) return <Failure error={offered.error} retry={() => void offered.refetch()} />
  const isCurrent = typed === label.trim() && typed !== '' && found.data !== undefined
  return (
    <Section title="A free subdomain" lead="Live at once, and yours as long as you keep it. Three an account.">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          claim.mutate()
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Name"
              placeholder="alice"
              value={label}
              flex="1 1 200px"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
              onChange={(event) => setLabel(event.currentTarget.value)}
            />
            <Group gap={4} role="radiogroup" aria-label="Below which domain">
              {parents.map((one) => (
                <Button
                  key={one}
                  variant={one === parent ? 'light' : 'default'}
                  role="radio"
                  aria-checked={one === parent}
                  onClick={() => setChosen(one)}
                >
                  .{one}
                </Button>
              ))}
            </Group>
            <Button type="submit" loading={claim.isPending} disabled={!(isCurrent && found.data?.available)}>
              Claim it
            </Button>
          </Group>
          <Text size="sm" role="status" aria-live="polite" mih={22} component="div">
            {isCurrent &&
              (found.data?.available ? (
                <Badge className="badge-green">{found.data.name} is free</Badge>
              ) : (
                (found.data?.message ?? 'That name cannot be claimed.')
              ))}
          </Text>
          <Failure error={claim.error ?? found.error} />
        </Stack>
      </form>
    </Section>
  )
}
