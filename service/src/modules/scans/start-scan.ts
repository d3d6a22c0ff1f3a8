import { noSuchZone } from '#http/authorise.ts'
import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { lockZone } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { waitS } from './rules.ts'
import { insertScan, readAges } from './store.ts'

/**
 * Lets a worker scan a zone for the account of the caller.
 *
 * @throws Refusal `conflict` unless control of the zone is proven, `rate_limited` if it or the account was scanned too often
 */
export async function startScan(tx: Tx, actor: Actor, accountId: string, zoneId: string): Promise<void> {
  await lockAccount(tx, accountId)
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  if (zone.state !== 'live')
    throw new Refusal('conflict', 'Only zones whose control is proven can be scanned. Verify the zone first.')
  const { ofZone, ofAccount } = await readAges(tx, accountId, zoneId)
  const wait = waitS(ofZone ?? undefined, ofAccount)
  if (wait !== undefined)
    throw new Refusal(
      'rate_limited',
      'A zone can be scanned once in 10 minutes, and an account can start 20 scans an hour. Try again later.',
      { headers: { 'retry-after': String(wait) } },
    )
  await insertScan(tx, accountId, zoneId)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.scanned',
    zone,
    summary: `A scan of the current nameservers of ${zone.name} was started`,
  })
}
