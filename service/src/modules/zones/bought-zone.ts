import { tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { zoneLost } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { writeZone, type ZoneOwner } from './create-zone.ts'
import { delegateAll } from './delegate.ts'
import { loseZones, type TakingParts } from './lose-zones.ts'
import { replaceLive } from './replace-live.ts'
import { isServiceName, serviceNamesOf } from './service-names.ts'
import { liveZoneNamed, readOwnZone, surroundingsOf, type ZoneRow } from './store.ts'
import { readUnderLocks } from './taking-store.ts'
import { contestGraceHours } from './verification-rules.ts'
import { contestOf } from './verification-store.ts'
import { holdContest, tellOthers, type VerificationParts } from './verify-zone.ts'
import { parseZoneName, type ZoneName } from './zone-name.ts'

const service = actorNamed('system', 'registration')

/**
 * Makes the zone of a domain live once an account has registered it or transferred it in. The account gets the name immediately,
 * whichever account hosted it before: that account is notified, and its zone is deleted.
 *
 * If the account already has the zone, the zone keeps its records. Limits do not apply, because the order was paid. The account must
 * be locked. Throws `zone_exists` if a concurrent transaction made the name live: try again.
 */
export async function addBoughtZone(
  tx: Tx,
  parts: TakingParts,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  domain: string,
): Promise<ZoneRow> {
  const name = parseZoneName(domain)
  const around = await readUnderLocks(tx, [{ name, by: owner.accountId }], () =>
    surroundingsOf(tx, name, owner.accountId),
  )
  const live = around.own === 'live' || around.taken ? await liveZoneNamed(tx, name) : undefined
  if (live?.accountId === owner.accountId) return await keep(tx, live)
  const pending = around.own === 'pending' ? await readOwnZone(tx, owner.accountId, name) : undefined
  const row =
    live === undefined && pending === undefined
      ? await addNew(tx, parts, owner, name, around)
      : await replaceLive(tx, parts, service, {
          live,
          zone:
            pending ??
            (await writeZone(tx, owner, { ...around, name, state: 'pending', origin: 'bought', parentId: null })),
          origin: 'bought',
        })
  await recordAudit(tx, {
    accountId: owner.accountId,
    actor: owner.actor,
    action: 'zone.bought',
    zone: row,
    summary: `The zone ${name} is live, because this account has the domain`,
  })
  if (live !== undefined)
    await tellAccount(tx, parts, live.accountId, zoneLost({ site: parts.site, zone: name, why: 'registered' }))
  if (around.isAwaited) await tellOthers(tx, parts, name)
  return row
}

/** The same for an order. A domain with a name of the service itself, which an earlier version may have sold, gets no zone. */
export async function giveBoughtZone(
  tx: Tx,
  parts: TakingParts & Pick<VerificationParts, 'nameservers'>,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  domain: string,
): Promise<void> {
  if (!isServiceName(domain, serviceNamesOf(parts.nameservers))) await addBoughtZone(tx, parts, owner, domain)
}

/** No account has the name here. */
async function addNew(
  tx: Tx,
  parts: TakingParts,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  name: ZoneName,
  around: Awaited<ReturnType<typeof surroundingsOf>>,
): Promise<ZoneRow> {
  const parentId = around.parent?.isOwn ? around.parent.id : null
  const ended = await loseZones(tx, parts, service, { name, others: around.others })
  const zone = await writeZone(tx, owner, { ...around, name, state: 'live', origin: 'bought', parentId })
  const begun = parentId === null ? [] : [{ parentId, name, present: true }]
  await delegateAll(tx, parts.delegate, service, [...begun, ...ended])
  return zone
}

/** The account already has the zone; any contest about it ends. */
async function keep(tx: Tx, live: ZoneRow): Promise<ZoneRow> {
  const contest = await contestOf(tx, live.id, contestGraceHours)
  if (contest !== undefined) await holdContest(tx, service, live, contest.zoneId)
  return live
}
