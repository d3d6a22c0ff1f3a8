import assert from 'node:assert/strict'
import {
  type DomainName,
  groupRecords,
  parseName,
  parseZoneFile,
  type ResourceRecord,
  type Rrset,
  rdataToText,
  typeToText,
  Zone,
} from './index.ts'

/** Creates zones from text, and text from records, for tests. Contains no tests. */

export const example = parseName('example.com.')

export function recordsFrom(text: string, origin: DomainName = example): ResourceRecord[] {
  const { records, faults } = parseZoneFile(text, { origin, defaultTtl: 300 })
  assert.deepEqual(faults, [])
  return records.map(({ name, type, ttl, data }) => ({ name, type, ttl, data }))
}

export function zoneFrom(text: string, origin: DomainName = example): Zone {
  return Zone.fromRrsets(origin, groupRecords(recordsFrom(text, origin)))
}

export function soaLine(serial: number): string {
  return `@ 3600 SOA ns1.example.net. host.example.net. ${serial} 14400 3600 1209600 300\n$TTL 300\n`
}

export function linesOf(rrsets: Iterable<Rrset>): string[] {
  return [...rrsets].flatMap(({ name, type, ttl, data }) => data.map((item) => lineOf({ name, type, ttl, data: item })))
}

export function lineOf({ name, type, ttl, data }: ResourceRecord): string {
  return `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`
}

/** The records of a zone file for `example.com.` without faults, as lines. */
export function linesIn(text: string): string[] {
  const { records, faults } = parseZoneFile(text, { origin: example })
  assert.deepEqual(faults, [])
  return records.map(lineOf)
}

/** The faults of a zone file for `example.com.`, as line and code. */
export function faultsIn(text: string): [line: number, code: string][] {
  return parseZoneFile(text, { origin: example, defaultTtl: 60 }).faults.map(({ line, code }) => [line, code])
}
