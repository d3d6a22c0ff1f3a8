import type { Db } from '#platform/postgres/index.ts'
import { existingNames, type HostedRrset, type HostedZone, rrsetsAtNames } from './hosted-store.ts'

/** Where a host name of a live zone leads: to addresses, or to another host. `elsewhere`: it is delegated to other nameservers. */
export type HostedAnswer =
  | {
      readonly kind: 'addresses'
      readonly a: readonly string[]
      readonly aaaa: readonly string[]
      readonly ttl: number
    }
  | { readonly kind: 'alias'; readonly host: string; readonly ttl: number }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'elsewhere' }

/**
 * Looks a host name up in the records of a live zone, as its nameservers would (RFC 1034 §4.3.2, 4592, 6672). An ALIAS leads to its target, so
 * that it never depends on what is published for it.
 */
export async function lookUpHosted(db: Db, zone: HostedZone, host: string): Promise<HostedAnswer> {
  const path = namesUpTo(host, zone.name)
  const rrsets = await rrsetsAtNames(db, zone.id, [...path, ...path.slice(1).map((name) => `*.${name}`)])
  const at = Map.groupBy(rrsets, ({ name }) => name)
  const typeAt = (name: string, type: string) => at.get(name)?.find((rrset) => rrset.type === type)
  for (const name of path.toReversed()) {
    // The NS of the apex are not among the records.
    if (typeAt(name, 'NS') !== undefined) return { kind: 'elsewhere' }
    const dname = name === host ? undefined : typeAt(name, 'DNAME')
    if (dname !== undefined) return aliasTo(`${host.slice(0, -name.length)}${hostOf(dname)}`, dname.ttl)
  }
  const here = at.get(host)
  if (here !== undefined) return answerFrom(here)
  const above = path.slice(1)
  if (!above.some((name) => at.has(`*.${name}`))) return { kind: 'nothing' }
  // The closest name that exists decides which wildcard counts (RFC 4592 §3.3.1).
  const existing = await existingNames(db, zone.id, path)
  const closest = path.find((name) => existing.has(name) || name === zone.name)
  const wildcard = closest === host ? undefined : at.get(`*.${closest}`)
  return wildcard === undefined ? { kind: 'nothing' } : answerFrom(wildcard)
}

/** A host name and the names above it, up to the zone's. The labels of host names have no dots. */
function namesUpTo(host: string, zone: string): string[] {
  const names = [host]
  for (let name = host; name !== zone; ) {
    name = name.slice(name.indexOf('.') + 1)
    names.push(name)
  }
  return names
}

function answerFrom(rrsets: readonly HostedRrset[]): HostedAnswer {
  const of = (type: string) => rrsets.find((rrset) => rrset.type === type)
  const alias = of('CNAME') ?? of('ALIAS')
  if (alias !== undefined) return aliasTo(hostOf(alias), alias.ttl)
  const found = [of('A'), of('AAAA')].filter((rrset) => rrset !== undefined)
  if (found.length === 0) return { kind: 'nothing' }
  return {
    kind: 'addresses',
    a: of('A')?.records ?? [],
    aaaa: of('AAAA')?.records ?? [],
    ttl: Math.min(...found.map(({ ttl }) => ttl)),
  }
}

function aliasTo(host: string, ttl: number): HostedAnswer {
  return { kind: 'alias', host, ttl }
}

function hostOf({ records: [name = ''] }: HostedRrset): string {
  return name.slice(0, -1)
}
