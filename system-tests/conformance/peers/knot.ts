import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented } from './operator-docs.ts'
import { hostOf, type Primary, runPeer, type Secondary } from './peer.ts'

export const knot: Secondary = {
  name: 'Knot',
  tookDifference: (said, zone) => new RegExp(`\\[${zone}\\.\\] IXFR, incoming, .*finished`).test(said),
  start: async ({ folder, listen, primary, standby, secret }) => {
    const file = join(folder, 'knot.conf')
    const text = documented('knot.conf', {
      '198.51.100.53@53': listen.replace(':', '@'),
      '192.0.2.1@5300': primary.replace(':', '@'),
      '192.0.2.1': hostOf(primary),
      '192.0.2.2@5300': standby.replace(':', '@'),
      '192.0.2.2': hostOf(standby),
      '  user: knot:knot\n': '',
      '/run/knot': folder,
      '/var/lib/knot': folder,
      SECRET: secret,
    })
    writeFileSync(file, text)
    return runPeer('knotd', ['-c', file], listen)
  },
}

export const knotPrimary: Primary = {
  name: 'Knot',
  start: async ({ folder, listen, nameserver, secret, zoneFile }) => {
    const file = join(folder, 'knot.conf')
    const text = documented('knot-primary.conf', {
      '192.0.2.1@5300': listen.replace(':', '@'),
      '198.51.100.53@53': nameserver.replace(':', '@'),
      '  user: knot:knot\n': '',
      '/run/knot': folder,
      '/var/lib/knot': folder,
      SECRET: secret,
    })
    writeFileSync(file, text)
    copyFileSync(zoneFile, join(folder, 'example.com.zone'))
    const running = await runPeer('knotd', ['-c', file], listen)
    const control = (...args: string[]): void => {
      execFileSync('knotc', ['-c', file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    }
    return {
      ...running,
      addAddress: (name, address) => {
        control('zone-begin', 'example.com')
        control('zone-set', 'example.com', name, '60', 'A', address)
        control('zone-commit', 'example.com')
      },
      unlist: () => {
        writeFileSync(file, text.slice(0, text.indexOf('  - domain: example.com')))
        control('reload')
      },
    }
  },
}
