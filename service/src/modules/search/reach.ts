import { RecordLimits, readEntries } from '#modules/api-keys/index.ts'
import { type Caller, holds } from '#platform/caller.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { Reach } from './find-hits.ts'

/** What a caller can find: a person finds everything in the account; a key finds its zones within its limits, and its domains and their orders. */
export async function reachOf(db: Db, caller: Caller): Promise<Reach> {
  if (caller.kind === 'session') return { zone: () => true, domain: () => true, order: () => true, seesKeys: true }
  const entries = await readEntries(db, caller.keyId)
  const of = (kind: 'zone' | 'domain') => entries.filter((entry) => entry.kind === kind)
  const limitsOf = new Map(
    of('zone').map(({ id, name, limits }) => [id, caller.isLimited ? new RecordLimits(name, limits ?? []) : true]),
  )
  const domainIds = new Set(of('domain').map(({ id }) => id))
  const domainNames = new Set(of('domain').map(({ name }) => name))
  const seesDomains = holds(caller, 'domains:read')
  return {
    zone: ({ id, isOwn }) => limitsOf.get(id) ?? (caller.allZones && isOwn),
    domain: seesDomains ? ({ id, isOwn }) => (caller.allZones ? isOwn : domainIds.has(id)) : undefined,
    order: seesDomains ? ({ name }) => caller.allZones || domainNames.has(name) : undefined,
    seesKeys: false,
  }
}
