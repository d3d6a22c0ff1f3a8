import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { queries } from '../api/queries.ts'

/**
 * The zone of the page. `zone` is the name or id from the path, for calls and links. It is the id if another zone of this person has the same
 * name. Once the zone is read, as it is below `ZoneLayout`, `name` and `id` are those of the zone.
 */
export function useZone(): { readonly zone: string; readonly name: string; readonly id: string } {
  const { zone } = useParams({ from: '/signed-in/zones/$zone' })
  const { data } = useQuery(queries.zone(zone))
  return { zone, name: data?.name ?? zone, id: data?.id ?? zone }
}
