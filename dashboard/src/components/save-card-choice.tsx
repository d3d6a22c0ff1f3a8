import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../api/queries.ts'

/** Asks whether the card of a payment should be saved for auto-renew. Nothing is shown where cards cannot be saved. */
export function SaveCardChoice({
  renewsThis,
  checked,
  onChange,
}: {
  /** Auto-renew is on for the domain of the order, and may then charge the card for it. */
  renewsThis: boolean
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const cards = useQuery(queries.cards())
  if (!cards.data?.can_save) return null
  return (
    <Checkbox
      label="Save this card for auto-renew"
      description={
        renewsThis
          ? 'We may then charge it for renewals of this domain that your credit does not cover. You can stop this at any time.'
          : 'We charge it only for domains for which you then allow it. You can remove it at any time.'
      }
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
