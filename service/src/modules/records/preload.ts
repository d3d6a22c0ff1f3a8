import type { Preload } from '#http/call.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { readableTarget } from './rrset-change.ts'
import { namesAboveOwner } from './rules.ts'
import {
  type FoundRrset,
  type RrsetPreloadRow,
  rrsetPreloadColumn,
  type ZonePreloadRow,
  zonePreloadColumn,
} from './store.ts'
import type { LockedZone } from './zone-draft.ts'

/** Older preloads are not used: after a slow body or a wait for other changes, someone else has most likely changed the zone. */
export const freshMs = 200

/**
 * A zone and the rrsets at one owner name, read without a lock in the statement that looked up the caller (docs/decisions/0017). A change can be
 * planned on it, and is written only if the zone has not changed since then.
 */
export class ZonePreload {
  readonly #zone: LockedZone
  readonly #ownerName: string
  readonly #readAtMs = performance.now()

  constructor(ownerName: string, { createdAt, now, ...row }: ZonePreloadRow) {
    this.#ownerName = ownerName
    this.#zone = { ...row, createdAt: new Date(createdAt), now: new Date(now) }
  }

  /**
   * The zone, if it is enough to plan a change of these owner names. Undefined if it is not, is too old, or was read before `changedAtMs`, by
   * `performance.now()`.
   */
  zoneFor(
    zoneId: string,
    ownerNames: readonly string[] | undefined,
    changedAtMs = Number.NEGATIVE_INFINITY,
  ): LockedZone | undefined {
    const isAsked = zoneId === this.#zone.id && ownerNames?.every((name) => name === this.#ownerName)
    const isFresh = this.#readAtMs > changedAtMs && performance.now() - this.#readAtMs < freshMs
    return isAsked && isFresh ? this.#zone : undefined
  }
}

/** One rrset for a reader, as it was when the caller was looked up, which was after the request had arrived. */
export class RrsetPreload {
  readonly found: FoundRrset
  readonly #target: Target

  constructor(target: Target, { version, rrset }: RrsetPreloadRow) {
    this.#target = target
    this.found = { version, rrset: rrset && { ...rrset, updatedAt: new Date(rrset.updatedAt) } }
  }

  isOf(name: string, type: string): boolean {
    return name === this.#target.name && type === this.#target.type
  }
}

/**
 * Preloads the rrset of `/zones/{zone}/rrsets/{name}/{type}`. Undefined if the path does not identify one without further data, or names the
 * zone by its id.
 */
export function preloadRrset(params: PathParams): Preload | undefined {
  const target = targetOf(params)
  return (
    target && {
      column: rrsetColumn,
      args: [target.name, target.type],
      read: (row) => new RrsetPreload(target, row as RrsetPreloadRow),
      isForChange: false,
    }
  )
}

const rrsetColumn = rrsetPreloadColumn(sql`asked.args[1]`, sql`asked.args[2]`)

/** Preloads what is needed to plan a change at the owner name in such a path. */
export function preloadZone(params: PathParams): Preload | undefined {
  const name = targetOf(params)?.name
  return name === undefined ? undefined : zonePreloadAt(name)
}

/** Preloads what is needed to plan a change at an owner name. */
export function zonePreloadAt(name: string): Preload {
  return {
    column: zoneColumn,
    args: [name, ...namesAboveOwner(name)],
    read: (row) => new ZonePreload(name, row as ZonePreloadRow),
    isForChange: true,
  }
}

const zoneColumn = zonePreloadColumn(sql`asked.args[1]`, sql`asked.args[2:]`)

type PathParams = Readonly<Record<string, string>>

interface Target {
  readonly name: string
  readonly type: string
}

function targetOf({ zone = '', name = '', type = '' }: PathParams): Target | undefined {
  const ref = parseZoneRef(zone)
  return 'name' in ref && ref.name !== '' ? readableTarget(ref.name, { name, type }) : undefined
}
