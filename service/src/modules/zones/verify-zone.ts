import { type MailContext, readAccount, tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { zoneContested, zoneProvedElsewhere } from '#modules/mail/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { ParentAnswer, ParentDns } from '#ports/parent-dns.ts'
import type { Looked, Resolver } from '#ports/resolver.ts'
import { delegateAll, isObstacle } from './delegate.ts'
import { loseZones, type TakingParts, takeover } from './lose-zones.ts'
import { publishZone } from './publish-zone.ts'
import { isServiceName, serviceNamesOf } from './service-names.ts'
import { liveZoneNamed, markVerified, pendingZonesNamed, readZone, surroundingsOf, type ZoneRow } from './store.ts'
import { lockNames } from './taking-store.ts'
import { challengeOf, contestGraceHours, isShown, type Proof, planProof, proofIn } from './verification-rules.ts'
import {
  contestOf,
  endContest,
  endVerification,
  insertContest,
  noteLook,
  planNextLook,
  renewChallenge,
  startVerification,
  type Verification,
  verificationOf,
} from './verification-store.ts'

/** What verification needs from other modules. */
export interface VerificationParts extends TakingParts {
  readonly resolver: Resolver
  /** Finds out to whom a zone's parent delegates it: this shows the one-time name at the registrar. */
  readonly parentDns: ParentDns
  /** Our nameservers' host names, to which zones here are delegated. The one-time name is next to them. */
  readonly nameservers: readonly string[]
}

/** Checks the proof of control and acts on it, in two steps, so that no transaction waits for the DNS. */
export async function verifyZone(
  database: Database,
  parts: VerificationParts,
  actor: Actor,
  verification: Verification,
): Promise<void> {
  const proof = await lookForProof(parts, verification)
  await database.transact((tx) => settleProof(tx, parts, actor, verification, proof))
}

/**
 * The same for a verification that is due. A proof that cannot take effect, because something in the parent zone prevents it, is
 * recorded as refused, and checked again at the usual time.
 */
export async function verifyDueZone(
  database: Database,
  parts: VerificationParts,
  actor: Actor,
  verification: Verification,
): Promise<void> {
  const proof = await lookForProof(parts, verification)
  try {
    await database.transact(async (tx) => {
      await settleProof(tx, parts, actor, verification, proof)
      await planNextLook(tx, verification)
    })
  } catch (error) {
    if (!isObstacle(error)) throw error
    await database.transact(async (tx) => {
      await noteLook(tx, verification, 'refused')
      await planNextLook(tx, verification)
    })
  }
}

/** The proof that the DNS currently shows for a zone's challenge. */
export async function lookForProof(
  { resolver, parentDns, nameservers }: Pick<VerificationParts, 'resolver' | 'parentDns' | 'nameservers'>,
  { name, token }: Pick<Verification, 'name' | 'token'>,
): Promise<Proof> {
  const challenge = challengeOf(name, token, nameservers[0] ?? '')
  const [texts, delegation] = await Promise.all([resolver.texts(challenge.txtName), parentDns.delegationOf(name)])
  return proofIn(challenge, texts, delegatedTo(delegation), nameservers)
}

/** An answer of only one of the parent's servers proves nothing: that server may be lying. */
function delegatedTo(answer: ParentAnswer): Looked {
  if (answer.kind === 'no_answer' || !answer.isConfirmed) return 'unknown'
  return answer.kind === 'missing' ? [] : answer.nameservers
}

/**
 * Acts on a proof, if it still counts: the zone may have been deleted, proved or challenged again since the
 * check. Every zone of the name is locked, so that one of two proofs is the first.
 */
export async function settleProof(
  tx: Tx,
  parts: VerificationParts,
  actor: Actor,
  asked: Pick<Verification, 'zoneId' | 'name' | 'token'>,
  proof: Proof,
): Promise<void> {
  const by = isShown(proof) ? (await readZone(tx, asked.zoneId))?.accountId : undefined
  await lockNames(tx, [{ name: asked.name, by }])
  const [zone, verification] = [await readZone(tx, asked.zoneId), await verificationOf(tx, asked.zoneId)]
  if (zone === undefined || verification?.token !== asked.token) return
  const around = await surroundingsOf(tx, zone.name, zone.accountId)
  const live = zone.state === 'live' ? zone : await liveZoneNamed(tx, zone.name)
  const contest = live && (await contestOf(tx, live.id, contestGraceHours))
  const plan = planProof(
    {
      state: zone.state,
      rival: live !== undefined && live.id !== zone.id,
      barred: around.parent?.isOwn === false || isServiceName(zone.name, serviceNamesOf(parts.nameservers)),
      contested: contest !== undefined,
    },
    await provedBy(tx, zone, proof),
  )
  if (plan.kind === 'note') await noteLook(tx, verification, plan.outcome)
  else if (plan.kind === 'live') await goLive(tx, parts, actor, zone, around, proof)
  else if (plan.kind === 'contest' && live) await openContest(tx, parts, actor, zone, live)
  else if (plan.kind === 'hold' && contest) {
    await markVerified(tx, zone.id)
    await holdContest(tx, actor, zone, contest.zoneId)
  }
}

/** A deleted account proves nothing, whatever it has left in the DNS. */
export async function provedBy(tx: Tx, { accountId }: ZoneRow, proof: Proof): Promise<Proof> {
  return (await readAccount(tx, accountId)) === undefined ? 'absent' : proof
}

/** The first proof wins: the zone goes live. Other accounts that have added the name are notified, and need a new proof from now on. */
async function goLive(
  tx: Tx,
  parts: VerificationParts,
  actor: Actor,
  zone: ZoneRow,
  { parent, others }: Awaited<ReturnType<typeof surroundingsOf>>,
  proof: Proof,
): Promise<void> {
  const parentId = parent?.id ?? null
  const ended = await loseZones(tx, parts, takeover, { name: zone.name, others })
  await endVerification(tx, zone.id)
  const live = await publishZone(tx, { id: zone.id, name: zone.name, origin: 'verified', parentId })
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.verified',
    zone,
    summary: `The zone ${zone.name} is live: control of it was proved (${proof === 'ns' ? 'nameserver' : 'TXT record'})`,
  })
  if (parentId !== null) await parts.delegate(tx, actor, parentId, [{ name: live.name, present: true }])
  await delegateAll(tx, parts.delegate, takeover, ended)
  await tellOthers(tx, parts, zone.name)
}

/** Notifies accounts with a pending zone of the name that another account has it live, and renews their challenges. */
export async function tellOthers(tx: Tx, parts: MailContext, name: string): Promise<void> {
  for (const other of await pendingZonesNamed(tx, name)) {
    await renewChallenge(tx, other.id)
    await tellAccount(tx, parts, other.accountId, zoneProvedElsewhere({ site: parts.site, zone: name }))
  }
}

async function openContest(
  tx: Tx,
  parts: VerificationParts,
  actor: Actor,
  zone: ZoneRow,
  live: ZoneRow,
): Promise<void> {
  const endsAt = await insertContest(tx, live.id, zone.id)
  await startVerification(tx, live.id)
  const owners = await verificationOf(tx, live.id)
  const challenge = challengeOf(live.name, owners?.token ?? '', parts.nameservers[0] ?? '')
  const until = `until ${endsAt.toISOString()}`
  for (const [of, summary] of [
    [zone, `Control of ${zone.name} was proved; another account hosts it and can prove control ${until}`],
    [live, `Another account proved control of ${zone.name}; to keep the zone, prove control of it ${until}`],
  ] as const)
    await recordAudit(tx, {
      accountId: of.accountId,
      // The owner does not learn who the challenger is.
      actor: of === zone ? actor : actorNamed('system', 'verification'),
      action: 'zone.contested',
      zone: of,
      summary,
    })
  await tellAccount(
    tx,
    parts,
    live.accountId,
    zoneContested({ site: parts.site, zone: live.name, endsAt, ...challenge }),
  )
}

/** The owner of a contested zone has proved control: the challenger needs a new proof to open another contest. */
export async function holdContest(tx: Tx, actor: Actor, live: ZoneRow, challengerId: string): Promise<void> {
  await endContest(tx, live.id)
  await renewChallenge(tx, challengerId)
  await recordAudit(tx, {
    accountId: live.accountId,
    actor,
    action: 'zone.held',
    zone: live,
    summary: `The contest for ${live.name} has ended; the zone stays in this account`,
  })
}
