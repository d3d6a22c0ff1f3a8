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

/** After so long somebody else has most likely changed the zone: a slow body, or a wait for other changes. */
export const freshMs = 200

/**
 * A zone and the rrsets at one owner name, read without a lock in the statement that looked the caller up
 * (docs/decisions/0017). Good for planning a change that is then written only if the zone has not moved.
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
   * The zone, where this is what a change of these owner names needs to know; undefined where it is not, is too old, or was read before
   * `changedAtMs`, by `performance.now()`.
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

/** One rrset at the time the caller was looked up, for a reader: that was after the request had come. */
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

/** Preloads the rrset of `/zones/{zone}/rrsets/{name}/{type}`. Undefined if the path does not name one by itself, or the zone by its id. */
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

/** Preloads what a change at the owner name in such a path is planned on. */
export function preloadZone(params: PathParams): Preload | undefined {
  const name = targetOf(params)?.name
  return name === undefined ? undefined : zonePreloadAt(name)
}

/** Preloads what a change at an owner name is planned on. */
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
