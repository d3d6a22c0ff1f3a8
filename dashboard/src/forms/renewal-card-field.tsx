import { NativeSelect, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { toast } from '../ui/toasts.tsx'
import { cardExpiry, cardTitle } from '../util/card-words.ts'
import { paths } from '../util/paths.ts'

/** Lets the owner of a domain choose which saved card auto-renew may charge, or none. Only with auto-renew. */
export function RenewalCardField({ name }: { name: string }) {
  const cards = useQuery(queries.cards())
  const allowed = useQuery(queries.renewalCard(name))
  const choose = useMutation({
    mutationFn: async (id: string) => {
      if (id === '') await call('withdrawRenewalCard', { params: { name } })
      else await call('allowRenewalCard', { params: { name }, body: { card_id: id } })
    },
    onSuccess: (_, id) => toast(id === '' ? 'Auto-renew charges no card.' : 'Auto-renew may charge this card.', name),
    onSettled: () => renew(keys.cards, keys.domain(name)),
  })
  if (cards.data === undefined || allowed.data === undefined)
    return <Failure error={cards.error ?? allowed.error} retry={() => void renew(keys.cards, keys.domain(name))} />
  const { data: all, can_save: canSave } = cards.data
  const { card } = allowed.data
  if (all.length === 0)
    return canSave ? (
      <Text size="sm" className="quiet">
        To have a card charged automatically, save it when you next pay for an order.
      </Text>
    ) : null
  return (
    <>
      <NativeSelect
        label="Charge this card"
        description="If your credit does not cover a renewal of this domain, we charge the card for the rest. You can stop this here at any time."
        maw={420}
        data={[
          { value: '', label: 'No card: email me a payment link' },
          ...all.map((each) => ({
            value: each.id,
            label: `${cardTitle(each)}, ${each.expired ? 'expired' : 'expires'} ${cardExpiry(each)}`,
            disabled: each.expired && each.id !== card?.id,
          })),
        ]}
        value={choose.isPending ? choose.variables : (card?.id ?? '')}
        disabled={choose.isPending}
        onChange={(event) => choose.mutate(event.currentTarget.value)}
      />
      {card?.expired && <Text size="sm">This card has expired, so it is not charged. Choose another card.</Text>}
      <Failure error={choose.error} />
      <TextLink size="sm" {...paths.credit()}>
        Manage saved cards
      </TextLink>
    </>
  )
}
