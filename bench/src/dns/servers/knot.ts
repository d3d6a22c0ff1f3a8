import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zoneName } from '../zones/zone-set.ts'
import { runServer, type Server } from './server.ts'

/** Knot with one thread for UDP; without its module, it has no rate limit. */
export const knot: Server = {
  name: 'Knot',
  start: ({ folder, port, zones }) => {
    const file = join(folder, 'knot.conf')
    const listed = Array.from({ length: zones.count }, (_, zone) => `  - domain: ${zoneName(zone)}\n`)
    writeFileSync(
      file,
      `server:
  listen: 127.0.0.1@${port}
  rundir: ${folder}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${folder}
log:
  - target: stderr
    any: warning
template:
  - id: default
    storage: ${zones.folder}
    file: "%s.zone"
    zonefile-sync: -1
    journal-content: none
zone:
${listed.join('')}`,
    )
    return runServer('knotd', ['-c', file], port)
  },
}
