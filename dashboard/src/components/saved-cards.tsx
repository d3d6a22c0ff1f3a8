import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WireCard } from '@zonewright/contract'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Name } from '../ui/name.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { cardExpiry, cardTitle } from '../util/card-words.ts'
import { shownName } from '../util/shown-name.ts'
import { DocsLink } from './docs-link.tsx'

/** The saved cards of the account, with a button that removes each. Without cards, nothing is shown where none can be saved. */
export function SavedCards() {
  const cards = useQuery(queries.cards())
  const [asking, setAsking] = useState<WireCard>()
  if (cards.data?.data.length === 0 && !cards.data.can_save) return null
  return (
    <Section
      title="Saved cards"
      lead={
        <>
          Auto-renew charges a saved card only for the domains for which you allow it.{' '}
          <DocsLink page="auto-renew">How it works</DocsLink>
        </>
      }
    >
      <Loaded of={cards}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" className="quiet">
              No cards yet. You can save one when you next pay for an order by card.
            </Text>
          ) : (
            <ul className="plain-list" aria-label="Saved cards">
              {data.map((card) => (
                <CardRow key={card.id} card={card} onRemove={() => setAsking(card)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asking && <RemoveCard card={asking} onClose={() => setAsking(undefined)} />}
    </Section>
  )
}

function CardRow({ card, onRemove }: { card: WireCard; onRemove: () => void }) {
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text fw={600}>{cardTitle(card)}</Text>
            {card.expired ? (
              <Badge className="badge-red">Expired</Badge>
            ) : (
              <Text size="sm" className="quiet">
                Expires {cardExpiry(card)}
              </Text>
            )}
          </Group>
          <Text size="sm" className="quiet breakable">
            {card.domain_count === 0 ? (
              'No domain is renewed with it.'
            ) : (
              <>
                Renews <CardDomains card={card} />.
              </>
            )}
          </Text>
        </div>
        <Button size="xs" variant="default" aria-label={`Remove ${cardTitle(card)}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </li>
  )
}

/** The maximum number of domain names that a card shows. */
const mostNamed = 5

function CardDomains({ card: { domains, domain_count: count } }: { card: WireCard }) {
  const named = domains.slice(0, mostNamed)
  return (
    <>
      {named.map((name, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <Name>{shownName(name)}</Name>
        </span>
      ))}
      {count > named.length && ` and ${count - named.length} more`}
    </>
  )
}

function RemoveCard({ card, onClose }: { card: WireCard; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await call('removeCard', { params: { id: card.id } })
      } catch (error) {
        // An earlier attempt removed it, but its response was lost.
        if (!failedWith(error, 'not_found')) throw error
      }
    },
    onSuccess: async () => {
      onClose()
      toast(`${cardTitle(card)} was removed.`)
      await renew(keys.cards)
    },
  })
  return (
    <ConfirmDialog
      opened
      title={`Remove ${cardTitle(card)}`}
      action="Remove the card"
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        {card.domain_count === 0 ? (
          <span>No domain is renewed with this card.</span>
        ) : (
          <>
            <span>Auto-renew stays on for these domains, but no longer charges the card:</span>
            <b className="breakable">
              <CardDomains card={card} />
            </b>
            <span>If your credit does not cover a renewal, we email you a payment link.</span>
          </>
        )}
        <span>A charge that has already started is not stopped.</span>
      </Stack>
    </ConfirmDialog>
  )
}
