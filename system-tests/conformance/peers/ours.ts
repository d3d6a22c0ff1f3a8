import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployFile, inRepository } from './deploy-files.ts'
import { documented } from './operator-docs.ts'
import { runPeer, type Secondary } from './peer.ts'

/** Our own nameserver, as its systemd unit starts it. */
export const ours: Secondary = {
  name: 'Zonewright',
  tookDifference: undefined,
  start: async ({ folder, listen, primary, standby, secret }) => {
    writeFileSync(join(folder, 'tsig.key'), `hmac-sha256:zonewright-transfer:${secret}\n`)
    const setting = documented('nameserver.env', {
      '198.51.100.53:53': listen,
      '192.0.2.1:5300': primary,
      '192.0.2.2:5300': standby,
    })
    const [, flags = ''] = /^NAMESERVER_FLAGS="(.*)"$/m.exec(setting) ?? []
    const unit = deployFile('systemd/zonewright-nameserver.service', {
      '\\\n': '',
      '%d/': `${folder}/`,
      '/var/lib/zonewright/nameserver': join(folder, 'store'),
      // Several of them run here, and none has a port for its metrics.
      '--metrics ${METRICS_LISTEN} ': '',
      $NAMESERVER_FLAGS: flags,
    })
    const [, command = ''] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? []
    const args = command.split(/\s+/).map((word) => word.replace(/^nameserver\/bin\//, inRepository('nameserver/bin/')))
    return runPeer(process.execPath, args, listen)
  },
}
