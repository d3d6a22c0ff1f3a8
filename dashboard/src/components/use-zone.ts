import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { queries } from '../api/queries.ts'

/**
 * The zone that the page is about. `zone` is what its address says, for calls and links: a name, or the id, since another zone of
 * this person may have the name as well. Once the zone is read, as it is below `ZoneLayout`, `name` and `id` are its own.
 */
export function useZone(): { readonly zone: string; readonly name: string; readonly id: string } {
  const { zone } = useParams({ from: '/signed-in/zones/$zone' })
  const { data } = useQuery(queries.zone(zone))
  return { zone, name: data?.name ?? zone, id: data?.id ?? zone }
}
