import { type DomainName, nameFromWire, type RecordData } from '@zonewright/dns'

/** The host names in the data of NS records: lower-case, no trailing dot, each once, sorted. */
export function hostNamesOf(data: readonly RecordData[]): string[] {
  const names = data.map((each) => withoutDot(nameFromWire(each)))
  return [...new Set(names)].sort()
}

function withoutDot(name: DomainName): string {
  return name.length > 1 ? name.slice(0, -1) : name
}
