import { parseArgs } from 'node:util'
import { decideOrder, readStuckOrders, retryOrder } from '#modules/orders/index.ts'
import { addBoughtZone } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Command } from './admin-command.ts'
import { verificationOf } from './verification.ts'

/** What an operator does about orders that do not come to their end. */
export const orderCommands: Readonly<Record<string, Command>> = {
  'order stuck': {
    usage: 'order stuck [--minutes N]',
    summary:
      'list orders that were paid 10 minutes ago, or N, and have not ended: their last command, and what the registry said',
    run: async (tx, _actor, args) => {
      const { values } = parseArgs({ args: [...args], options: { minutes: { type: 'string', default: '10' } } })
      return readStuckOrders(tx, Number(values.minutes))
    },
  },
  'order retry': {
    usage: 'order retry ORDER',
    summary: 'take the next step of an order, and of its payments, now: it looks before it sends anything again',
    run: (tx, actor, [id = '']) => retryOrder(tx, actor, id),
  },
  'order mark': {
    usage: 'order mark ORDER done|refused REASON',
    summary:
      'end an order as the registry has told you: the customer reads the reason of a refusal, and gets the money back',
    run: (tx, actor, [id = '', what = '', ...reason], platform) => {
      if (what !== 'done' && what !== 'refused')
        throw new Refusal('validation_failed', `An order is marked done or refused; not ${JSON.stringify(what)}.`)
      if (reason.length === 0)
        throw new Refusal('validation_failed', 'Say why: the customer, or whoever reads the audit log.')
      const parts = verificationOf(platform)
      return decideOrder(
        tx,
        {
          giveZone: async (tx, by, accountId, name) =>
            (await addBoughtZone(tx, parts, { actor: by, accountId }, name)).id,
        },
        actor,
        id,
        { isDone: what === 'done', reason: reason.join(' ') },
      )
    },
  },
}
