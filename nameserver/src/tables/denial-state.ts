import type { RecordData } from '@zonewright/dns'
import { announcedBy, type DenialChoice, denialChoices } from './denial-choice.ts'
import { noRef } from './layout.ts'
import { hashWords } from './name-hash.ts'
import { isInChain, splitOwner } from './nsec3-owner.ts'
import type { Owner } from './owners.ts'
import { ownerOf, readOwnerRrsets } from './read-name.ts'
import type { Segments } from './segments.ts'
import type { ZoneBlock } from './zone-block.ts'
import { placedHashing, ZoneHashing } from './zone-hashing.ts'
import { placedHash } from './zone-owners.ts'

/** How a zone denies now. */
export function currentChoice(segments: Segments, zone: ZoneBlock): DenialChoice {
  return placedHashing(segments, zone.hashing) ?? (zone.nsecs === noRef ? 'none' : 'nsec')
}

/**
 * How a zone denies after these names have changed. This is decided before anything changes, so that no answer mixes the two.
 *
 * @throws DnsFault `too_many_iterations`
 */
export function choiceAfter(segments: Segments, zone: ZoneBlock, changed: readonly Owner[]): DenialChoice {
  const apex = ownerOf(segments, zone.apex)
  const [first] = changed
  const isApexChanged = first?.name.length === apex.length
  const choices = denialChoices(isApexChanged ? first : { name: apex, rrsets: readOwnerRrsets(segments, zone.apex) })
  const isWhole = (choice: DenialChoice) => {
    const announced = announcedBy(choice)
    return announced === undefined || isApexInChain(segments, zone, changed, announced)
  }
  return choices.find(isWhole) ?? 'none'
}

function isApexInChain(segments: Segments, zone: ZoneBlock, changed: readonly Owner[], announced: RecordData): boolean {
  const apex = ownerOf(segments, zone.apex)
  const hash = new Int32Array(hashWords)
  new ZoneHashing(announced).hash(apex, hash, 0)
  for (const owner of changed) {
    const { hash: there, nsec3 } = splitOwner(owner, apex.length)
    if (there?.every((word, index) => word === hash[index])) return isInChain(nsec3, announced)
  }
  const placed = placedHash(segments, zone, hash)
  return placed !== noRef && isInChain(readOwnerRrsets(segments, placed), announced)
}
