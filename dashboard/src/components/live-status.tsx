import { Alert, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../api/queries.ts'
import { Icon } from '../ui/icons.tsx'

/** How long it is asked whether a change is served; then the health page says more. */
const patienceMs = 30_000
const pauseMs = 250

/** After a change: which nameservers serve it already, until all do. */
export function LiveStatus({ zone, serial }: { zone: string; serial: number }) {
  const { data, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...queries.propagation(zone, { serial: serial % 2 ** 32 }),
    refetchInterval: ({ state }) =>
      state.data?.replicated || state.dataUpdateCount > patienceMs / pauseMs ? false : pauseMs,
  })
  const names = data?.nameservers.map(({ name }) => name.split('.')[0] ?? name) ?? []
  const live =
    data?.nameservers.filter(({ in_sync: inSync }) => inSync).map(({ name }) => name.split('.')[0] ?? name) ?? []
  const all = data?.replicated === true
  return (
    <Alert
      color={all ? 'green' : 'gray'}
      variant="light"
      role="status"
      aria-live="polite"
      data-updated={dataUpdatedAt || errorUpdatedAt}
    >
      <Group gap="sm">
        {all ? <Icon name="check" /> : <Loader size="xs" aria-hidden="true" />}
        <Text size="sm">
          {all
            ? `Saved. Live on ${listed(names)}.`
            : live.length > 0
              ? `Saved. Live on ${listed(live)}; the others follow…`
              : 'Saved. On its way to the nameservers…'}
        </Text>
      </Group>
    </Alert>
  )
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}
