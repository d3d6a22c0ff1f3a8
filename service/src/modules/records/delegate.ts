import { ttlBounds } from '@zonewright/dns'
import { type Delegate, secondaryNamesOf } from '#modules/zones/index.ts'
import { changeRecords } from './change-records.ts'

/**
 * Delegates from a zone hosted here to others that are also hosted here, by NS records that only the service writes. They also name the
 * secondaries that the customer has for the zone below.
 *
 * They are changes of records like any other, with history and event. Throws the refusal if other records conflict with them: a CNAME or DNAME
 * at the name.
 */
export function delegateTo(nameservers: readonly string[]): Delegate {
  return async (tx, actor, parentId, cuts) => {
    const secondaries = await secondaryNamesOf(
      tx,
      cuts.flatMap(({ name, present }) => (present ? [name] : [])),
    )
    await changeRecords(tx, {
      zoneId: parentId,
      actor,
      changes: cuts.map(({ name, present, nameservers: named = nameservers }) => {
        const hosts = present ? [...named, ...(secondaries.get(name) ?? [])] : []
        return {
          name,
          type: 'NS',
          ttl: ttlBounds.usual,
          ask: { kind: 'replace', records: hosts.map((host) => `${host}.`) },
        }
      }),
      byService: true,
      ifMatch: undefined,
      pathOf: () => '/name',
    })
  }
}
