import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'

/**
 * The zone of the page. `zone` is the name or id from the path, for calls and links. It is the id if another zone of this person has the same
 * name. Once the zone is read, as it is below `ZoneLayout`, `name` and `id` are those of the zone. `isLost`: the person can no longer open it.
 */
export function useZone(): {
  readonly zone: string
  readonly name: string
  readonly id: string
  readonly isLost: boolean
} {
  const { zone } = useParams({ from: '/signed-in/zones/$zone' })
  const { data, error } = useQuery(queries.zone(zone))
  return { zone, name: data?.name ?? zone, id: data?.id ?? zone, isLost: failedWith(error, 'not_found') }
}
