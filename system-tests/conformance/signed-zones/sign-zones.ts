import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RandomZone } from './random-zones.ts'

/** A zone in a file, signed with a key of its own. */
export interface SignedZone extends RandomZone {
  readonly file: string
  /** The file of its public key. */
  readonly keyFile: string
  /** Its DS, and its DNSKEY, as records. */
  readonly ds: string
  readonly dnskey: string
}

/** Makes a key for a zone, and signs the zone as its `signing` says. `moreLines` are records such as the DS of the zones below. */
export function signZone(zone: RandomZone, folder: string, moreLines: readonly string[] = []): SignedZone {
  const name = zone.origin.slice(0, -1)
  const made = {
    cwd: folder,
    encoding: 'utf8' as const,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  }
  const key = execFileSync('ldns-keygen', ['-a', 'ECDSAP256SHA256', '-k', '-r', '/dev/urandom', name], made).trim()
  const dnskey = readFileSync(join(folder, `${key}.key`), 'utf8')
    .replace(/;.*/, '')
    .trim()
  const ds = readFileSync(join(folder, `${key}.ds`), 'utf8').trim()
  const file = join(folder, `${name}.zone`)
  const plain = join(folder, `${name}.plain`)
  const lines = [`$ORIGIN ${zone.origin}`, '$TTL 300', ...zone.lines, ...moreLines]
  writeFileSync(plain, `${lines.join('\n')}\n${zone.signing.by === 'dnssec-signzone' ? `${dnskey}\n` : ''}`)
  const [program, args] = signer(zone, name, plain, file, key)
  execFileSync(program, args, made)
  // One server expects file names with a dot, another those without.
  return { ...zone, file, keyFile: join(folder, `${key}.key`), ds, dnskey }
}

function signer(
  { signing: { by, denial, iterations, salt } }: RandomZone,
  name: string,
  plain: string,
  file: string,
  key: string,
): [string, string[]] {
  if (by === 'ldns-signzone') {
    const hashed = [
      '-n',
      '-t',
      String(iterations),
      ...(salt === '-' ? [] : ['-s', salt]),
      ...(denial === 'opt-out' ? ['-p'] : []),
    ]
    return [by, [...(denial === 'nsec' ? [] : hashed), '-f', file, plain, key]]
  }
  const hashed = ['-3', salt, '-H', String(iterations), ...(denial === 'opt-out' ? ['-A'] : [])]
  return [by, ['-z', '-P', ...(denial === 'nsec' ? [] : hashed), '-o', name, '-f', file, plain, key]]
}
