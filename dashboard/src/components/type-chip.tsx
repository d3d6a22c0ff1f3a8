/** What records of a type are for: types of one family share one color. */
const families: Readonly<Record<string, string>> = {
  A: 'address',
  AAAA: 'address',
  ALIAS: 'alias',
  CNAME: 'alias',
  DNAME: 'alias',
  MX: 'mail',
  TXT: 'text',
  SPF: 'text',
  NS: 'zone',
  SOA: 'zone',
  DS: 'zone',
  PTR: 'zone',
}

/** The type of an rrset, in the muted color of its family. */
export function TypeChip({ type }: { type: string }) {
  return <span className={`type-chip type-${families[type] ?? 'service'}`}>{type}</span>
}
