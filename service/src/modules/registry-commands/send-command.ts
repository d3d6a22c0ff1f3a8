import type { Outcome, Registry } from '#ports/registry.ts'
import type { ChangeCommand, OrderCommand } from './command.ts'

/** What a registry may report with a result: the expiry of the domain, and the deadline for deciding a transfer. */
export type Given = { readonly expiresAt?: Date | null; readonly actBy?: Date } | null

/** Sends a command to a registry. Record it first: only the record shows after a crash that it may have been sent. */
export function sendCommand(
  { domains, hosts, contacts }: Registry,
  sent: OrderCommand | ChangeCommand,
  clTrid: string,
): Promise<Outcome<Given>> {
  switch (sent.command) {
    case 'contact':
    case 'create_contact':
      return contacts.create(sent.contact, sent.authInfo, clTrid)
    case 'create':
      return domains.create(sent.registration, clTrid)
    case 'renew':
      return domains.renew(sent.renewal, clTrid)
    case 'transfer':
      return domains.requestTransfer(sent.request, clTrid)
    case 'create_host':
      return hosts.create(sent.host, clTrid)
    case 'change_host':
      return hosts.update(sent.subject, sent.change, clTrid)
    case 'delete_host':
      return hosts.delete(sent.subject, clTrid)
    case 'delete_contact':
      return contacts.delete(sent.subject, clTrid)
    case 'approve':
      return domains.approveTransfer(sent.subject, clTrid)
    case 'reject':
      return domains.rejectTransfer(sent.subject, clTrid)
    case 'restore':
      return domains.restore(sent.subject, clTrid)
    case 'report_restore':
      return domains.reportRestore(sent.subject, sent.report, clTrid)
    default:
      return domains.update(sent.subject, sent.change, clTrid)
  }
}
