import { registryContact } from '#modules/contacts/index.ts'
import type { Outcome, Registry } from '#ports/registry.ts'
import type { Order } from './order.ts'
import type { Operation } from './reconcile.ts'

/** Sends the command that an operation was written down for. Whatever may differ between attempts is in the order. */
export function sendCommand(
  registry: Registry,
  order: Order,
  { command, clTrid }: Operation,
  authCode: string,
): Promise<Outcome<unknown>> {
  const { name, years, registrantId } = order
  const fee = order.fee === null ? {} : { fee: order.fee }
  switch (command) {
    case 'contact':
      if (order.contact === null || registrantId === null) throw new Error(`order ${order.id} has no contact`)
      return registry.contacts.create(registryContact(registrantId, order.contact), authCode, clTrid)
    case 'create': {
      if (registrantId === null) throw new Error(`order ${order.id} has no contact`)
      const contacts = (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: registrantId }))
      const { nameservers } = order
      return registry.domains.create(
        { name, years, registrant: registrantId, contacts, nameservers, authInfo: authCode, ...fee },
        clTrid,
      )
    }
    case 'renew':
      if (order.oldExpiry === null) throw new Error(`order ${order.id} has no expiry to renew from`)
      return registry.domains.renew({ name, years, expiresAt: order.oldExpiry, ...fee }, clTrid)
    case 'transfer':
      return registry.domains.requestTransfer({ name, authInfo: authCode, ...fee }, clTrid)
  }
}
