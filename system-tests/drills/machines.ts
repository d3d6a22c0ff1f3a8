import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { standIn } from '../../tools/deployment/machine.ts'
import { copySource, sourcesIn } from '../../tools/local/source-copy.ts'

/** A unit of systemd on a machine. */
export interface Unit {
  start(): Promise<unknown>
  /** Runs on `systemctl restart`; without it, the unit is a command that ends. */
  readonly restart?: () => Promise<unknown>
}

/** Machines whose operator types the commands of a page; the code is in /opt/zonewright of each. */
export interface Machines {
  /** The folder that represents /opt/zonewright of a machine. */
  codeOf(machine: string): string
  /** Runs a block of a page on a machine; returns its output on standard error. Throws if a command fails. */
  type(machine: string, block: string): Promise<string>
  /** The commands for units, such as `service1 restart zonewright-primary.service`. */
  readonly done: readonly string[]
  close(): void
}

/**
 * Makes machines that run a release.
 *
 * systemctl and ssh have their usual effect on the machines, and `git checkout` replaces the code. Everything else of a page (`npm ci`, the build of
 * the dashboard) is left out.
 *
 * @param releases - the folders with the code of the releases, by tag; the first one is what the machines have
 */
export async function startMachines(
  folder: string,
  releases: ReadonlyMap<string, string>,
  units: Readonly<Record<string, Readonly<Record<string, Unit>>>>,
): Promise<Machines> {
  const done: string[] = []
  const codeOf = (machine: string): string => join(folder, machine, 'opt/zonewright')
  const systemctl = async (machine: string, [verb = '', ...args]: readonly string[]): Promise<string> => {
    if (verb === 'daemon-reload') return ''
    if (verb === 'list-units') return listed(Object.keys(units[machine] ?? {}), args.at(-1) ?? '')
    const name = `${args[0]?.replace(/\.service$/, '')}.service`
    const unit = units[machine]?.[name] ?? assert.fail(`${machine} has no ${name}`)
    const act = { start: unit.start, restart: unit.restart }[verb] ?? assert.fail(`systemctl ${verb} ${name}`)
    await act()
    done.push(`${machine} ${verb} ${name}`)
    return ''
  }
  const git = async (machine: string, [verb, tag = '']: readonly string[]): Promise<string> => {
    if (verb === 'checkout') checkOut(releases.get(tag) ?? assert.fail(`there is no ${tag}`), codeOf(machine))
    return ''
  }
  const server = createServer(async (request, response) => {
    const [machine = '', program, ...args] = JSON.parse((await request.toArray()).join('')) as string[]
    const act = program === 'git' ? git : systemctl
    await act(machine, args).then(
      (said) => response.end(said),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true })
  const ask = `fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}', { method: 'POST', body: JSON.stringify(process.argv.slice(1)) })
    .then(async (answer) => { (answer.ok ? process.stdout : process.stderr).write(await answer.text()); process.exitCode = answer.ok ? 0 : 1 })`
  for (const name of ['systemctl', 'git'])
    standIn(programs, name, `exec '${process.execPath}' -e "${ask}" -- "$MACHINE" ${name} "$@"`)
  standIn(programs, 'npm', '[ "$1" = ci ] || echo /built/dashboard')
  // `ssh root@machine COMMAND`
  standIn(
    programs,
    'ssh',
    `MACHINE=\${1#root@}; export MACHINE; shift; exec sh -c "$(echo "$*" | sed "s#/opt/#${folder}/$MACHINE/opt/#")"`,
  )
  for (const machine of Object.keys(units)) {
    mkdirSync(join(folder, machine, 'etc/systemd/system'), { recursive: true })
    mkdirSync(codeOf(machine), { recursive: true })
    copySource(releases.values().next().value ?? '', codeOf(machine))
    mkdirSync(join(codeOf(machine), '.cache'))
  }
  return {
    codeOf,
    done,
    type: async (machine, block) => {
      // The argument of ssh is a path on the other machine.
      const script = block.replaceAll(/(?<=^|[\s='"])(?<!" )\/(?=etc\/|opt\/)/gm, `${join(folder, machine)}/`)
      const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}`, MACHINE: machine }
      const child = spawn('sh', ['-euc', script], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
      const said = child.stderr.setEncoding('utf8').toArray()
      const [code] = await once(child, 'close')
      assert.equal(code, 0, `${block}: ${(await said).join('')}`)
      return (await said).join('')
    },
    close: () => server.close(),
  }
}

/** As `systemctl list-units --plain --no-legend PATTERN` prints them. */
function listed(names: readonly string[], pattern: string): string {
  const wanted = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  return names
    .filter((name) => wanted.test(name))
    .map((name) => `${name} loaded active running Zonewright\n`)
    .join('')
}

/** `git checkout`: files change and vanish in place, while processes run that have loaded them. */
function checkOut(from: string, to: string): void {
  const kept = new Set(sourcesIn(from))
  for (const path of [...sourcesIn(to)]) if (!kept.has(path)) rmSync(join(to, path))
  for (const path of kept) {
    const [source, target] = [join(from, path), join(to, path)]
    if (statSync(target, { throwIfNoEntry: false }) && readFileSync(source).equals(readFileSync(target))) continue
    rmSync(target, { force: true })
    cpSync(source, target)
  }
}
