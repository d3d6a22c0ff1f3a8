import { cardRoutes, type WireCard } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { cardToWire, maxCards } from './card.ts'
import { removeCard } from './remove-card.ts'
import { type Card, listCards } from './store.ts'

/** `savedCards`: the operator has turned saved cards on. */
export function mountCardRoutes(server: HttpServer, { savedCards }: { readonly savedCards: boolean }): void {
  const { db } = server.database

  server.mount(cardRoutes.listCards, async ({ caller, list }) => {
    const cards = await listCards(db, caller.accountId)
    const { rows, nextCursor } = list.pageOfAll(cards, ({ id }) => id)
    const canSave = savedCards && cards.length < maxCards
    return { status: 200, body: { data: rows.map(listedCardToWire), next_cursor: nextCursor, can_save: canSave } }
  })

  server.mount(cardRoutes.removeCard, ({ caller, actor, params, transact }) =>
    transact(async (tx) => ({
      status: 200,
      body: listedCardToWire(await removeCard(tx, actor, caller.accountId, params.id)),
    })),
  )
}

function listedCardToWire(card: Card): WireCard {
  return {
    ...cardToWire(card),
    domain_count: card.domainCount,
    domains: [...card.domains],
    created_at: card.createdAt.toISOString(),
  }
}
