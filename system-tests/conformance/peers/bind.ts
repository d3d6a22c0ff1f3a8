import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documented } from './operator-docs.ts'
import { type Primary, portOf, runPeer, type Secondary, shrank } from './peer.ts'

export const bind: Secondary = {
  name: 'BIND',
  tookDifference: (said, zone) =>
    shrank(said, new RegExp(`transfer of '${zone}/IN'.* completed: .* (\\d+) bytes`, 'g')),
  start: async ({ folder, listen, primary, standby, secret }) => {
    const file = join(folder, 'named.conf')
    const text = documented('named.conf', {
      'port 53 { 198.51.100.53; }': `port ${portOf(listen)} { 127.0.0.1; }`,
      '192.0.2.1 port 5300': primary.replace(':', ' port '),
      '192.0.2.2 port 5300': standby.replace(':', ' port '),
      '/var/cache/bind': folder,
      '/run/named': folder,
      SECRET: secret,
    })
    writeFileSync(file, `${text}controls {};\n`)
    return runPeer('named', ['-g', '-c', file], listen)
  },
}

export const bindPrimary: Primary = {
  name: 'BIND',
  start: async ({ folder, listen, nameserver, secret, zoneFile }) => {
    const file = join(folder, 'named.conf')
    const text = documented('named-primary.conf', {
      'port 5300 { 192.0.2.1; }': `port ${portOf(listen)} { 127.0.0.1; }`,
      '198.51.100.53 port 53': nameserver.replace(':', ' port '),
      '/var/cache/bind': folder,
      '/run/named': folder,
      SECRET: secret,
    })
    writeFileSync(file, `${text}controls {};\n`)
    writeFileSync(join(folder, 'catalog.zonewright.invalid.zone'), documented('catalog.zone', {}))
    copyFileSync(zoneFile, join(folder, 'example.com.zone'))
    const running = await runPeer('named', ['-g', '-c', file], listen)
    const update = (line: string): void => {
      execFileSync('nsupdate', ['-y', `hmac-sha256:zonewright-transfer:${secret}`], {
        input: `server ${listen.replace(':', ' ')}\n${line}\nsend\n`,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
    }
    update('update add 5a1f.zones.catalog.zonewright.invalid 0 PTR example.com.')
    return {
      ...running,
      addAddress: (name, address) => update(`update add ${name}.example.com 60 A ${address}`),
      unlist: () => update('update delete 5a1f.zones.catalog.zonewright.invalid PTR'),
    }
  },
}
