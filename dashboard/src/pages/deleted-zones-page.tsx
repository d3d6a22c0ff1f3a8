import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, type Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { addressOf } from '../api/zone-address.ts'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { paths } from '../util/paths.ts'

export function DeletedZonesPage() {
  const zones = useQuery(queries.deletedZones())
  return (
    <Page
      title="Deleted zones"
      within={<TextLink {...paths.zones()}>Zones</TextLink>}
      lead="A deletion can be undone for 7 days. The zone then returns to its managers and to the API keys that listed it."
    >
      <Loaded of={zones}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="trash"
              title="Nothing to undo"
              action={<ButtonLink {...paths.zones()}>Go to your zones</ButtonLink>}
            >
              You have not deleted a zone in the last 7 days.
            </Empty>
          ) : (
            <VirtualList items={items} label="Deleted zones" heightOf={() => 84} keyOf={({ id }) => id}>
              {(zone) => <DeletedZone zone={zone} />}
            </VirtualList>
          )
        }
      </Loaded>
    </Page>
  )
}

function DeletedZone({ zone }: { zone: Item<'listDeletedZones'> }) {
  const navigate = useNavigate()
  const restore = useMutation({
    mutationFn: () => call('restoreZone', { params: { id: zone.id } }),
    onSuccess: async () => {
      toast(`${zone.unicode_name} is restored. API keys that listed it cover it again.`)
      await renew(keys.zones, keys.deletedZones)
      await navigate(paths.zone(await addressOf(zone)))
    },
  })
  return (
    <Stack gap="xs" p="md" className="card">
      <Group justify="space-between">
        <div>
          <Text fw={600}>
            <Name>{zone.unicode_name}</Name>
          </Text>
          <Text size="sm" className="quiet">
            Deleted <When at={zone.deleted_at} />. Erased permanently <When at={zone.erased_at} />.
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          aria-label={`Restore ${zone.unicode_name}`}
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          Restore
        </Button>
      </Group>
      <Failure error={restore.error} />
    </Stack>
  )
}
