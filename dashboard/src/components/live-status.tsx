import { Alert, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { queries } from '../api/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { TextLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

/** How long the page queries whether a change is served. After that, the health page shows more. */
const patienceMs = 30_000
/** The time between two queries: short at first, because most changes are served within a second, then longer. */
const pauseMs = { first: 250, factor: 1.3, longest: 2_000 }

/** After a change: which nameservers already serve it, until all do. Before the zone is verified, none does. */
export function LiveStatus({
  zone,
  serial,
  done,
  action,
}: {
  zone: string
  serial: number
  /** What happened to the records. */
  done: 'Saved' | 'Undone'
  action: ReactNode
}) {
  const isPublished = useQuery(queries.zone(zone)).data?.state === 'live'
  const [isOver, setOver] = useState(false)
  const { data, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...queries.propagation(zone, { serial: serial % 2 ** 32 }),
    enabled: isPublished,
    refetchInterval: ({ state }) =>
      state.data?.replicated || isOver
        ? false
        : Math.min(pauseMs.longest, pauseMs.first * pauseMs.factor ** state.dataUpdateCount),
  })
  const all = data?.replicated === true
  useEffect(() => {
    if (!isPublished) return
    const timer = setTimeout(() => setOver(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isPublished])
  return (
    <Alert
      color={all ? 'green' : 'gray'}
      variant="light"
      role="status"
      aria-live="polite"
      data-updated={dataUpdatedAt || errorUpdatedAt}
    >
      <Group gap="sm">
        {all ? <Icon name="check" /> : isPublished && !isOver && <Loader size="xs" aria-hidden="true" />}
        <Text size="sm">
          {isPublished
            ? sentence(done, data?.nameservers ?? [], all, isOver)
            : `${done}. It is published once the zone is verified.`}
        </Text>
        {isOver && !all && (
          <TextLink size="sm" {...paths.health(zone)}>
            See the propagation
          </TextLink>
        )}
        {action}
      </Group>
    </Alert>
  )
}

function sentence(
  done: string,
  servers: readonly { name: string; in_sync: boolean }[],
  all: boolean,
  isOver: boolean,
): string {
  const live = listed(servers.filter(({ in_sync: inSync }) => all || inSync))
  if (all) return `${done}. Live on ${live}.`
  if (live !== '') return `${done}. Live on ${live}; ${isOver ? 'not yet on the others.' : 'the others follow…'}`
  return isOver ? `${done}. Not on the nameservers yet.` : `${done}. On its way to the nameservers…`
}

function listed(servers: readonly { name: string }[]): string {
  return new Intl.ListFormat('en').format(servers.map(({ name }) => name.split('.')[0] ?? name))
}
