import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ZoneFiles } from './zone-files.ts'
import { addressOf, type ZoneSet, zoneName, zoneText } from './zone-set.ts'

export interface SignedZoneFiles extends ZoneFiles {
  /** In all zones, signatures and proofs included. */
  readonly records: number
}

/** Names of the delegations in each zone: one with a DS, and one without. */
export const cuts = ['secure', 'open'] as const

/** Writes a set of zones, each signed by ldns-signzone with the same key. */
export function writeSignedZoneFiles(set: ZoneSet, folder: string, denial: 'nsec' | 'nsec3'): SignedZoneFiles {
  mkdirSync(folder, { recursive: true })
  const keyFolder = `${folder}-keys`
  mkdirSync(keyFolder)
  const quiet = {
    cwd: keyFolder,
    encoding: 'utf8' as const,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  }
  const first = zoneName(0)
  const made = execFileSync('ldns-keygen', ['-a', 'ECDSAP256SHA256', '-k', '-r', '/dev/urandom', first], quiet).trim()
  const [publicKey, privateKey] = ['key', 'private'].map((end) =>
    readFileSync(join(keyFolder, `${made}.${end}`), 'utf8'),
  )
  let records = 0
  for (let zone = 0; zone < set.count; zone++) {
    const name = zoneName(zone)
    const key = made.replace(first, name)
    writeFileSync(join(keyFolder, `${key}.key`), (publicKey ?? '').replace(first, name))
    writeFileSync(join(keyFolder, `${key}.private`), privateKey ?? '')
    const plain = join(keyFolder, `${name}.plain`)
    writeFileSync(plain, `${zoneText(zone, set.serial)}${cutsText}`)
    const file = join(folder, `${name}.zone`)
    execFileSync('ldns-signzone', [...(denial === 'nsec3' ? ['-n', '-t', '0'] : []), '-f', file, plain, key], quiet)
    records += recordsIn(readFileSync(file, 'utf8'))
  }
  return { ...set, folder, records }
}

/**
 * As many zones with the records of the first one under other names of the same length. Their signatures are wrong, which changes
 * nothing about the memory that they take.
 */
export function copySignedZoneFiles(
  { folder: from, serial }: SignedZoneFiles,
  count: number,
  folder: string,
): SignedZoneFiles {
  mkdirSync(folder, { recursive: true })
  const text = readFileSync(join(from, `${zoneName(0)}.zone`), 'utf8')
  // Each has its own address, by which answers are checked.
  const textOf = (zone: number) =>
    text.replaceAll(zoneName(0), zoneName(zone)).replaceAll(`\t${addressOf(0)}\n`, `\t${addressOf(zone)}\n`)
  for (let zone = 0; zone < count; zone++) {
    writeFileSync(join(folder, `${zoneName(zone)}.zone`), textOf(zone))
  }
  return { count, serial, folder, records: count * recordsIn(text) }
}

const cutsText = `secure NS ns1.nameservers.example.
secure NS ns2.nameservers.example.
secure DS 12345 13 2 ${'ab'.repeat(32)}
open NS ns1.nameservers.example.
open NS ns2.nameservers.example.
`

function recordsIn(text: string): number {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith(';')).length
}
