import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transferSecret } from '../primary/transfer-key.ts'
import { type ZoneSet, zoneName } from '../zones/zone-set.ts'
import { type RunningServer, runServer, type Server } from './server.ts'

/** NSD with one server process, no rate limit and short answers. */
export const nsd: Server = {
  name: 'NSD',
  start: ({ folder, port, zones }) => {
    const file = join(folder, 'nsd.conf')
    const listed = Array.from({ length: zones.count }, (_, zone) => {
      return `zone:\n  name: ${zoneName(zone)}\n  zonefile: ${zones.folder}/${zoneName(zone)}.zone\n`
    })
    writeFileSync(file, `${nsdSettings(folder, port)}${listed.join('')}`)
    return runServer('nsd', ['-d', '-c', file], port)
  },
}

/** NSD as a secondary of a primary at host:port. Its zones are added one by one. */
export function followWithNsd(
  port: number,
  folder: string,
  { count }: ZoneSet,
  primary: string,
): Promise<RunningServer> {
  const file = join(folder, 'nsd.conf')
  const at = primary.replace(':', '@')
  const key = `key:\n  name: bench-transfer\n  algorithm: hmac-sha256\n  secret: "${transferSecret}"\n`
  const pattern = `pattern:
  name: bench
  request-xfr: ${at} bench-transfer
  allow-notify: 127.0.0.1 bench-transfer
`
  const listed = Array.from(
    { length: count },
    (_, zone) => `zone:\n  name: ${zoneName(zone)}\n  include-pattern: bench\n`,
  )
  writeFileSync(file, `${nsdSettings(folder, port)}${key}${pattern}${listed.join('')}`)
  return runServer('nsd', ['-d', '-c', file], port)
}

function nsdSettings(folder: string, port: number): string {
  return `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  zonesdir: "${folder}"
  database: ""
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  pidfile: "${folder}/nsd.pid"
  minimal-responses: yes
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
`
}
