import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { zoneLost } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { writeZone, type ZoneOwner } from './create-zone.ts'
import { replaceLive } from './replace-live.ts'
import { liveZoneNamed, lockName, readOwnZone, surroundingsOf, type ZoneRow } from './store.ts'
import { contestGraceHours } from './verification-rules.ts'
import { contestOf } from './verification-store.ts'
import { holdContest, tell, tellOthers, type VerificationParts } from './verify-zone.ts'
import { parseZoneName } from './zone-name.ts'

const service = actorNamed('system', 'registration')

/**
 * The live zone of a domain whose registration by an account is completed, or whose transfer to it: who has the domain has the
 * name, at once, whoever hosted it here before. That account is told, and its zone is deleted.
 *
 * A zone that the account has already goes on with its records. Limits were for the order to keep: money has been paid.
 * Throws `zone_exists` when another transaction made the name live at this very moment: do it again.
 */
export async function addBoughtZone(
  tx: Tx,
  parts: Pick<VerificationParts, 'delegate' | 'secrets' | 'site'>,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  domain: string,
): Promise<ZoneRow> {
  const name = parseZoneName(domain)
  await lockAccount(tx, owner.accountId)
  await lockName(tx, name)
  const live = await liveZoneNamed(tx, name)
  if (live?.accountId === owner.accountId) return await keep(tx, live)
  const around = await surroundingsOf(tx, name, owner.accountId)
  const pending = around.own === 'pending' ? await readOwnZone(tx, owner.accountId, name) : undefined
  const zone = pending ?? (await writeZone(tx, owner, name, 'live', around))
  const row = await replaceLive(tx, parts, service, { live, zone, origin: 'bought' })
  await recordAudit(tx, {
    accountId: owner.accountId,
    actor: owner.actor,
    action: 'zone.bought',
    zone: row,
    summary: `The domain ${name} is this account's: its zone is live`,
  })
  if (live !== undefined)
    await tell(tx, parts, live.accountId, zoneLost({ site: parts.site, zone: name, why: 'registered' }))
  await tellOthers(tx, parts, name)
  return row
}

/** It has the zone already; nobody contests it any more. */
async function keep(tx: Tx, live: ZoneRow): Promise<ZoneRow> {
  const contest = await contestOf(tx, live.id, contestGraceHours)
  if (contest !== undefined) await holdContest(tx, service, live, contest.zoneId)
  return live
}
