import { zonePartsOf } from '#compose/zone-parts.ts'
import { decideOrder, readStuckOrders, retryOrder } from '#modules/orders/index.ts'
import { giveBoughtZone } from '#modules/zones/index.ts'
import { type Command, decisionOf, minutesOf } from './admin-command.ts'

/** Operator commands for orders that do not finish. */
export const orderCommands: Readonly<Record<string, Command>> = {
  'order stuck': {
    usage: 'order stuck [--minutes N]',
    summary:
      'list unfinished orders that were paid at least 10 (or N) minutes ago, transfers in progress that were paid at least 10 days ago, and orders with a refund that needs attention, with their last command and the registry’s response',
    run: (tx, _actor, args) => readStuckOrders(tx, minutesOf(args)),
  },
  'order retry': {
    usage: 'order retry ORDER',
    summary: 'run the next step of an order and of its payments now; it checks the outcome before it resends anything',
    run: (tx, actor, [id = '']) => retryOrder(tx, actor, id),
  },
  'order mark': {
    usage: 'order mark ORDER done|refused REASON',
    summary:
      'end an order, or a transfer that has started, with the outcome that the registry gave you; after a refusal, the customer sees the reason and gets a refund',
    run: (tx, actor, [id = '', ...said], platform) => {
      const parts = zonePartsOf(platform)
      return decideOrder(
        tx,
        {
          giveZone: (tx, by, accountId, name) => giveBoughtZone(tx, parts, { actor: by, accountId }, name),
        },
        actor,
        id,
        decisionOf(said),
      )
    },
  },
}
