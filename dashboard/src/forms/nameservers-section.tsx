import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Failure } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { readNameservers } from '../util/nameserver-lines.ts'
import { useDomainChange } from './use-domain-change.ts'

/** The nameservers of a domain at the registry. */
export function NameserversSection({ domain }: { domain: WireDomain }) {
  const [isChanging, setChanging] = useState(false)
  return (
    <Section title="Nameservers">
      {isChanging ? (
        <NameserversForm domain={domain} onClose={() => setChanging(false)} />
      ) : (
        <>
          {domain.nameservers.length === 0 ? (
            <Text size="sm">It has none: nothing answers below it.</Text>
          ) : (
            <ul className="plain-list" aria-label="Nameservers">
              {domain.nameservers.map((one) => (
                <li key={one} className="mono">
                  {one}
                </li>
              ))}
            </ul>
          )}
          <Group>
            <Button variant="default" onClick={() => setChanging(true)}>
              Change nameservers
            </Button>
          </Group>
        </>
      )}
    </Section>
  )
}

function NameserversForm({ domain, onClose }: { domain: WireDomain; onClose: () => void }) {
  const { name, nameservers } = domain
  const [text, setText] = useState(nameservers.join('\n'))
  const wanted = readNameservers(text)
  // The zone lists our nameservers.
  const delegation = useQuery({ ...queries.delegation(name), enabled: domain.zone_id !== null })
  const ours = delegation.data?.expected ?? []
  const set = useDomainChange(
    name,
    () =>
      call('setNameservers', {
        params: { name },
        body: { nameservers: wanted.nameservers, ...(wanted.hosts.length > 0 && { hosts: wanted.hosts }) },
      }),
    () => `The nameservers of ${name} were changed.`,
  )
  const leaves =
    ours.length > 0 && wanted.nameservers.length > 0 && !wanted.nameservers.some((one) => ours.includes(one))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate(undefined, { onSuccess: onClose })
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="Nameservers of the domain"
          description={`Two to thirteen, one per line. ${name} itself and names below it need their addresses after them: ns1.${name} 192.0.2.1`}
          autosize
          minRows={3}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autoCapitalize="none"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {leaves && (
          <Text size="sm" role="status">
            None of these nameservers is ours. The zone here will no longer answer for {name}.
          </Text>
        )}
        <Failure error={set.error} />
        <Group>
          <Button type="submit" loading={set.isPending} disabled={wanted.nameservers.length < 2}>
            Set these {wanted.nameservers.length} nameservers
          </Button>
          {ours.length > 0 && (
            <Button variant="default" onClick={() => setText(ours.join('\n'))}>
              Use ours
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
