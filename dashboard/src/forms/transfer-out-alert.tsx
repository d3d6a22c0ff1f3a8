import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { WireDomain } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Names } from '../ui/name.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { exactly } from '../util/time.ts'
import { keepDomain, useDomainChange } from './use-domain-change.ts'

/** Another registrar has requested a transfer of the domain. The owner approves or rejects it. */
export function TransferOutAlert({
  domain,
  transfer: { requested_by: by, requested_at: at, act_by: actBy },
}: {
  domain: WireDomain
  transfer: NonNullable<WireDomain['transfer_out']>
}) {
  const { name } = domain
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const reject = useDomainChange(
    name,
    () => call('rejectTransferOut', { params: { name } }),
    () => `${name} stays here.`,
  )
  const approve = useMutation({
    mutationFn: () => call('approveTransferOut', { params: { name } }),
    onSuccess: async (undecided) => {
      if (undecided) {
        setAsking(false)
        return keepDomain(undecided, '')
      }
      toast(`${name} has gone to the other registrar.`, name)
      await navigate(paths.domains())
      queryClient.removeQueries({ queryKey: keys.domain(name) })
      await renew(keys.domains)
    },
    onError: () => renew(keys.domain(name)),
  })
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      title={<Names>{`Another registrar requested a transfer of ${name}`}</Names>}
    >
      <Stack gap="xs">
        <Text size="sm">
          {by} requested it <When at={at} />. If you do not answer by {exactly(actBy)}, most registries approve the
          transfer automatically.
        </Text>
        {may.ruleDomain(domain) ? (
          <Group>
            <Button loading={reject.isPending} onClick={() => reject.mutate()}>
              Reject
            </Button>
            <Button variant="default" onClick={() => setAsking(true)}>
              Approve
            </Button>
          </Group>
        ) : (
          <Text size="sm">Its owner decides.</Text>
        )}
        <Failure error={reject.error} />
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title={`Approve the transfer of ${name}`}
        action={`Approve the transfer of ${name}`}
        error={approve.error}
        isBusy={approve.isPending}
        onConfirm={() => approve.mutate()}
        onClose={() => setAsking(false)}
      >
        <Names>{name}</Names> moves to {by} immediately. From then on, you renew and change it there. Its zone stays
        here, and answers as long as the nameservers of the domain are ours.
      </ConfirmDialog>
    </Alert>
  )
}
