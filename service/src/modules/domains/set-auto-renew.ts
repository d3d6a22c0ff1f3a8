import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { noSuchDomain } from './seen-domain.ts'
import { auditDomain, lockDomain, markAutoRenew } from './store.ts'

/** Turns auto-renew of a domain on or off. Repeating it changes nothing. */
export async function setAutoRenew(tx: Tx, actor: Actor, name: string, isOn: boolean): Promise<void> {
  const domain = await lockDomain(tx, name)
  if (domain === undefined) throw noSuchDomain()
  if (domain.autoRenew === isOn) return
  await markAutoRenew(tx, name, isOn)
  await auditDomain(tx, actor, domain, 'auto_renew_changed', `Auto-renew for ${name} was turned ${isOn ? 'on' : 'off'}`)
}
