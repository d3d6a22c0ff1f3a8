import { ttlBounds } from '@zonewright/dns'
import type { Delegate } from '#modules/zones/index.ts'
import { changeRecords } from './change-records.ts'

/**
 * Delegates from a zone hosted here to others that are hosted here too, by NS records that only the service writes.
 *
 * They are changes of records like any other, with history and event. Throws the refusal when something else stands in the
 * way: a CNAME or DNAME at the name.
 */
export function delegateTo(nameservers: readonly string[]): Delegate {
  return async (tx, actor, parentId, cuts) => {
    await changeRecords(tx, {
      zoneId: parentId,
      actor,
      changes: cuts.map(({ name, present, nameservers: named = nameservers }) => ({
        name,
        type: 'NS',
        ttl: ttlBounds.usual,
        ask: { kind: 'replace', records: present ? named.map((host) => `${host}.`) : [] },
      })),
      byService: true,
      ifMatch: undefined,
      pathOf: () => '/name',
    })
  }
}
