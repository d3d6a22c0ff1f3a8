import type { ChangeSource, Permission } from '@zonewright/contract'

/** Who makes a request. A key covers everything that its account owns (`allZones`), or the zones and domains of its scope. */
export type Caller<Kind extends keyof Callers = keyof Callers> = Callers[Kind]

interface Callers {
  key: {
    readonly kind: 'key'
    readonly accountId: string
    readonly keyId: string
    readonly keyName: string
    readonly permissions: ReadonlySet<Permission>
    readonly allZones: boolean
    /** Its scope says for each zone which record sets it covers. */
    readonly isLimited: boolean
  }
  session: {
    readonly kind: 'session'
    readonly accountId: string
    readonly sessionId: string
    readonly name: string
    /** Ids from the browser's device cookie: one of them may be a known device of the account. */
    readonly devices?: readonly string[]
  }
}

/** Whose name the audit log and the zone's history show for a change. A change made with a key shows the key's name. */
export interface Actor {
  readonly kind: 'session' | 'key' | 'system' | 'operator'
  readonly name: string
  readonly id: string | null
  /** Where its changes come from. */
  readonly source: ChangeSource
  readonly requestId: string | null
  readonly address: string | null
}

/** The actor behind a request. `source`: of the route, if it has one. */
export function actorOf(caller: Caller, request: { id: string; ip: string }, source?: ChangeSource): Actor {
  const usual = caller.kind === 'key' ? 'api' : 'dashboard'
  const at = { source: source ?? usual, requestId: request.id, address: request.ip } as const
  return caller.kind === 'key'
    ? { kind: 'key', name: caller.keyName, id: caller.keyId, ...at }
    : { kind: 'session', name: caller.name, id: caller.accountId, ...at }
}

/** The service itself, or a person at the command line. */
export function actorNamed(kind: 'system' | 'operator', name: string): Actor {
  return { kind, name, id: null, source: 'system', requestId: null, address: null }
}

/** Whether the caller may use this permission at all. A person in the dashboard may use every permission. */
export function holds(caller: Caller, permission: Permission): boolean {
  return caller.kind === 'session' || caller.permissions.has(permission)
}
