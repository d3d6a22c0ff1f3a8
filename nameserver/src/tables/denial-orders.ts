import type { Arena } from './arena.ts'
import { insertHash, removeHash, replaceHash } from './hash-order.ts'
import { nodeHasNsec, nodeHead, noRef, wordOf, zoneHashes, zoneIdleHashes, zoneNsecs } from './layout.ts'
import { insertInOrder, removeFromOrder, replaceInOrder } from './order-index.ts'
import type { Segments } from './segments.ts'
import type { ZoneBlock } from './zone-block.ts'
import type { HashOperation, NameOperation } from './zone-plan.ts'

/** Whether the name of a block has NSEC; false for 0. */
export function hasNsec(segments: Segments, ref: number): boolean {
  return ref !== noRef && ((segments.wordsOf(ref)[wordOf(ref) + nodeHead] ?? 0) & nodeHasNsec) !== 0
}

/** Applies the change of a name to the NSEC order, if the zone denies with NSEC. The apex then always has NSEC. */
export function changeNsecs(arena: Arena, zone: ZoneBlock, { name, before, after }: NameOperation): void {
  const { nsecs } = zone
  if (nsecs === noRef) return
  const [hadNsec, hasNsecNow] = [hasNsec(arena.segments, before), hasNsec(arena.segments, after)]
  if (hadNsec && hasNsecNow) replaceInOrder(arena.segments, nsecs, after, name)
  else if (hadNsec) removeFromOrder(arena, nsecs, name)
  else if (hasNsecNow) zone.set(zoneNsecs, insertInOrder(arena, nsecs, after, name))
}

/** Applies a change of NSEC3 records. */
export function changeHashes(arena: Arena, zone: ZoneBlock, { hash, before, after }: HashOperation): void {
  const [from, to] = [rootOf(before), rootOf(after)]
  if (before.ref !== noRef && after.ref !== noRef && from === to) {
    replaceHash(arena.segments, zone.get(from) >>> 0, { hash, ref: after.ref })
    return
  }
  if (before.ref !== noRef) zone.set(from, removeHash(arena, zone.get(from) >>> 0, hash))
  if (after.ref !== noRef) zone.set(to, insertHash(arena, zone.get(to) >>> 0, { hash, ref: after.ref }))
}

function rootOf({ isIdle }: HashOperation['before']): number {
  return isIdle ? zoneIdleHashes : zoneHashes
}
