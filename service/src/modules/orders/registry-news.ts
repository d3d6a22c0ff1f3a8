import { orderCommands } from '#modules/registry-commands/index.ts'
import { domainIn, type Registry, type RegistryMessage } from '#ports/registry.ts'
import { type OrderWork, settle } from './advance-order.ts'
import { hurryOrders, readOrder } from './store.ts'

/**
 * Handles a registry's message. All transactions are committed when it returns, so the message can then be acknowledged. Handling a message
 * twice has no additional effect. Messages are also passed to the domains: while a renewal waits, another registrar may request a transfer of
 * its domain.
 */
export async function takeNews(work: OrderWork, registry: Registry, message: RegistryMessage): Promise<void> {
  const { news } = message
  const { database, log } = work
  log.info(
    { registry: registry.id, message: message.id, kind: news.kind, text: message.text },
    'a registry sent a message',
  )
  if (news.kind === 'other' && news.unread !== undefined)
    log.error(
      { registry: registry.id, message: message.id, why: news.unread },
      'a registry message cannot be parsed; read it at the registry',
    )
  if (news.kind === 'decided' && !news.wasDone && news.clTrid !== null) {
    const operation = await orderCommands.named(database.db, news.clTrid)
    const order = operation && (await readOrder(database.db, operation.owner))
    const verdict = { state: 'refused', message: `The registry rejected the request: ${message.text}` } as const
    if (operation && order) await settle(work, order, operation, verdict)
  }
  // For a hint about a domain, all open orders of the domain are checked now.
  const name = domainIn(news)
  if (name !== undefined) await database.transact((tx) => hurryOrders(tx, name))
  await work.takeDomainNews?.(registry, message)
}
