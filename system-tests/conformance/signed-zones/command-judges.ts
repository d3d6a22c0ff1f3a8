import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DomainName } from '@zonewright/dns'
import { portOf } from '../peers/peer.ts'
import type { SignedZone } from './sign-zones.ts'

const run = promisify(execFile)

/** Writes the file with which delv trusts the key of a zone. */
export function writeAnchors({ origin, dnskey }: SignedZone, folder: string): void {
  const [, flags, protocol, algorithm, key] = /DNSKEY\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(dnskey) ?? []
  const anchor = `"${origin}" static-key ${flags} ${protocol} ${algorithm} "${key}"`
  writeFileSync(anchorsOf(origin, folder), `trust-anchors { ${anchor}; };\n`)
}

/** The verdict of delv on an answer, with the key of `trusted`: `secure`, `insecure`, or the reason for no verdict. */
export async function judgedByDelv(
  server: string,
  trusted: SignedZone,
  folder: string,
  name: DomainName,
  type: string,
): Promise<string> {
  const trust = ['-a', anchorsOf(trusted.origin, folder), `+root=${trusted.origin}`]
  const said = await outputOf('delv', ['@127.0.0.1', '-p', portOf(server), ...trust, name, type])
  if (/^; (?:negative response, )?fully validated$/m.test(said)) return 'secure'
  return /^; .*unsigned answer$/m.test(said) ? 'insecure' : said
}

/** The verdict of drill on one answer, with the key of the zone that it comes from: `secure`, or its whole output. It does not follow aliases. */
export async function judgedByDrill(server: string, zone: SignedZone, name: DomainName, type: string): Promise<string> {
  const said = await outputOf('drill', ['-D', '-t', '-p', portOf(server), '-k', zone.keyFile, name, type, '@127.0.0.1'])
  const isProved = /^; (?:VALIDATED by|Existence denied for) /m.test(said) && !/bogus|Bad data/i.test(said)
  return isProved ? 'secure' : said
}

async function outputOf(command: string, args: readonly string[]): Promise<string> {
  // Some end with an error if the name does not exist.
  const { stdout, stderr } = await run(command, args).catch((error) => error as { stdout: string; stderr: string })
  return `${stdout}\n${stderr}`
}

function anchorsOf(origin: DomainName, folder: string): string {
  return join(folder, `${origin}anchors`)
}
