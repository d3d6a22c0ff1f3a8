import { execFileSync } from 'node:child_process'
import { portOf } from './peer.ts'

/** All records of a zone that the primary transfers, as lines of text in order. `key` is in the form for `kdig -y`. */
export function transferred(primary: string, key: string, zone: string): string[] {
  return alike(linesOf([...at(primary), '-y', key, zone, 'AXFR']))
}

/** The records that the primary sends, as lines of text in the order of transfer: the whole zone, or the changes since a serial. */
export function sent(primary: string, key: string, zone: string, since?: number): string[] {
  return linesOf([...at(primary), '-y', key, zone, since === undefined ? 'AXFR' : `IXFR=${since}`])
}

/** A nameserver's records of these names and types, in any section of its answer. */
export function answered(address: string, records: readonly string[]): string[] {
  const questions = new Set(records.map((record) => record.split(/\s+/)).map(([name, , , type]) => `${name} ${type}`))
  const asked = [...questions].flatMap((question) => question.split(' '))
  return alike(linesOf([...at(address), '+tcp', '+norec', ...asked]))
}

function at(address: string): string[] {
  return ['@127.0.0.1', '-p', portOf(address), '+noall', '+answer', '+authority', '+additional']
}

function linesOf(args: readonly string[]): string[] {
  const said = execFileSync('kdig', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith(';') && !/\sANY\s+TSIG\s/.test(line))
  return lines.map((line) => line.replace(/\s+/g, ' ').trim())
}

/** Normalizes lines, so that equal records have equal lines. */
function alike(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort()
}
