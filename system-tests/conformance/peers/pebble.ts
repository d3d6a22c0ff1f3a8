import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../world/index.ts'
import { stopped } from './peer.ts'

/** A certificate authority that speaks ACME (RFC 8555). */
export interface Authority {
  readonly directoryUrl: string
  readonly said: () => string
  stop(): Promise<void>
}

/** Debian's pebble, which looks for challenges through a resolver. `cert` and `key` are the files for its own TLS. */
export async function startPebble(
  folder: string,
  site: { readonly listen: string; readonly management: string; readonly resolver: string; cert: string; key: string },
): Promise<Authority> {
  const config = join(folder, 'pebble.json')
  const pebble = {
    listenAddress: site.listen,
    managementListenAddress: site.management,
    certificate: site.cert,
    privateKey: site.key,
    httpPort: 9,
    tlsPort: 9,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const child = spawn('pebble', ['-config', config, '-dnsserver', site.resolver], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // By default, it waits some seconds, and refuses one valid nonce in twenty. Debian's certbot gives up after two in a row.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
  })
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  child.once('exit', () => process.off('exit', killed))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await eventually('pebble listens', async () => {
    if (child.exitCode !== null) throw new Error(`pebble ended\n${said}`)
    return /Listening on: /.test(said)
  })
  return { directoryUrl: `https://${site.listen}/dir`, said: () => said, stop: () => stopped(child) }
}
