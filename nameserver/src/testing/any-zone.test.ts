import {
  type DomainName,
  nameFromWire,
  nameToWire,
  parseName,
  parseRdata,
  type ResourceRecord,
  RrType,
  rdataToText,
  soaToRdata,
  toSerial,
  typeToText,
  type WireRecord,
} from '@zonewright/dns'
import fc from 'fast-check'

/**
 * Zones and questions for property tests, with few labels, so that names coincide, point to one another and are below zone cuts. Has no tests of its
 * own.
 */

const oddLabel = fc.constantFrom(Uint8Array.of(0), Uint8Array.of(0x2e, 0xc0), Uint8Array.of(0xff, 0x41 + 0x20, 0x5c))
const plainLabel = fc
  .constantFrom('a', 'b', 'c', 'www', '*', 'ns', 'longer-label-than-the-rest')
  .map((text) => Uint8Array.from(Buffer.from(text)))
const label = fc.oneof({ weight: 12, arbitrary: plainLabel }, { weight: 1, arbitrary: oddLabel })

export function anyNameWithin(origin: DomainName): fc.Arbitrary<DomainName> {
  return fc
    .array(label, { maxLength: 4 })
    .map((labels) =>
      nameFromWire(Uint8Array.from([...labels.flatMap((each) => [each.length, ...each]), ...nameToWire(origin)])),
    )
}

const outside = fc.constantFrom('elsewhere.', 'www.elsewhere.', '.', 'com.').map((text) => parseName(text))

function anyData(origin: DomainName): fc.Arbitrary<Pick<ResourceRecord, 'type' | 'data'>> {
  const name = fc.oneof({ weight: 4, arbitrary: anyNameWithin(origin) }, { weight: 1, arbitrary: outside })
  const named = (type: RrType, before = '') =>
    name.map((target) => ({ type, data: parseRdata(type, `${before}${target}`) }))
  const fixed = (type: RrType, ...texts: string[]) =>
    fc.constantFrom(...texts).map((text) => ({ type, data: parseRdata(type, text) }))
  return fc.oneof(
    fixed(RrType.A, '192.0.2.1', '192.0.2.2', '192.0.2.3'),
    fixed(RrType.AAAA, '2001:db8::1', '2001:db8::2'),
    fixed(RrType.TXT, '"one"', '"two" "three"', `"${'x'.repeat(250)}"`),
    fixed(RrType.DS, `1 8 2 ${'ab'.repeat(32)}`),
    fixed(RrType.RRSIG, 'A 8 2 300 20300101000000 20200101000000 1 ex. AQID'),
    fc.constant({ type: 65400 as RrType, data: Uint8Array.of(1, 2, 3, 0xc0, 0x0c) }),
    named(RrType.MX, '10 '),
    named(RrType.NS),
    named(RrType.CNAME),
    named(RrType.CNAME),
    named(RrType.DNAME),
    named(RrType.PTR),
    named(RrType.SRV, '1 2 53 '),
  )
}

/** The records of a zone without its SOA. No name has records that are refused together. */
export function anyRecords(origin: DomainName, maxLength = 25): fc.Arbitrary<ResourceRecord[]> {
  const record = fc
    .record({ name: anyNameWithin(origin), rdata: anyData(origin), ttl: fc.constantFrom(60, 300, 86400) })
    .map(({ name, rdata, ttl }) => ({ name, ttl, ...rdata }))
  return fc.array(record, { maxLength }).map((records) => withoutClashes(origin, records))
}

/** Drops a second CNAME or DNAME of a name, and a CNAME that comes with other data. */
function withoutClashes(origin: DomainName, records: readonly ResourceRecord[]): ResourceRecord[] {
  return records.filter(({ name, type }, index) => {
    const others = records.filter((other) => other.name === name)
    if (type === RrType.DNAME) return others.find((other) => other.type === type) === records[index]
    if (type !== RrType.CNAME) return true
    const isAlone = others.every((other) => other.type === RrType.RRSIG || other === records[index])
    return isAlone && name !== origin
  })
}

/** An SOA whose minimum is below its TTL for some serials and above it for others. */
export function soaRecord(origin: DomainName, serial: number): ResourceRecord {
  const [mname, rname] = [parseName('ns', origin), parseName('hostmaster.elsewhere.')]
  const times = { refresh: 14400, retry: 3600, expire: 1209600, minimum: serial % 2 === 0 ? 60 : 900 }
  return {
    name: origin,
    type: RrType.SOA,
    ttl: 300,
    data: soaToRdata({ mname, rname, serial: toSerial(serial), ...times }),
  }
}

export const anyType: fc.Arbitrary<RrType> = fc.constantFrom(
  RrType.A,
  RrType.A,
  RrType.A,
  RrType.AAAA,
  RrType.NS,
  RrType.SOA,
  RrType.MX,
  RrType.TXT,
  RrType.CNAME,
  RrType.DNAME,
  RrType.DS,
  RrType.ANY,
  RrType.RRSIG,
  RrType.SRV,
)

/** The records as sorted lines, which are equal for messages with the same meaning. */
export function linesOf(records: readonly WireRecord[] | readonly ResourceRecord[]): string[] {
  return records
    .map(({ name, ttl, type, data }) => `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`)
    .sort()
}
