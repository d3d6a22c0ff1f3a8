import { isMissing, isNoTransfer } from '#modules/registry-commands/index.ts'
import type { Reading, Registry } from '#ports/registry.ts'
import type { Sight } from './domain-change.ts'
import { canonicalAddress } from './hosts.ts'
import type { Underway } from './plan-change.ts'

/** Reads what a change needs from the registry. If a query fails, returns the reading of that query. */
export async function readSight(registry: Registry, { name, wish, code }: Underway): Promise<Reading<Sight>> {
  const info = await registry.domains.info(name)
  if (info.kind !== 'done') return info
  const known = new Map<string, readonly string[]>()
  for (const host of wish.kind === 'nameservers' ? wish.hosts : []) {
    const found = await registry.hosts.info(host.name)
    if (found.kind === 'done') known.set(host.name, found.value.addresses.map(canonicalAddress))
    else if (!isMissing(found)) return found
  }
  const contact = wish.kind === 'contacts' ? await registry.contacts.info(wish.registrantId) : undefined
  if (contact !== undefined && contact.kind !== 'done' && !isMissing(contact)) return contact
  const isTransfer = wish.kind === 'approve_transfer' || wish.kind === 'reject_transfer'
  const transfer = isTransfer ? await registry.domains.queryTransfer(name) : undefined
  if (transfer !== undefined && transfer.kind !== 'done' && !isNoTransfer(transfer)) return transfer
  const sight: Sight = {
    info: { ...info.value, name },
    hosts: known,
    hasContact: contact?.kind === 'done',
    hasCode: wish.kind === 'transfer_code' && info.value.authInfo === code,
    transfer: transfer?.kind === 'done' ? transfer.value : null,
  }
  return { ...info, value: sight }
}
