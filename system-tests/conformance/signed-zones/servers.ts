import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRepository } from '../peers/deploy-files.ts'
import { portOf, type Running, runPeer } from '../peers/peer.ts'
import type { SignedZone } from './sign-zones.ts'

/** Our nameserver with all `.zone` files of a folder. */
export function startOurs(listen: string, folder: string, door: 'fast' | 'portable'): Promise<Running> {
  const args = ['--zone-dir', folder, '--listen', listen, '--door', door, '--threads', '1', '--rrl', 'off']
  return runPeer(process.execPath, [inRepository('nameserver/bin/nameserver.ts'), ...args], listen)
}

export function startNsd(listen: string, folder: string, zones: readonly SignedZone[]): Promise<Running> {
  const at = newFolder(folder, 'nsd')
  const listed = zones.map(({ origin, file }) => `zone:\n  name: ${origin}\n  zonefile: ${file}\n`)
  const file = join(at, 'nsd.conf')
  writeFileSync(
    file,
    `server:
  ip-address: ${listen.replace(':', '@')}
  server-count: 1
  username: ""
  zonesdir: "${at}"
  database: ""
  zonelistfile: "${at}/zone.list"
  xfrdfile: "${at}/xfrd.state"
  xfrdir: "${at}"
  pidfile: "${at}/nsd.pid"
  minimal-responses: yes
  rrl-ratelimit: 0
remote-control:
  control-enable: no
${listed.join('')}`,
  )
  return runPeer('nsd', ['-d', '-c', file], listen)
}

export function startKnot(listen: string, folder: string, zones: readonly SignedZone[]): Promise<Running> {
  const at = newFolder(folder, 'knot')
  const listed = zones.map(({ origin, file }) => `  - domain: ${origin}\n    file: ${file}\n`)
  const file = join(at, 'knot.conf')
  writeFileSync(
    file,
    `server:
  listen: ${listen.replace(':', '@')}
  rundir: ${at}
database:
  storage: ${at}
log:
  - target: stderr
    any: warning
template:
  - id: default
    zonefile-sync: -1
    journal-content: none
    semantic-checks: off
zone:
${listed.join('')}`,
  )
  return runPeer('knotd', ['-c', file], listen)
}

/** A resolver that validates, queries `server` for all zones, and trusts the keys of some. */
export function startValidator(
  listen: string,
  folder: string,
  server: string,
  zones: readonly SignedZone[],
  trusted: readonly SignedZone[],
): Promise<Running> {
  const at = newFolder(folder, 'unbound')
  const stubs = zones.map(({ origin }) => `stub-zone:\n  name: ${origin}\n  stub-addr: ${server.replace(':', '@')}\n`)
  // Aliases out of the zones end there, and the server refuses anything else. So nothing queries the Internet.
  for (const name of ['invalid.', '.'])
    stubs.push(`stub-zone:\n  name: ${name}\n  stub-addr: ${server.replace(':', '@')}\n`)
  const keys = join(at, 'trusted.key')
  writeFileSync(keys, trusted.map(({ dnskey }) => `${dnskey}\n`).join(''))
  const file = join(at, 'unbound.conf')
  writeFileSync(
    file,
    `server:
  interface: 127.0.0.1
  port: ${portOf(listen)}
  do-daemonize: no
  do-not-query-localhost: no
  use-syslog: no
  chroot: ""
  username: ""
  directory: "${at}"
  pidfile: ""
  num-threads: 1
  module-config: "validator iterator"
  trust-anchor-file: "${keys}"
  aggressive-nsec: no
  harden-below-nxdomain: no
  qname-minimisation: no
  local-zone: "test." nodefault
  local-zone: "invalid." nodefault
  val-log-level: 2
remote-control:
  control-enable: no
${stubs.join('')}`,
  )
  return runPeer('unbound', ['-d', '-c', file], listen)
}

function newFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}
