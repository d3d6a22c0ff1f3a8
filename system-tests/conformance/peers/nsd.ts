import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented } from './operator-docs.ts'
import { hostOf, runPeer, type Secondary, shrank } from './peer.ts'

export const nsd: Secondary = {
  name: 'NSD',
  tookDifference: (said, zone) => shrank(said, new RegExp(`zone ${zone}\\. received update .* of (\\d+) bytes`, 'g')),
  start: async ({ folder, listen, primary, standby, secret }) => {
    const file = join(folder, 'nsd.conf')
    const text = documented('nsd.conf', {
      '198.51.100.53@53': listen.replace(':', '@'),
      '192.0.2.1@5300': primary.replace(':', '@'),
      '192.0.2.1': hostOf(primary),
      '192.0.2.2@5300': standby.replace(':', '@'),
      '192.0.2.2': hostOf(standby),
      'username: nsd': 'username: ""',
      '/var/lib/nsd': folder,
      '/run/nsd': folder,
      SECRET: secret,
    })
    writeFileSync(file, text)
    const control = (block: string, zone: string): void => {
      const command = documented(block, { 'nsd-control ': `nsd-control -c ${file} `, ZONE: zone })
      execFileSync('sh', ['-e', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
    }
    const running = await runPeer('nsd', ['-d', '-V', '2', '-c', file], listen)
    const list = {
      add: (zone: string) => control('nsd-add.sh', zone),
      remove: (zone: string) => control('nsd-delete.sh', zone),
    }
    return { ...running, list }
  },
}
