import type { ChecklistItem } from '@zonewright/contract'
import type { CalledZone } from '#http/call.ts'
import { readDelegation } from '#modules/delegation/index.ts'
import { readSeen } from '#modules/propagation/index.ts'
import { isServing } from '#modules/publication/index.ts'
import { aliasWarningsOf, readWholeZone, warningsOf } from '#modules/records/index.ts'
import { challengeOf, verificationOf } from '#modules/zones/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { DnsProbe, DnsServer } from '#ports/dns-probe.ts'
import { danglingAliases } from './alias-targets.ts'
import { faultyMailTargets } from './mail-targets.ts'
import { type ChecklistFacts, checklistOf } from './rules.ts'
import { ZoneContent } from './zone-content.ts'

/** What the checklist needs from other modules. */
export interface ChecklistContext {
  readonly probe: DnsProbe
  /** Public resolvers for names outside the zone. */
  readonly resolvers: readonly DnsServer[]
  /** The nameservers that zones must be delegated to. */
  readonly nameservers: readonly string[]
}

/** Checks a zone; undefined if it no longer exists. Queries take at most about 5 s. */
export async function readChecklist(
  db: Db,
  context: ChecklistContext,
  called: CalledZone,
): Promise<ChecklistItem[] | undefined> {
  const [whole, delegation, seen] = await Promise.all([
    readWholeZone(db, called.id),
    readDelegation(db, called.id),
    readSeen(db, called.id),
  ])
  if (whole === undefined || delegation === undefined) return undefined
  const { zone, rrsets, now } = whole
  const content = new ZoneContent(zone.name, rrsets)
  const [dangling, faulty, aliasWarnings, challenge] = await Promise.all([
    danglingAliases(content, context),
    faultyMailTargets(content, context),
    aliasWarningsOf(db, rrsets),
    challengeFor(db, context, called),
  ])
  return checklistOf({
    zone: { name: zone.name, isLive: zone.state === 'live', isBelowOwn: zone.parentId !== null },
    challenge,
    delegation,
    expected: [...context.nameservers, ...delegation.secondaryNames],
    nameservers: seen.map(({ name, serial, zoneSerial, stalledSince }) => ({
      name,
      inSync: isServing(serial, zoneSerial, zoneSerial),
      stalledSince,
    })),
    content,
    dangling,
    faultyMailTargets: faulty,
    warnings: [...warningsOf(zone.name, rrsets), ...aliasWarnings],
    now,
  })
}

/** Only the owner sees the proof of control. */
async function challengeFor(
  db: Db,
  { nameservers }: ChecklistContext,
  { id, role }: CalledZone,
): Promise<ChecklistFacts['challenge']> {
  const verification = role === 'owner' ? await verificationOf(db, id) : undefined
  if (verification === undefined) return undefined
  const { name, token, contestEndsAt } = verification
  return { ...challengeOf(name, token, nameservers[0] ?? ''), contestEndsAt }
}
