import { execFileSync } from 'node:child_process'
import { portOf } from './peer.ts'

/** All records that the primary transfers of a zone, as lines of text in order. `key` is as `kdig -y` takes it. */
export function transferred(primary: string, key: string, zone: string): string[] {
  return linesOf([...at(primary), '-y', key, zone, 'AXFR'])
}

/** The records that a nameserver has of these names and types, in whatever section it shows them. */
export function answered(address: string, records: readonly string[]): string[] {
  const questions = new Set(records.map((record) => record.split(/\s+/)).map(([name, , , type]) => `${name} ${type}`))
  return linesOf([...at(address), '+tcp', '+norec', ...[...questions].flatMap((question) => question.split(' '))])
}

function at(address: string): string[] {
  return ['@127.0.0.1', '-p', portOf(address), '+noall', '+answer', '+authority', '+additional']
}

function linesOf(args: readonly string[]): string[] {
  const said = execFileSync('kdig', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith(';') && !/\sANY\s+TSIG\s/.test(line))
  return [...new Set(lines.map((line) => line.replace(/\s+/g, ' ').trim()))].sort()
}
