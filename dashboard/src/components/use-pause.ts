import { useMutation } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'

/** Pauses an endpoint. */
export function usePause(id: string) {
  return useMutation({
    mutationFn: () => call('changeWebhook', { params: { id }, body: { state: 'disabled' } }),
    onSuccess: () => {
      toast('The endpoint is paused.', id)
      return renew(keys.webhooks)
    },
  })
}
