import {
  type DomainName,
  parseName,
  parseRdata,
  parseType,
  type ResourceRecord,
  RrType,
  type Zone,
} from '@zonewright/dns'
import { signedRecords, type TestDenial } from './signed-zone.ts'
import { zoneWith } from './zone-of.ts'

/** Signed zones with an error or something unusual that are nevertheless served, by a description. */
export function badSignedZones(): ReadonlyMap<string, Zone> {
  const zones: [string, (origin: DomainName) => readonly ResourceRecord[]][] = [
    [
      'signatures that cover nothing',
      (origin) => [
        ...signed(origin, nsec),
        signature(origin, 'www', 'MX'),
        signature(origin, 'only-signatures', 'A'),
        signature(origin, '@', 'RRSIG'),
      ],
    ],
    [
      'signatures that are missing',
      (origin) =>
        signed(origin, nsec).filter(
          ({ type, data }, index) => type !== RrType.RRSIG || data[1] === RrType.MX || index % 2 === 0,
        ),
    ],
    [
      'signatures that have expired',
      (origin) => [
        ...signed(origin, nsec).filter(({ type }) => type !== RrType.RRSIG),
        ...['SOA', 'NSEC', 'MX'].map((type) =>
          signature(origin, '@', type, '13 1 300 20200201000000 20200101000000 1'),
        ),
      ],
    ],
    [
      'signatures by unknown keys and unknown algorithms',
      (origin) => [
        ...signed(origin, nsec3),
        signature(origin, 'www', 'A', '13 2 300 20300101000000 20200101000000 4711'),
        signature(origin, 'www', 'A', '251 2 300 20300101000000 20200101000000 1'),
      ],
    ],
    [
      'half an NSEC chain',
      (origin) =>
        signed(origin, nsec).filter(
          ({ name, type }) => type !== RrType.NSEC || name === origin || name.length % 2 === 0,
        ),
    ],
    [
      'an NSEC chain without the apex',
      (origin) => signed(origin, nsec).filter(({ name, type }) => type !== RrType.NSEC || name !== origin),
    ],
    [
      'two NSEC3 chains, both announced',
      (origin) => [
        ...signed(origin, nsec3),
        ...signed(origin, otherNsec3).filter(({ type }) => type === RrType.NSEC3 || type === RrType.NSEC3PARAM),
      ],
    ],
    [
      'two NSEC3 chains, one incomplete',
      (origin) => [
        ...signed(origin, otherNsec3),
        ...signed(origin, nsec3).filter(({ type }, index) => type === RrType.NSEC3 && index % 2 === 0),
      ],
    ],
    [
      'an NSEC3 chain that is announced and not there, beside NSEC',
      (origin) => [...signed(origin, nsec), record(origin, '@', 'NSEC3PARAM', '1 0 0 -')],
    ],
    ['opt-out spans', (origin) => signed(origin, { kind: 'opt-out' })],
    [
      'two keys with the same tag',
      (origin) => [
        ...signed(origin, nsec),
        record(origin, '@', 'DNSKEY', '257 3 13 AQIDBAUGBwgJCgsMDQ4PEA=='),
        record(origin, '@', 'DNSKEY', '257 3 13 AwQBAgUGBwgJCgsMDQ4PEA=='),
      ],
    ],
    [
      'a wildcard under a wildcard',
      (origin) =>
        signed(origin, nsec3, [record(origin, '*.*.w', 'TXT', '"deep"'), record(origin, '*.w', 'A', '192.0.2.9')]),
    ],
    [
      'a DNAME and a delegation at the same name',
      (origin) =>
        signed(origin, nsec, [
          record(origin, 'both', 'NS', 'ns.elsewhere.'),
          record(origin, 'both', 'DNAME', 'www.elsewhere.'),
          record(origin, 'x.both', 'A', '192.0.2.9'),
        ]),
    ],
    [
      'a DS without a delegation',
      (origin) => signed(origin, nsec3, [record(origin, 'lonely', 'DS', `1 13 2 ${'ab'.repeat(32)}`)]),
    ],
  ]
  return new Map(
    zones.map(([what, records], index) => {
      const origin = parseName(`bad${index}.example.`)
      return [what, zoneWith(origin, records(origin))]
    }),
  )
}

const nsec: TestDenial = { kind: 'nsec' }
const nsec3: TestDenial = { kind: 'nsec3' }
const otherNsec3: TestDenial = { kind: 'nsec3', iterations: 2, salt: 'beef' }

/** The records of an ordinary zone, plus others, signed. */
export function signed(
  origin: DomainName,
  denial: TestDenial,
  others: readonly ResourceRecord[] = [],
  serial = 1,
): ResourceRecord[] {
  const lines = [
    ['@', 'SOA', `ns hostmaster ${serial} 14400 3600 1209600 300`],
    ['@', 'NS', 'ns.elsewhere.'],
    ['@', 'MX', '10 mail'],
    ['www', 'A', '192.0.2.1'],
    ['mail', 'A', '192.0.2.2'],
    ['mail', 'AAAA', '2001:db8::2'],
    ['alias', 'CNAME', 'www'],
    ['*.wild', 'TXT', '"any"'],
    ['a.b.c', 'A', '192.0.2.3'],
    ['secure', 'NS', 'ns.secure'],
    ['secure', 'DS', `1 13 2 ${'cd'.repeat(32)}`],
    ['ns.secure', 'A', '192.0.2.4'],
    ['insecure', 'NS', 'ns.elsewhere.'],
  ] as const
  const records = [...lines.map(([name, type, data]) => record(origin, name, type, data)), ...others]
  return signedRecords(zoneWith(origin, records), denial)
}

/** The kinds of denial that a zone has one after the other while its signing changes; `undefined` is unsigned. */
export const denials = [
  undefined,
  { kind: 'nsec' },
  { kind: 'nsec3', salt: 'aa' },
  { kind: 'opt-out' },
  { kind: 'nsec3' },
] as const satisfies readonly (TestDenial | undefined)[]

/** The same records, signed with `denial` or not at all. */
export function maybeSigned(
  origin: DomainName,
  denial: TestDenial | undefined,
  others: readonly ResourceRecord[],
  serial: number,
): ResourceRecord[] {
  const records = signed(origin, denial ?? nsec, others, serial)
  return denial ? records : records.filter(({ type }) => type !== RrType.RRSIG && type !== RrType.NSEC)
}

export function record(origin: DomainName, name: string, typeText: string, data: string): ResourceRecord {
  const type = parseType(typeText)
  return { name: name === '@' ? origin : parseName(name, origin), type, ttl: 300, data: parseRdata(type, data, origin) }
}

function signature(
  origin: DomainName,
  name: string,
  type: string,
  parts = '13 2 300 20300101000000 20200101000000 1',
): ResourceRecord {
  return record(origin, name, 'RRSIG', `${type} ${parts} ${origin} ${'A'.repeat(86)}==`)
}

/** A zone as a file, one record a line. */
export function zoneText(zone: Zone): string {
  return [...zone.rrsets()]
    .flatMap(({ name, type, ttl, ttls, data }) =>
      data.map((item, index) => `${name} ${ttls?.[index] ?? ttl} TYPE${type} ${genericData(item)}\n`),
    )
    .join('')
}

function genericData(data: Uint8Array): string {
  return `\\# ${data.length} ${Buffer.from(data).toString('hex')}`
}
