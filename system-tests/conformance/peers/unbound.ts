import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portOf, type Running, runPeer } from './peer.ts'

/**
 * Debian's unbound as a caching resolver: it queries these authoritative servers for the given zones. A delegation cannot be used, because it implies
 * port 53, and our servers have other ports.
 */
export async function startUnbound(
  listen: string,
  zones: Readonly<Record<string, readonly string[]>>,
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-unbound-'))
  const file = join(folder, 'unbound.conf')
  const stubs = Object.entries(zones).map(([zone, servers]) => {
    const addresses = servers.map((server) => `  stub-addr: ${server.replace(':', '@')}\n`)
    return `stub-zone:\n  name: "${zone}"\n  stub-prime: no\n${addresses.join('')}`
  })
  writeFileSync(
    file,
    `server:
  interface: 127.0.0.1
  port: ${portOf(listen)}
  access-control: 127.0.0.0/8 allow
  do-daemonize: no
  do-not-query-localhost: no
  use-syslog: no
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: ""
  num-threads: 1
  module-config: "iterator"
${zones['test.'] === undefined ? '' : '  local-zone: "test." nodefault\n'}remote-control:
  control-enable: no
${stubs.join('')}`,
  )
  return runPeer('unbound', ['-d', '-c', file], listen)
}
