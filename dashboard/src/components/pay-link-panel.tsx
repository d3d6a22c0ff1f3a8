import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WireOrderDetails } from '@zonewright/contract'
import { type ReactNode, useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { CopyText } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { When } from '../ui/when.tsx'

/** The payment link of an unpaid order: create, copy, replace and revoke it. */
export function PayLinkPanel({ order }: { order: WireOrderDetails }) {
  const { id } = order
  const make = useMutation({
    mutationFn: () => call('createPayLink', { params: { id } }),
    onSettled: () => renewOrder(id),
  })
  return (
    <Section
      title="Payment link"
      lead="Anyone with the link can pay for this order without an account. The link shows the order and the amount."
    >
      {order.pay_link_expires_at === null ? (
        <Group>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            Create a payment link
          </Button>
        </Group>
      ) : (
        <LinkInUse
          order={order}
          expiresAt={order.pay_link_expires_at}
          again={
            <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
              Replace it with a new link
            </Button>
          }
        />
      )}
      <Failure error={make.error} />
    </Section>
  )
}

function LinkInUse({
  order: { id, client_email: clientEmail },
  expiresAt,
  again,
}: {
  order: WireOrderDetails
  expiresAt: string
  again: ReactNode
}) {
  const link = useQuery(queries.payLink(id, expiresAt))
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => call('deletePayLink', { params: { id } }),
    onSuccess: () => setAsking(false),
    onSettled: () => renewOrder(id),
  })
  return (
    <Loaded of={link}>
      {({ url }) => (
        <Stack gap="sm">
          <CopyText text={url} what="the payment link" />
          <Text size="sm" className="quiet">
            {clientEmail === '' ? 'Send it to the payer. ' : `We emailed it to ${clientEmail}. `}
            It expires <When at={expiresAt} />.
          </Text>
          <Group>
            {again}
            <Button variant="default" onClick={() => setAsking(true)}>
              Revoke the link
            </Button>
          </Group>
          <ConfirmDialog
            opened={isAsking}
            title="Revoke the payment link"
            action="Revoke the link"
            error={revoke.error}
            isBusy={revoke.isPending}
            onConfirm={() => revoke.mutate()}
            onClose={() => setAsking(false)}
          >
            It can no longer be used to pay. The order stays unpaid, and you can create another link.
          </ConfirmDialog>
        </Stack>
      )}
    </Loaded>
  )
}

/** The order first, because it shows whether there is a link to read. */
async function renewOrder(orderId: string): Promise<void> {
  await renew(keys.order(orderId))
}
