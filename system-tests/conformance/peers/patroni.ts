import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rootOf } from '../../../tools/local/debian-programs.ts'
import { debianFolder } from '../../../tools/local/dns-programs.ts'
import { eventually } from '../../world/index.ts'
import { DatabaseMachine, rolePassword } from './database-machine.ts'
import { inRepository } from './deploy-files.ts'
import { blockOf, MachinesPlace, machineNames } from './machines-place.ts'

const migrateProgram = inRepository('service/bin/migrate.ts')

/** PostgreSQL on three machines with Patroni, and HAProxy in front of them. */
export class DatabaseMachines {
  readonly machines: readonly DatabaseMachine[]
  /** `DATABASE_URL` of the page, through HAProxy. */
  readonly haproxyUrl: string
  /** `DATABASE_URL` of the page with all hosts. */
  readonly hostsUrl: string
  readonly #place: MachinesPlace
  /** The path in the page's commands, and the file of the first machine. */
  readonly #config: Readonly<Record<string, string>>
  readonly #stop = (): void => this.stop()

  private constructor(place: MachinesPlace, machines: readonly DatabaseMachine[]) {
    this.#place = place
    this.machines = machines
    this.#config = { '/etc/patroni/config.yml': machines[0]?.config ?? '' }
    const own = { 'DATABASE_URL=': '', PASSWORD: rolePassword }
    this.haproxyUrl = blockOf('url', { ...own, ...this.#throughHaproxy() }).trim()
    const hosts = machines.map(({ host }) => host).join(',')
    this.hostsUrl = blockOf('urls', { ...own, 'db1:5432,db2:5432,db3:5432': hosts }).trim()
    process.once('exit', this.#stop)
  }

  /**
   * Follows docs/runbooks/high-availability.md up to the configuration of HAProxy, with addresses, ports, paths and passwords of the test, and
   * migrates the database. The standbys may still be copied from the leader when it returns.
   *
   * @throws ProgramsMissing
   */
  static async start(): Promise<DatabaseMachines> {
    const place = await MachinesPlace.find()
    const machines = await Promise.all(machineNames.map((name) => DatabaseMachine.withEtcd(place, name)))
    const all = new DatabaseMachines(place, machines)
    try {
      await eventually('etcd is healthy', async () => (await place.runBlock('etcd-health', {})) !== '')
      machines[0]?.start()
      const first = await eventually('the first machine leads', () => all.leader())
      for (const machine of machines.slice(1)) machine.start()
      const roles = blockOf('roles', { 'CHANGE-ME': rolePassword })
      for (const statement of roles.trim().split(';\n')) await first.query(statement, 'postgres')
      await migrate(`postgres://zonewright_owner:${rolePassword}@${first.host}/zonewright`, place.folder)
      await all.#startHaproxy()
      return all
    } catch (error) {
      const said = place.said()
      all.stop()
      throw new Error(`The machines did not start:\n${said}`, { cause: error })
    }
  }

  /** The page's command that lists the machines. */
  list(): Promise<string> {
    return this.#place.runBlock('patroni-list', this.#config)
  }

  /** The page's command that changes the leader. */
  switchover(): Promise<string> {
    return this.#place.runBlock('switchover', this.#config)
  }

  /** Changes settings that all machines share, such as `synchronous_mode=false`. */
  async set(...settings: readonly string[]): Promise<void> {
    const sets = settings.flatMap((setting) => ['--set', setting])
    await this.#place.run('patronictl', '-c', this.machines[0]?.config ?? '', 'edit-config', '--force', ...sets)
  }

  /** The machine that leads, by its Patroni. */
  async leader(): Promise<DatabaseMachine | undefined> {
    const answers = await Promise.all(
      this.machines.map(({ patroniUrl }) => fetch(`${patroniUrl}/primary`).catch(() => undefined)),
    )
    return this.machines.find((_, i) => answers[i]?.ok)
  }

  /** Waits until one leads, and the two others follow it, one of them synchronously or none. Returns the leader. */
  untilWhole(isSynchronous = true): Promise<DatabaseMachine> {
    return eventually('one machine leads, and the others follow it', async () => {
      const leader = await this.leader()
      if (leader === undefined) return undefined
      const answer = await fetch(`${leader.patroniUrl}/cluster`)
      const { members } = (await answer.json()) as { members: { role: string }[] }
      const hasSynchronous = members.some(({ role }) => role === 'sync_standby')
      const following = await leader.query(
        "select from pg_stat_replication where state = 'streaming' and usename = 'replicator'",
      )
      return following.length === 2 && hasSynchronous === isSynchronous ? leader : undefined
    })
  }

  stop(): void {
    process.off('exit', this.#stop)
    for (const machine of this.machines) machine.kill()
    this.#place.end()
  }

  #throughHaproxy(): Readonly<Record<string, string>> {
    return { '127.0.0.1:5432': `127.0.0.1:${this.#place.ports.haproxy}` }
  }

  /** With Debian's own configuration, to which the block of the page is added. */
  async #startHaproxy(): Promise<void> {
    const root = existsSync('/etc/haproxy/haproxy.cfg') ? '/' : rootOf(debianFolder)
    const usual = readFileSync(join(root, 'etc/haproxy/haproxy.cfg'), 'utf8')
    const added = blockOf('haproxy.cfg', {
      ...this.#throughHaproxy(),
      ...Object.fromEntries(this.machines.map(({ name, host }) => [`${name}:5432`, host])),
      'port 8008': `port ${this.#place.ports.patroni}`,
    })
    // The rest of the global part needs root, its own user and their folders.
    const defaults = usual.slice(usual.indexOf('\ndefaults')).replaceAll('/etc/haproxy/', join(root, 'etc/haproxy/'))
    const file = join(this.#place.folder, 'haproxy.cfg')
    writeFileSync(file, `global\n  log /dev/log local0\n${defaults}\n${added}`)
    const own = { '/etc/haproxy/haproxy.cfg': file, 'systemctl restart haproxy': 'true' }
    const said = await this.#place.runBlock('haproxy-check', own)
    if (said.includes('WARNING')) throw new Error(said)
    this.#place.launch('haproxy', ['-db', '-f', file])
  }
}

/** Migrates as deploy.md says, with the rights of the owner. */
async function migrate(ownerUrl: string, folder: string): Promise<void> {
  const own = {
    DATA_DIR: join(folder, 'migrate'),
    DATABASE_URL: ownerUrl,
    DATABASE_ROLE: 'zonewright_service',
    DATABASE_DOCTOR_ROLE: 'zonewright_doctor',
  }
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', migrateProgram], {
    env: { ...process.env, ...own },
  })
}
