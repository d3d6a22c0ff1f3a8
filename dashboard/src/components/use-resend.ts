import { useMutation } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'
import { useRequestKey } from './use-request-key.ts'

/** Resends a delivery of an endpoint. A repeat after a lost response does not resend it twice. */
export function useResend(endpointId: string) {
  const requestKey = useRequestKey()
  return useMutation({
    mutationFn: (delivery: string) =>
      call('redeliver', { params: { id: endpointId, delivery }, headers: requestKey.headersFor(delivery) }),
    onSuccess: () => {
      requestKey.done()
      toast('Resend requested.', endpointId)
      return renew(keys.webhooks)
    },
  })
}
