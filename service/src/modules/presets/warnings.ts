import type { RrsetMove } from '#modules/records/index.ts'
import { isSpf, lookupsOf, maxSpfLookups } from './spf.ts'
import { textOfTxt } from './txt.ts'

/** Something that a person should know before or at least after the change. */
export interface PresetWarning {
  readonly name: string
  readonly type: string
  readonly code: 'replaced' | 'removed' | 'spf_merged' | 'spf_lookups'
  readonly message: string
}

/** How many values of an rrset a message shows, and how many characters of each. */
const shownValues = 3
const shownCharacters = 100

/** What applying a preset removes, and how it changes SPF records. */
export function warningsOf(moves: readonly RrsetMove[]): PresetWarning[] {
  return moves.flatMap((move) => [...lossOf(move), ...spfOf(move)])
}

/** The same for a caller without permission to read records: only how much is removed. */
export function countedWarnings(zone: string, moves: readonly RrsetMove[]): PresetWarning[] {
  const count = moves.filter((move) => lostValues(move).length > 0).length
  if (count === 0) return []
  const records = count === 1 ? 'One record set' : `${count} record sets`
  return [
    { name: zone, type: 'ANY', code: 'replaced', message: `${records} lost values that the new records replace.` },
  ]
}

function lostValues({ before, after }: RrsetMove): string[] {
  return (before?.records ?? []).filter((value) => !after?.records.includes(value))
}

function lossOf(move: RrsetMove): PresetWarning[] {
  const { name, type, after } = move
  const merges = type === 'TXT' && after?.records.some(isSpf)
  const lost = lostValues(move).filter((value) => !(merges && isSpf(value)))
  if (lost.length === 0) return []
  const rest = lost.length > shownValues ? ` and ${lost.length - shownValues} more` : ''
  const what = `${name} ${type} ${lost.slice(0, shownValues).map(shortened).join(', ')}${rest}`
  return [
    after === null
      ? { name, type, code: 'removed', message: `${what}: removed, because it conflicts with the new records.` }
      : { name, type, code: 'replaced', message: `${what}: replaced.` },
  ]
}

function shortened(value: string): string {
  return value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value
}

function spfOf({ name, type, before, after }: RrsetMove): PresetWarning[] {
  const spf = type === 'TXT' ? after?.records.find(isSpf) : undefined
  if (spf === undefined) return []
  const old = before?.records.filter(isSpf) ?? []
  const isMerged = old.length > 0 && !old.includes(spf)
  const lookups = lookupsOf(spf)
  return [
    ...(isMerged || old.length > 1
      ? [{ name, type, code: 'spf_merged' as const, message: `The SPF record of ${name} is now ${textOfTxt(spf)}` }]
      : []),
    ...(lookups > maxSpfLookups
      ? [
          {
            name,
            type,
            code: 'spf_lookups' as const,
            message: `The SPF record of ${name} needs at least ${lookups} DNS lookups. Receivers give up after ${maxSpfLookups}.`,
          },
        ]
      : []),
  ]
}
