import type { KnownRrset } from './check-rrset.ts'

/** What a person who types the owner name of a new record should know about it; undefined: nothing. Names have no final dot. */
export function ownerNote(zone: string, owner: string, known: readonly KnownRrset[]): string | undefined {
  const delegated = known.find(
    ({ name, type }) => type === 'NS' && name !== zone && (owner === name || owner.endsWith(`.${name}`)),
  )
  if (delegated !== undefined && owner !== delegated.name)
    return `${delegated.name} is delegated to other nameservers, so records below it have no effect here.`
  const types = known.filter(({ name }) => name === owner).map(({ type }) => type)
  const others = types.filter((type) => owner !== zone || (type !== 'NS' && type !== 'SOA'))
  return others.length === 0 ? undefined : `This name already has ${listed(others)}.`
}

function listed(types: readonly string[]): string {
  const last = types.at(-1) ?? ''
  return types.length === 1 ? `${last} records` : `${types.slice(0, -1).join(', ')} and ${last} records`
}
