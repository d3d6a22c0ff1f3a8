import {
  type DomainName,
  groupRecords,
  parseName,
  parseRdata,
  parseType,
  type ResourceRecord,
  RrType,
  soaToRdata,
  toSerial,
  Zone,
} from '@zonewright/dns'

export function zoneWith(origin: DomainName, records: readonly ResourceRecord[]): Zone {
  return Zone.fromRrsets(origin, groupRecords(records))
}

/** A zone from lines `name TYPE data`, with an added SOA and NS. */
export function zoneOf(origin: string, serial: number, lines: readonly string[]): Zone {
  const apex = parseName(origin)
  const [mname, rname] = [parseName('ns.test.'), parseName('hostmaster.test.')]
  const soa = { mname, rname, serial: toSerial(serial), refresh: 14400, retry: 3600, expire: 1209600, minimum: 300 }
  const records = lines.map((line) => {
    const [name = '@', typeText = '', ...data] = line.split(' ')
    const type = parseType(typeText)
    return { name: parseName(name, apex), type, ttl: 300, data: parseRdata(type, data.join(' '), apex) }
  })
  return Zone.fromRrsets(
    apex,
    groupRecords([
      { name: apex, type: RrType.SOA, ttl: 300, data: soaToRdata(soa) },
      { name: apex, type: RrType.NS, ttl: 300, data: parseRdata(RrType.NS, 'ns.test.') },
      ...records,
    ]),
  )
}
