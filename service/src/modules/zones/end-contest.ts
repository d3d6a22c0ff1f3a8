import { tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { zoneLost } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { isObstacle } from './delegate.ts'
import { replaceLive } from './replace-live.ts'
import { isServiceName, serviceNamesOf } from './service-names.ts'
import { markVerified, readZone, surroundingsOf, type ZoneRow } from './store.ts'
import { lockNames } from './taking-store.ts'
import { contestGraceHours, isShown, type Proof, planContestEnd } from './verification-rules.ts'
import { type Contest, contestOf, postponeContest, verificationOf } from './verification-store.ts'
import { holdContest, lookForProof, provedBy, tellOthers, type VerificationParts } from './verify-zone.ts'

/** Time until a contest is checked again if it is unclear who controls the name, in seconds. */
const lookAgainS = 600

const actor = actorNamed('system', 'verification')

/** Ends a contest whose 72 hours are over: the zone moves to the challenger if the challenger's proof still exists; otherwise it stays. */
export async function endDueContest(database: Database, parts: VerificationParts, contest: Contest): Promise<void> {
  const proofOf = async (zoneId: string): Promise<Proof> => {
    const verification = await verificationOf(database.db, zoneId)
    return verification === undefined ? 'absent' : lookForProof(parts, verification)
  }
  const [owner, challenger] = await Promise.all([proofOf(contest.liveZoneId), proofOf(contest.zoneId)])
  try {
    await database.transact((tx) => settleContest(tx, parts, contest, owner, challenger))
  } catch (error) {
    // Something in the challenger's parent zone prevents the move: treat this as if it were unclear who controls the name.
    if (!isObstacle(error)) throw error
    await database.transact((tx) => settleContest(tx, parts, contest, 'unknown', 'unknown'))
  }
}

/** Does nothing if one of the zones was deleted or the owner proved control in the meantime, even if a new contest has started since. */
async function settleContest(
  tx: Tx,
  parts: VerificationParts,
  asked: Contest,
  owner: Proof,
  challenger: Proof,
): Promise<void> {
  const asking = await readZone(tx, asked.zoneId)
  if (asking === undefined) return
  await lockNames(tx, [{ name: asking.name, by: asking.accountId }])
  const [live, zone] = [await readZone(tx, asked.liveZoneId), await readZone(tx, asked.zoneId)]
  const contest = await contestOf(tx, asked.liveZoneId, contestGraceHours)
  if (live === undefined || zone === undefined || contest?.zoneId !== asked.zoneId) return
  if (contest.endsAt.getTime() !== asked.endsAt.getTime()) return
  const { parent } = await surroundingsOf(tx, zone.name, zone.accountId)
  const isBarred = parent?.isOwn === false || isServiceName(zone.name, serviceNamesOf(parts.nameservers))
  const [held, claimed] = [await provedBy(tx, live, owner), await provedBy(tx, zone, challenger)]
  if (isShown(held)) await markVerified(tx, live.id)
  const end = planContestEnd(held, isBarred ? 'absent' : claimed, contest.graceIsOver)
  if (end === 'wait') await postponeContest(tx, live.id, lookAgainS)
  else if (end === 'hold') await holdContest(tx, actor, live, zone.id)
  else await move(tx, parts, live, zone)
}

/** Deletes the live zone, and makes the challenger's zone, with the records prepared for it, live in its place. */
async function move(tx: Tx, parts: VerificationParts, live: ZoneRow, zone: ZoneRow): Promise<void> {
  await replaceLive(tx, parts, actor, { live, zone, origin: 'verified' })
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.verified',
    zone,
    summary: `The zone ${zone.name} is live in this account: control of it was proved for 72 hours`,
  })
  await tellAccount(tx, parts, live.accountId, zoneLost({ site: parts.site, zone: live.name, why: 'proved' }))
  await tellOthers(tx, parts, zone.name)
}
