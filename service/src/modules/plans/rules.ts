import { domainToASCII } from 'node:url'
import { maxPlanZones } from '@zonewright/contract'
import {
  DnsFault,
  type DomainName,
  isMetaType,
  isWildcard,
  isWithin,
  ownerName,
  parentOf,
  parseType,
  readValue,
  removedValue,
  rootName,
  typeToText,
} from '@zonewright/dns'
import type { SentRrset } from '#modules/records/index.ts'
import { absolute } from '#modules/zones/index.ts'
import { type FaultDetail, Faults, Refusal } from '#platform/errors.ts'

/** A zone in the body of a request, with its contents. */
export interface SentZone {
  readonly zone: string
  readonly changes?: readonly SentRrset[] | undefined
  readonly rrsets?: readonly SentRrset[] | undefined
  readonly zone_file?: string | undefined
  readonly mode?: 'merge' | 'replace' | undefined
  readonly lock?: readonly string[] | undefined
  readonly if_match?: number | undefined
}

/** The body of a request. */
export interface SentPlan {
  readonly zones: 'all' | readonly SentZone[]
  readonly replace?: SentReplacement | undefined
  readonly preset?: { readonly id: string; readonly parameters: Readonly<Record<string, string>> } | undefined
  readonly cursor?: string | undefined
}

interface SentReplacement {
  readonly type: string
  readonly from: string
  readonly to: string
}

const contents = ['changes', 'rrsets', 'zone_file'] as const

/** The members of a zone that describe its change. */
const ownMembers = [...contents, 'mode', 'lock'] as const

/** Refuses a plan whose members do not belong together. Reports every error at once. */
export function refuseMixed({ zones, replace, preset, cursor }: SentPlan): void {
  const faults = new Faults()
  const mixed = (path: string, message: string) => faults.add({ path, code: 'not_together', message })
  const isShared = replace !== undefined || preset !== undefined
  if (replace && preset) mixed('/preset', 'A plan has either `replace` or `preset`, not both.')
  if (zones === 'all' && (!replace || preset))
    mixed('/zones', 'Only a plan with `replace` can have all zones. List the zones.')
  if (cursor !== undefined && zones !== 'all') mixed('/cursor', 'Only a plan of all zones has a cursor. Remove it.')
  if (zones !== 'all' && !isShared && zones.length > maxPlanZones)
    faults.add({
      path: '/zones',
      code: 'too_large',
      message: `A plan can have at most ${maxPlanZones} zones with contents of their own. Split it into several plans.`,
    })
  if (zones !== 'all')
    for (const [i, zone] of zones.entries())
      for (const fault of isShared ? sharedFaults(zone) : ownFaults(zone))
        faults.add({ ...fault, path: `/zones/${i}${fault.path}` })
  faults.refuseAny()
}

function sharedFaults(zone: SentZone): (FaultDetail & { path: string })[] {
  const message = 'With `replace` or `preset`, a zone has no contents of its own. Remove this member.'
  const sent = ownMembers.filter((member) => zone[member] !== undefined)
  return sent.map((member) => ({ path: `/${member}`, code: 'not_together', message }))
}

function ownFaults(zone: SentZone): (FaultDetail & { path: string })[] {
  const sent = contents.filter((member) => zone[member] !== undefined)
  if (sent.length !== 1) {
    const message = 'Send exactly one of `changes`, `rrsets` and `zone_file`, or `replace` or `preset` for all zones.'
    return [{ path: '', code: sent.length === 0 ? 'missing' : 'not_together', message }]
  }
  if (zone.changes === undefined || zone.mode === undefined) return []
  return [{ path: '/mode', code: 'not_together', message: '`changes` have no mode. Remove it, or send `rrsets`.' }]
}

/** Refuses a plan in which a zone appears twice, by its id or its name. `ids`: the ids of the zones that exist, in order. */
export function refuseRepeated(ids: readonly (string | undefined)[]): void {
  const faults = new Faults()
  const seen = new Map<string, number>()
  for (const [i, id] of ids.entries()) {
    if (id === undefined) continue
    const first = seen.get(id)
    if (first === undefined) seen.set(id, i)
    else
      faults.add({
        path: `/zones/${i}/zone`,
        code: 'duplicate',
        message: `This is the zone of /zones/${first}. Send each zone once.`,
      })
  }
  faults.refuseAny()
}

/** A value to replace, and the new one, in canonical form. */
export interface Replacement {
  readonly type: string
  readonly from: string
  readonly to: string
}

/** Reads a replacement. Names in its values are fully qualified, because no zone completes them. Throws the refusal with all errors. */
export function replacementOf(sent: SentReplacement): Replacement {
  const faults: FaultDetail[] = []
  const read = <T>(member: keyof SentReplacement, parse: () => T): T | undefined => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
      faults.push({ path: `/replace/${member}`, code: error.code, message: error.message })
      return undefined
    }
  }
  const type = read('type', () => {
    const parsed = parseType(sent.type)
    if (isMetaType(parsed)) throw new DnsFault('bad_type', `${typeToText(parsed)} is not the type of a record.`)
    return parsed
  })
  if (type === undefined) throw Refusal.of(faults)
  const from = read('from', () => removedValue(type, sent.from, rootName))
  const to = read('to', () => readValue(type, sent.to, rootName, 'absolute'))
  if (to?.fault) faults.push({ path: '/replace/to', ...to.fault })
  if (to !== undefined && to.value === from)
    faults.push({ path: '/replace/to', code: 'unchanged', message: 'The new value is the same as the old one.' })
  if (faults.length > 0 || from === undefined || to === undefined) throw Refusal.of(faults)
  return { type: typeToText(type), from, to: to.value }
}

/** Whether `lock` covers an owner name of a zone. Throws a refusal for invalid names. `place`: where the list is in the body. */
export function lockOf(
  zone: string,
  names: readonly string[],
  place: string,
): (rrset: { readonly name: string }) => boolean {
  const faults: FaultDetail[] = []
  const origin = absolute(zone)
  const locked = new Set<DomainName>()
  const above: DomainName[] = []
  for (const [i, text] of names.entries())
    try {
      const name = ownerName(text, origin, domainToASCII)
      if (isWildcard(name)) above.push(parentOf(name))
      else locked.add(name)
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error
      faults.push({ path: `${place}/${i}`, code: error.code, message: error.message })
    }
  if (faults.length > 0) throw Refusal.of(faults)
  return (rrset) => {
    const name = absolute(rrset.name)
    return locked.has(name) || above.some((each) => name !== each && isWithin(name, each))
  }
}
