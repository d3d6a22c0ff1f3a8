import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type TcpProxy, tcpProxy } from '@zonewright/service/tcp-proxy'
import { freePort } from '../../../tools/local/addresses.ts'
import { postgresPrograms, serverUser } from '../../../tools/local/debian-postgres.ts'
import { debianPrograms } from '../../../tools/local/debian-programs.ts'
import { debianFolder, failoverPrograms } from '../../../tools/local/dns-programs.ts'
import { documented } from './operator-docs.ts'

/** The machines of docs/runbooks/high-availability.md. */
export const machineNames = ['db1', 'db2', 'db3'] as const
export type MachineName = (typeof machineNames)[number]

const programs = ['etcd', 'patroni', 'haproxy'] as const

/** A block of docs/runbooks/high-availability.md with these replacements. */
export function blockOf(name: string, replacements: Readonly<Record<string, string>>): string {
  return documented(name, replacements, 'high-availability')
}

/** Where several machines run on this one: each has an address of the loopback interface, and all have the same ports. */
export class MachinesPlace {
  /** Removed at the end. */
  readonly folder = mkdtempSync(join(tmpdir(), 'zonewright-machines-'))
  /** The user that PostgreSQL runs as if we are root. */
  readonly runAs = serverUser()
  /** The folder of PostgreSQL's programs. */
  readonly bin: string
  readonly ports: Readonly<Record<'postgres' | 'patroni' | 'etcd' | 'peers' | 'haproxy', number>>
  readonly #env: Readonly<Record<string, string>>
  readonly #running = new Set<ChildProcess>()
  readonly #proxies: TcpProxy[] = []

  private constructor(ports: MachinesPlace['ports']) {
    this.ports = ports
    // PostgreSQL's user must be able to read what is in there.
    chmodSync(this.folder, 0o755)
    const { bin, env } = postgresPrograms(debianFolder, this.folder)
    const path = [bin, debianPrograms(failoverPrograms, debianFolder)].join(delimiter)
    this.bin = bin
    this.#env = { ...env, PATH: path, HOME: this.folder, LC_ALL: 'C.UTF-8' }
  }

  /** @throws ProgramsMissing */
  static async find(): Promise<MachinesPlace> {
    const [postgres, patroni, etcd, peers, haproxy] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    return new MachinesPlace({ postgres, patroni, etcd, peers, haproxy })
  }

  /** Where a machine's program listens, as host:port. */
  addressOf(name: MachineName, program: keyof MachinesPlace['ports']): string {
    return `127.0.1.${machineNames.indexOf(name) + 1}:${this.ports[program]}`
  }

  /** Starts a program, which runs until it ends or is killed; its log is in the folder. */
  launch(
    program: (typeof programs)[number],
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    runAs: { uid?: number; gid?: number } = {},
  ): ChildProcess {
    const log = openSync(this.#logOf(program), 'a')
    const own = { ...runAs, cwd: this.folder, env: { ...this.#env, ...env } }
    const child = spawn(program, args, { ...own, stdio: ['ignore', log, log] })
    closeSync(log)
    this.#running.add(child.once('exit', () => this.#running.delete(child)))
    return child
  }

  /** Runs a program, and returns what it prints. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const etcd = machineNames.map((name) => this.addressOf(name, 'etcd')).join(',')
    // It reaches etcd even if a machine is cut off from it.
    const env = { ...this.#env, ETCDCTL_ENDPOINTS: etcd, PATRONI_ETCD3_HOSTS: etcd }
    const { stdout, stderr } = await promisify(execFile)(program, args, { env, cwd: this.folder, timeout: 60_000 })
    return stdout + stderr
  }

  /** Runs the commands of a block of the page, and returns what they print. */
  runBlock(name: string, replacements: Readonly<Record<string, string>>): Promise<string> {
    return this.run('sh', '-euc', blockOf(name, replacements))
  }

  /** Puts a proxy that can be shut in front of an address; it is removed at the end. */
  async proxyTo(address: string): Promise<TcpProxy & { readonly address: string }> {
    const proxy = await tcpProxy(`tcp://${address}`)
    this.#proxies.push(proxy)
    return { ...proxy, address: new URL(proxy.url).host }
  }

  /** The ends of all logs. */
  said(): string {
    const logs = programs.map((program) => this.#logOf(program)).filter((log) => existsSync(log))
    return logs.map((log) => readFileSync(log, 'utf8').slice(-2_000)).join('\n')
  }

  /** Kills all running programs, and removes the folder. */
  end(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    for (const proxy of this.#proxies) proxy.close()
    // A killed process may still exist for a short time.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }

  #logOf(program: (typeof programs)[number]): string {
    return join(this.folder, `${program}.log`)
  }
}
