import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zoneName } from '../zones/zone-set.ts'
import { runServer, type Server } from './server.ts'

/** BIND with one thread and short answers. */
export const bind: Server = {
  name: 'BIND',
  start: ({ folder, port, zones }) => {
    const file = join(folder, 'named.conf')
    const listed = Array.from({ length: zones.count }, (_, zone) => {
      return `zone "${zoneName(zone)}" { type primary; file "${zones.folder}/${zoneName(zone)}.zone"; };\n`
    })
    writeFileSync(
      file,
      `options {
    directory "${folder}";
    pid-file "${folder}/named.pid";
    session-keyfile none;
    listen-on port ${port} { 127.0.0.1; };
    listen-on-v6 { none; };
    recursion no;
    dnssec-validation no;
    notify no;
    minimal-responses yes;
};
controls {};
${listed.join('')}`,
    )
    return runServer('named', ['-g', '-n', '1', '-c', file], port)
  },
}
