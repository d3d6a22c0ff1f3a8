import { useNavigate } from '@tanstack/react-router'
import { keys } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { noEdits } from '../util/edits.ts'
import { paths } from '../util/paths.ts'
import { useEdits } from './use-edits.ts'

/**
 * Opens the list of zones when this person can no longer open a zone, and deletes its unsaved edits and all data that was read about it.
 * `zone`: as API calls name it; `id`: its id.
 */
export function useLeaveZone(zone: string, id: string): () => Promise<void> {
  const [, changeEdits] = useEdits(id)
  const navigate = useNavigate()
  return async () => {
    changeEdits(() => noEdits)
    await navigate(paths.zones())
    queryClient.removeQueries({ queryKey: keys.zone(zone) })
    await renew(keys.zones)
  }
}
