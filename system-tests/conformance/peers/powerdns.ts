import { execFileSync } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented } from './operator-docs.ts'
import { runPeer, type Secondary } from './peer.ts'

export const powerdns: Secondary = {
  name: 'PowerDNS',
  tookDifference: undefined,
  start: async ({ folder, listen, primary, standby, secret }) => {
    const text = documented('pdns.conf', {
      '198.51.100.53:53': listen,
      '/var/lib/powerdns': folder,
    })
    const { root, modules } = places()
    writeFileSync(join(folder, 'pdns.conf'), `${text}socket-dir=${folder}\nmodule-dir=${modules}\n`)
    const setup = documented('pdns-setup.sh', {
      'pdnsutil ': `pdnsutil --config-dir=${folder} `,
      '/var/lib/powerdns': folder,
      [schema]: `${root}${schema}`,
      '192.0.2.1:5300': primary,
      '192.0.2.2:5300': standby,
      SECRET: secret,
    })
    execFileSync('sh', ['-e', '-c', setup], { stdio: ['ignore', 'pipe', 'pipe'] })
    return runPeer('pdns_server', [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'], listen)
  },
}

/** The file that creates the tables of PowerDNS, below the root of its package. */
export const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/** The location of the package's files: on the machine, or below the folder where packages are unpacked. */
export function places(): { root: string; modules: string } {
  const roots = ['', process.env['DEBIAN_ROOT'] ?? '']
  const root = roots.find((place) => existsSync(`${place}${schema}`))
  if (root === undefined) throw new Error('Missing: pdns-backend-sqlite3.')
  const [modules = ''] = globSync(`${root}/usr/lib/*/pdns`)
  return { root, modules }
}
