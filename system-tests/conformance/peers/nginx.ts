import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Authority } from '../../../sandbox/src/certificates.ts'
import { eventually } from '../../world/index.ts'
import { deployFile } from './deploy-files.ts'
import { stopped } from './peer.ts'

/** Where the proxy listens, and where it forwards requests. */
interface Site {
  readonly folder: string
  readonly http: string
  readonly https: string
  /** At least one; the first gets requests first. */
  readonly apis: readonly string[]
  /** Issues the certificate of `dns.example.net`. */
  readonly authority: Authority
  /** Changes of its configuration for the tests. */
  readonly replaced?: Readonly<Record<string, string>>
}

/** Debian's nginx with the configuration of deploy/nginx, on loopback and on ports of its own; its logs are in the folder. */
export async function startNginx(site: Site): Promise<{ stop(): Promise<void> }> {
  const file = join(site.folder, 'nginx.conf')
  const sites = join(site.folder, 'sites')
  const [first = '', ...others] = site.apis
  mkdirSync(sites, { recursive: true })
  const own = site.authority.issue(['dns.example.net'])
  const [cert, key] = [join(site.folder, 'cert.pem'), join(site.folder, 'key.pem')]
  writeFileSync(cert, `${own.cert}${site.authority.cert}`)
  writeFileSync(key, own.key, { mode: 0o600 })
  writeFileSync(
    join(sites, 'zonewright-upstream.conf'),
    deployFile('nginx/zonewright-upstream.conf', {
      '    server 127.0.0.1:8082 max_fails=0 backup;\n': others
        .map((api) => `    server ${api} max_fails=0 backup;\n`)
        .join(''),
      '    server 127.0.0.1:8082 max_fails=0;\n': others.map((api) => `    server ${api} max_fails=0;\n`).join(''),
      '127.0.0.1:8081': first,
    }),
  )
  writeFileSync(
    join(sites, 'zonewright.conf'),
    deployFile('nginx/zonewright.conf', {
      '    listen [::]:80;\n': '',
      '    listen [::]:443 ssl http2;\n': '',
      'listen 80;': `listen ${site.http};`,
      'listen 443 ': `listen ${site.https} `,
      '/etc/letsencrypt/live/dns.example.net/fullchain.pem': cert,
      '/etc/letsencrypt/live/dns.example.net/privkey.pem': key,
      '/var/log/nginx/access.log': join(site.folder, 'access.log'),
      ...site.replaced,
    }),
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${site.folder}/${kind};`,
  )
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${site.folder}/nginx.pid; worker_processes auto;
worker_rlimit_nofile 8192; events { worker_connections 4096; }
http { ${temporary.join(' ')} include ${sites}/*.conf; }\n`,
  )
  const args = ['-p', site.folder, '-c', file]
  const checked = spawnSync('nginx', ['-t', '-e', 'stderr', ...args], { encoding: 'utf8' })
  if (checked.status !== 0 || /\[warn\]/.test(checked.stderr)) throw new Error(`nginx -t: ${checked.stderr}`)
  const child = spawn('nginx', ['-e', join(site.folder, 'error.log'), ...args], { stdio: 'ignore' })
  const killed = () => child.kill('SIGTERM')
  process.once('exit', killed)
  child.once('exit', () => process.off('exit', killed))
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error('nginx ended')
    return takesConnections(site.https)
  })
  return { stop: () => stopped(child) }
}

function takesConnections(address: string): Promise<boolean> {
  const [host = '', port] = address.split(':')
  return new Promise((resolve) => {
    const socket = connect(Number(port), host, () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
