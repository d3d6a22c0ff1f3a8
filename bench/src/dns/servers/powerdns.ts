import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zoneName } from '../zones/zone-set.ts'
import { runServer, type Server } from './server.ts'

/** PowerDNS with zone files, its fastest backend, and its default caches. */
export const powerdns: Server = {
  name: 'PowerDNS',
  start: ({ folder, port, zones }) => {
    const listed = Array.from({ length: zones.count }, (_, zone) => {
      return `zone "${zoneName(zone)}" { type master; file "${zones.folder}/${zoneName(zone)}.zone"; };\n`
    })
    writeFileSync(join(folder, 'named.conf'), listed.join(''))
    const [modules = ''] = ['', process.env['DEBIAN_ROOT'] ?? ''].flatMap((root) => globSync(`${root}/usr/lib/*/pdns`))
    writeFileSync(
      join(folder, 'pdns.conf'),
      `launch=bind
bind-config=${folder}/named.conf
local-address=127.0.0.1:${port}
socket-dir=${folder}
module-dir=${modules}
receiver-threads=1
distributor-threads=1
`,
    )
    return runServer('pdns_server', [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'], port)
  },
}
