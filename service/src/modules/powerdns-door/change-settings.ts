import type { PowerdnsSettings } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import type { ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { saveSettings, settingsOf, type ZoneSettings } from './settings-store.ts'

/** The kinds that a zone can have, all of which mean that it is served from here. `Primary` is a newer name of `Master`. */
const kinds: ReadonlySet<string> = new Set(['native', 'master', 'primary'])

/** The settings in a request. @throws Refusal for a kind that zones here cannot have, and for DNSSEC, which is not available */
export function readZoneSettings(body: PowerdnsSettings): Partial<ZoneSettings> {
  const { kind, account } = body
  const faults: FaultDetail[] = []
  if (kind && !kinds.has(kind.toLowerCase()))
    faults.push({ path: '/kind', code: 'invalid', message: 'The kind of a zone must be Native or Master.' })
  if (body.dnssec || body.nsec3param)
    faults.push({ path: '/dnssec', code: 'invalid', message: 'DNSSEC cannot be turned on here. Leave dnssec out.' })
  if (faults.length > 0) throw Refusal.of(faults)
  return { ...(kind && { kind }), ...(account != null && { account }) }
}

/** Changes the settings that are given, and keeps the others. */
export async function changeSettings(
  tx: Tx,
  actor: Actor,
  zone: Pick<ZoneRow, 'id' | 'name' | 'accountId'>,
  given: Partial<ZoneSettings>,
): Promise<void> {
  const before = await settingsOf(tx, zone.id)
  const after = { ...before, ...given }
  if (after.kind === before.kind && after.account === before.account) return
  await saveSettings(tx, zone.id, after)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.powerdns_changed',
    zone,
    summary: `The kind or account of ${zone.name}, which only PowerDNS clients see, was changed`,
  })
}
