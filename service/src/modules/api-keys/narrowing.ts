import { isDeepStrictEqual } from 'node:util'
import type { Permission, WireKeyLimit, WirePick } from '@zonewright/contract'
import type { FaultDetail } from '#platform/errors.ts'
import { domainInLimited, faultOf, isDomain } from './pick-scope.ts'
import { RecordLimits, readLimits } from './record-limits.ts'
import { faultsOfNewKey } from './rules.ts'
import type { FoundPick, ScopeEntry } from './scope-store.ts'

/** What remains of a key. Omitted members keep their values. */
export interface Remainder {
  readonly zones?: 'all' | readonly WirePick[] | undefined
  readonly permissions?: readonly Permission[] | undefined
  readonly limits?: readonly WireKeyLimit[] | undefined
}

/** The permissions and the scope of a key. */
interface Reach {
  readonly allZones: boolean
  readonly isLimited: boolean
  readonly permissions: readonly Permission[]
  /** The zones and domains of its scope, with its limits in them. */
  readonly entries: readonly ScopeEntry[]
}

/**
 * Decides what remains of a key, or finds everything that would widen it. `found`: the objects that `wanted.zones` names; `entries` of a key for all
 * zones: what it covers of them. No `next`: the key has no more than is wanted.
 */
export function planNarrowing(
  key: Reach & { readonly name: string },
  wanted: Remainder,
  found: readonly FoundPick[],
): { next: Reach | undefined; faults: readonly FaultDetail[] } {
  const isLimited = key.isLimited || wanted.limits !== undefined
  const allZones = key.allZones && (wanted.zones === undefined || wanted.zones === 'all')
  const permissions = wanted.permissions ?? key.permissions
  const scope = entriesOf(key, wanted.zones, found, isLimited)
  const limited = limitedTo(scope.entries, key, wanted)
  const { entries } = limited
  const next = {
    allZones,
    isLimited,
    permissions: key.permissions.filter((each) => permissions.includes(each)),
    entries,
  }
  const faults = [
    ...permissions.filter((each) => !key.permissions.includes(each)).map(lacksPermission),
    ...faultsOfNewKey({ name: key.name, allZones, permissions, isLimited }),
    ...scope.faults,
    ...limited.faults,
  ]
  const { name: _, ...before } = key
  const isSame = isDeepStrictEqual(next, before)
  return { next: isSame ? undefined : next, faults }
}

function lacksPermission(permission: Permission): FaultDetail {
  return wider('/permissions', `The key does not have the permission ${permission}.`)
}

function wider(path: string, why: string): FaultDetail {
  return { path, code: 'wider', message: `${why} A key can only lose rights. Create a new key.` }
}

/** What remains of the scope. A name selects what the key covers of this name. */
function entriesOf(
  { allZones, entries }: Reach,
  picks: Remainder['zones'],
  found: readonly FoundPick[],
  isLimited: boolean,
): { entries: readonly ScopeEntry[]; faults: readonly FaultDetail[] } {
  if (picks === 'all' && !allZones) return { entries, faults: [wider('/zones', 'The key covers only some zones.')] }
  const possible = isLimited ? entries.filter(({ kind }) => kind === 'zone') : entries
  if (picks === undefined || picks === 'all') return { entries: allZones ? [] : possible, faults: [] }
  const picked = new Set<string>()
  const faults: FaultDetail[] = []
  const covered = new Set(possible.map(keyOf))
  for (const [n, pick] of picks.entries()) {
    const meant = found.filter((each) => each.n === n)
    const within = meant.map(keyOf).filter((key) => covered.has(key))
    for (const key of within) picked.add(key)
    if (isLimited && isDomain(pick)) faults.push(domainInLimited(n))
    else if (meant.length === 0) faults.push(faultOf(pick, n))
    else if (within.length === 0) faults.push(doesNotCover(n, meant, pick))
  }
  return { entries: possible.filter((entry) => picked.has(keyOf(entry))), faults }
}

function doesNotCover(n: number, [first]: readonly FoundPick[], pick: WirePick): FaultDetail {
  const kind = typeof pick === 'string' ? '' : `the ${pick.kind} `
  return wider(`/zones/${n}`, `The key does not cover ${kind}${first?.name}.`)
}

function keyOf({ kind, id }: Pick<ScopeEntry, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** The entries with their wanted limits, which must be within those of the key. */
function limitedTo(
  entries: readonly ScopeEntry[],
  key: Reach,
  { limits: asked }: Remainder,
): { entries: readonly ScopeEntry[]; faults: readonly FaultDetail[] } {
  if (asked === undefined) return { entries, faults: [] }
  const { limits, faults } = readLimits(entries, asked)
  const beyond = entries.flatMap(({ id, name, limits: old }) => {
    if (!key.isLimited) return []
    const allowed = new RecordLimits(name, old ?? [])
    const over = (limits.get(id) ?? []).filter((limit) => !allowed.coversAll(limit))
    return over.map((limit) => {
      const what = new RecordLimits(name, [limit]).text
      return wider('/limits', `In ${name}, ${what} is not within the limits of the key, which are ${allowed.text}.`)
    })
  })
  return {
    entries: entries.map((entry) => ({ ...entry, limits: limits.get(entry.id) ?? [] })),
    faults: [...faults, ...beyond],
  }
}
