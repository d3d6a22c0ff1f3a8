import { useNavigate } from '@tanstack/react-router'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { addressOf } from '../api/zone-address.ts'
import { paths } from '../util/paths.ts'

/** Opens a zone that was added. */
export function useAdded(): (zone: { id: string; name: string }) => Promise<void> {
  const navigate = useNavigate()
  return async (zone) => {
    await renew(keys.zones)
    await navigate(paths.zone(await addressOf(zone)))
  }
}
