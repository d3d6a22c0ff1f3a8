import { zonePartsOf } from '#compose/zone-parts.ts'
import { decideOrder, readStuckOrders, retryOrder } from '#modules/orders/index.ts'
import { giveBoughtZone } from '#modules/zones/index.ts'
import { type Command, decisionOf, minutesOf } from './admin-command.ts'

/** What an operator does about orders that do not come to their end. */
export const orderCommands: Readonly<Record<string, Command>> = {
  'order stuck': {
    usage: 'order stuck [--minutes N]',
    summary:
      'list orders that were paid 10 minutes ago, or N, and have not ended, transfers that were paid 10 days ago and are under way, and orders with a refund that needs attention: their last command, and what the registry said',
    run: (tx, _actor, args) => readStuckOrders(tx, minutesOf(args)),
  },
  'order retry': {
    usage: 'order retry ORDER',
    summary: 'take the next step of an order, and of its payments, now: it looks before it sends anything again',
    run: (tx, actor, [id = '']) => retryOrder(tx, actor, id),
  },
  'order mark': {
    usage: 'order mark ORDER done|refused REASON',
    summary:
      'end an order, or a transfer that has begun, as the registry has told you: the customer reads the reason of a refusal, and gets the money back',
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
