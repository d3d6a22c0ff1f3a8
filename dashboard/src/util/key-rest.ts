import type { Permission, WireApiKey, WireKeyLimit, WirePick } from '@zonewright/contract'
import { limitOf, type TypedLimit } from './key-limits.ts'
import { whyNotOnKey } from './may.ts'
import type { ScopeChoice } from './scope-choices.ts'

/** The part of a key that remains, in the form that restricts the key. */
export interface TypedRest {
  readonly scope: 'all' | readonly ScopeChoice[]
  readonly permissions: readonly Permission[]
  /** By the ids of the zones; undefined: the key has no limits. */
  readonly limits: Readonly<Record<string, TypedLimit>> | undefined
}

type Key = Pick<WireApiKey, 'zones' | 'permissions' | 'limits'>

/** The form before anything is changed: all that the key has. */
export function wholeRest({ zones, permissions, limits }: Key): TypedRest {
  const typed = (of: readonly WireKeyLimit[]) => ({
    names: of.flatMap(({ names }) => names).join(', '),
    types: of.flatMap(({ types }) => types).join(', '),
  })
  return {
    scope: zones === 'all' ? 'all' : zones.map(choiceOf),
    permissions,
    limits:
      limits === null || zones === 'all'
        ? undefined
        : Object.fromEntries(zones.map(({ id, name }) => [id, typed(limits.filter(({ zone }) => zone === name))])),
  }
}

function choiceOf({ id, name, kind }: Exclude<WireApiKey['zones'], 'all'>[number]): ScopeChoice {
  return { id, name, kind, value: `${kind} ${id}`, label: `${name} (${kind})`, pick: { kind, id } }
}

/** The members of the request that restricts a key. */
export interface RestBody {
  zones?: WirePick[]
  permissions?: Permission[]
  limits?: WireKeyLimit[]
}

/**
 * The request that restricts a key to this part; undefined: nothing is removed, or nothing would remain. Unchanged members are omitted, so deleted
 * zones return to the scope when they are restored.
 */
export function restBody(key: Key, rest: TypedRest): RestBody | undefined {
  const isLimited = rest.limits !== undefined
  const scope = rest.scope === 'all' || !isLimited ? rest.scope : rest.scope.filter(({ kind }) => kind === 'zone')
  const permissions = rest.permissions.filter((each) => whyNotOnKey(each, scope, isLimited) === undefined)
  const typed = rest.limits
  const limits = typed && scope !== 'all' ? scope.map(({ id }) => limitOf(id, typed[id] ?? noLimit)) : undefined
  const isIncomplete = limits?.some(({ names, types }) => names.length === 0 || types.length === 0)
  if (permissions.length === 0 || scope.length === 0 || isIncomplete === true) return undefined
  const before = wholeRest(key)
  const isSameScope = scope === 'all' || (key.zones !== 'all' && scope.length === key.zones.length)
  const areSameLimits = isSameScope && JSON.stringify(rest.limits) === JSON.stringify(before.limits)
  const body: RestBody = {
    ...(!isSameScope && { zones: scope.map(({ pick }) => pick) }),
    ...(permissions.length < key.permissions.length && { permissions }),
    ...(limits && !areSameLimits && { limits }),
  }
  return Object.keys(body).length === 0 ? undefined : body
}

const noLimit: TypedLimit = { names: '', types: '' }
