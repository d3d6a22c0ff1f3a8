import { registryContact } from '#modules/contacts/index.ts'
import type { Outcome, Reading, Registry } from '#ports/registry.ts'
import type { Act, Sight, Step } from './act.ts'
import { canonicalAddress } from './hosts.ts'

/** Sends the command of a step. `secret` is the act's, opened. */
export function sendStep(
  { domains, hosts, contacts }: Registry,
  { name, wish }: Act,
  step: Step,
  clTrid: string,
  secret: string,
): Promise<Outcome<unknown>> {
  switch (step.step) {
    case 'allow_updates':
      return domains.update(name, { statuses: { add: [], remove: ['clientUpdateProhibited'] } }, clTrid)
    case 'prohibit_updates':
      return domains.update(name, { statuses: { add: ['clientUpdateProhibited'], remove: [] } }, clTrid)
    case 'lock':
      return domains.update(name, { statuses: { add: step.statuses, remove: [] } }, clTrid)
    case 'unlock':
      return domains.update(name, { statuses: { add: [], remove: step.statuses } }, clTrid)
    case 'remove_ds':
      return domains.update(name, { dsRecords: 'none' }, clTrid)
    case 'set_nameservers':
      return domains.update(name, { nameservers: { add: step.add, remove: step.remove } }, clTrid)
    case 'set_contacts': {
      const { registrant, add, remove } = step
      return domains.update(name, { registrant, contacts: { add, remove } }, clTrid)
    }
    case 'set_code':
      return domains.update(name, { authInfo: secret }, clTrid)
    case 'create_host':
      return hosts.create(step.host, clTrid)
    case 'change_host':
      return hosts.update(step.host, { addresses: { add: step.add, remove: step.remove } }, clTrid)
    case 'delete_host':
      return hosts.delete(step.host, clTrid)
    case 'create_contact':
      if (wish.kind !== 'contacts') throw new Error(`an act of ${wish.kind} makes no contact`)
      return contacts.create(registryContact(wish.registrantId, wish.contact), secret, clTrid)
    case 'delete_contact':
      return contacts.delete(step.id, clTrid)
    case 'approve':
      return domains.approveTransfer(name, clTrid)
    case 'reject':
      return domains.rejectTransfer(name, clTrid)
    case 'restore':
      return domains.restore(name, clTrid)
    case 'report_restore':
      return domains.reportRestore(name, step.report, clTrid)
  }
}

/** Reads from the registry all that an act is concerned with; what is not `done` is the first question that got no good answer. */
export async function readSight(registry: Registry, { name, wish }: Act, secret: string): Promise<Reading<Sight>> {
  const info = await registry.domains.info(name)
  if (info.kind !== 'done') return info
  const known = new Map<string, readonly string[]>()
  for (const host of wish.kind === 'nameservers' ? wish.hosts : []) {
    const found = await registry.hosts.info(host.name)
    if (found.kind === 'done') known.set(host.name, found.value.addresses.map(canonicalAddress))
    else if (!isNotThere(found)) return found
  }
  const contact = wish.kind === 'contacts' ? await registry.contacts.info(wish.registrantId) : undefined
  if (contact !== undefined && contact.kind !== 'done' && !isNotThere(contact)) return contact
  const isTransfer = wish.kind === 'approve_transfer' || wish.kind === 'reject_transfer'
  const transfer = isTransfer ? await registry.domains.queryTransfer(name) : undefined
  if (transfer !== undefined && transfer.kind !== 'done' && !isNoTransfer(transfer)) return transfer
  const sight: Sight = {
    info: info.value,
    hosts: known,
    hasContact: contact?.kind === 'done',
    hasCode: wish.kind === 'transfer_code' && info.value.authInfo === secret,
    transfer: transfer?.kind === 'done' ? transfer.value : null,
  }
  return { ...info, value: sight }
}

function isNotThere(reading: Reading<unknown>): boolean {
  return reading.kind === 'refused' && reading.reply.code === 2303
}

/** None is under way, or none that we take part in. */
function isNoTransfer(reading: Reading<unknown>): boolean {
  return reading.kind === 'refused' && (reading.reply.code === 2301 || reading.reply.code === 2201)
}
