import { RrType, recordsOf, rootName, signatures } from '@zonewright/dns'
import { HashFinder, inHashOrder } from './hash-order.ts'
import { noRef, zoneLengths } from './layout.ts'
import { hashInWire } from './nsec3-owner.ts'
import { inOrder } from './order-index.ts'
import type { Owner, OwnerRrset } from './owners.ts'
import { ownerOf, readOwnerRrsets } from './read-name.ts'
import type { Segments } from './segments.ts'
import { compareWireNames } from './wire-name.ts'
import type { ZoneBlock } from './zone-block.ts'

/**
 * The names of a zone that have rrsets, in canonical order, those of NSEC3 included. The zone must not be changed during
 * the iteration.
 */
export function* ownersIn(segments: Segments, zone: ZoneBlock): Generator<Owner> {
  for (const owner of allOwners(segments, zone)) if (owner.rrsets.length > 0) yield owner
}

function allOwners(segments: Segments, zone: ZoneBlock): Iterable<Owner> {
  const owners = ownersAt(segments, inOrder(segments, zone.order))
  if (zone.hashes === noRef && zone.idleHashes === noRef) return owners
  const hashed = ownersAt(segments, inHashOrder(segments, zone.hashes))
  const idle = ownersAt(segments, inHashOrder(segments, zone.idleHashes))
  return merged(merged(hashed, idle), owners)
}

/** The rrsets of one name, those of NSEC3 included; `ref` is the reference of the name itself, 0 if there is none. */
export function ownerRrsetsIn(segments: Segments, zone: ZoneBlock, name: Uint8Array, ref: number): OwnerRrset[] {
  const own = ref === noRef ? [] : readOwnerRrsets(segments, ref)
  const nsec3 = placedHash(segments, zone, hashInWire(name, zone.get(zoneLengths) & 0xffff))
  return nsec3 === noRef ? own : joined([...own, ...readOwnerRrsets(segments, nsec3)])
}

/** The reference of the NSEC3 records of a hash, 0 if there are none. */
export function placedHash(segments: Segments, zone: ZoneBlock, hash: Int32Array | undefined): number {
  if (hash === undefined) return noRef
  const finder = new HashFinder(segments)
  for (const root of [zone.hashes, zone.idleHashes]) {
    const found = finder.find(root, hash, 0)
    if (finder.isExact) return found
  }
  return noRef
}

/** The names of a zone after a change. `changed` has the names that it changes, in canonical order. */
export function* ownersAfter(owners: Iterable<Owner>, changed: readonly Owner[]): Generator<Owner> {
  let next = 0
  for (const owner of owners) {
    for (; isBefore(changed[next], owner); next++) yield changed[next] as Owner
    const isChanged = changed[next] !== undefined && compare(changed[next] as Owner, owner) === 0
    yield isChanged ? (changed[next++] as Owner) : owner
  }
  yield* changed.slice(next)
}

function* ownersAt(segments: Segments, refs: Iterable<number>): Generator<Owner> {
  for (const ref of refs) yield { name: ownerOf(segments, ref), rrsets: readOwnerRrsets(segments, ref) }
}

/** Merges two sequences in canonical order. A name that is in both has the rrsets of both. */
function* merged(one: Iterable<Owner>, two: Iterable<Owner>): Generator<Owner> {
  const first = one[Symbol.iterator]()
  let left = first.next().value as Owner | undefined
  for (const right of two) {
    for (; isBefore(left, right); left = first.next().value) yield left as Owner
    if (left === undefined || compare(left, right) !== 0) {
      yield right
      continue
    }
    yield { name: right.name, rrsets: joined([...left.rrsets, ...right.rrsets]) }
    left = first.next().value
  }
  for (; left !== undefined; left = first.next().value) yield left
}

/** Rrsets by type, with the signatures of both. */
function joined(rrsets: readonly OwnerRrset[]): OwnerRrset[] {
  const others = rrsets.filter(({ type }) => type !== RrType.RRSIG)
  const signed = rrsets.filter(({ type }) => type === RrType.RRSIG)
  const records = signed.flatMap((rrset) => recordsOf({ name: rootName, ...rrset }))
  const rrsig = records.length === 0 ? [] : [{ type: RrType.RRSIG, ...signatures(records) }]
  return [...others, ...rrsig].sort((a, b) => a.type - b.type)
}

function isBefore(a: Owner | undefined, b: Owner): boolean {
  return a !== undefined && compare(a, b) < 0
}

function compare(a: Owner, b: Owner): number {
  return compareWireNames(a.name, 0, b.name, 0)
}
