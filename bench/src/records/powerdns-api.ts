import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, runPeer } from '../../../system-tests/conformance/peers/peer.ts'
import { freePort } from '../../../tools/local/addresses.ts'
import { debianPrograms, rootOf, unpackPackages } from '../../../tools/local/debian-programs.ts'
import { debianFolder } from '../../../tools/local/dns-programs.ts'
import { withDatabase } from '../database.ts'

const packages = ['pdns-server', 'pdns-backend-pgsql']
const key = 'bench'

/** PowerDNS with its HTTP API, on a separate database of the same PostgreSQL, set up as its manual says. */
export class PowerdnsApi {
  readonly #server: Running
  readonly #folder: string
  readonly #port: number
  readonly #zones: readonly string[]
  readonly #agent = new Agent({ keepAlive: true })

  private constructor(server: Running, folder: string, port: number, zones: readonly string[]) {
    this.#server = server
    this.#folder = folder
    this.#port = port
    this.#zones = zones
  }

  /** Starts it with this many zones. @throws ProgramsMissing */
  static async start(databaseUrl: string, zoneCount: number): Promise<PowerdnsApi> {
    const { root, path } = programs()
    process.env['PATH'] = path
    await withDatabase(databaseUrl, (client) => client.query('create database powerdns'))
    const url = databaseUrl.replace(/[^/]+$/, 'powerdns')
    const schema = readFileSync(`${root}/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql`, 'utf8')
    await withDatabase(url, (client) => client.query(schema))
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-powerdns-'))
    const [dnsPort, port] = [await freePort(), await freePort()]
    const { hostname, port: databasePort, username, password } = new URL(url)
    const [modules = ''] = globSync(`${root}/usr/lib/*/pdns`)
    writeFileSync(
      join(folder, 'pdns.conf'),
      `launch=gpgsql
gpgsql-host=${decodeURIComponent(hostname)}
gpgsql-port=${databasePort}
gpgsql-user=${decodeURIComponent(username)}
gpgsql-password=${decodeURIComponent(password)}
gpgsql-dbname=powerdns
local-address=127.0.0.1:${dnsPort}
socket-dir=${folder}
module-dir=${modules}
api=yes
api-key=${key}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${port}
primary=yes
`,
    )
    const args = [`--config-dir=${folder}`, '--daemon=no', '--guardian=no']
    const server = await runPeer('pdns_server', args, `127.0.0.1:${dnsPort}`)
    const zones = Array.from({ length: zoneCount }, (_, i) => `bench${i}.test.`)
    const powerdns = new PowerdnsApi(server, folder, port, zones)
    for (const name of zones)
      await powerdns.#call('POST', '/zones', { name, kind: 'Master', nameservers: ['ns1.bench.test.'] })
    return powerdns
  }

  /** Changes of single rrsets per second, each client with its own zones. */
  async changesPerSecond(clients: number, seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1_000
    let made = 0
    const change = async (client: number): Promise<void> => {
      for (let i = 0; performance.now() < end; i++, made++) {
        const zone = this.#zones[(client + i * clients) % this.#zones.length] ?? ''
        const content = `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`
        const rrset = {
          ...{ name: `c${client}-${i % 50}.${zone}`, type: 'A', ttl: 300, changetype: 'REPLACE' },
          records: [{ content, disabled: false }],
        }
        await this.#call('PATCH', `/zones/${zone}`, { rrsets: [rrset] })
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => change(client)))
    return made / seconds
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.#server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #call(method: string, path: string, body: unknown): Promise<void> {
    const text = JSON.stringify(body)
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const to = { host: '127.0.0.1', port: this.#port, path: `/api/v1/servers/localhost${path}`, agent: this.#agent }
    return new Promise((resolve, reject) => {
      const sent = request({ ...to, method, headers }, (answer) => {
        let said = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          said += part
        })
        answer.once('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve()
          else reject(new Error(`PowerDNS answered ${method} ${path} with ${answer.statusCode}: ${said}`))
        })
      })
      sent.once('error', reject).end(text)
    })
  }
}

/** The server and its backend: those of the machine, or unpacked in a folder of their own. */
function programs(): { root: string; path: string } {
  const schema = '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql'
  const folder = join(debianFolder, 'pdns-pgsql')
  if (existsSync(schema)) return { root: '', path: debianPrograms({ pdns_server: packages }, folder) }
  mkdirSync(folder, { recursive: true })
  if (!existsSync(rootOf(folder) + schema)) unpackPackages(packages, folder)
  return { root: rootOf(folder), path: debianPrograms({ pdns_server: packages }, folder) }
}
