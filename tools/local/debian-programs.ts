import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs are not available. The message is one line for a person. */
export class ProgramsMissing extends Error {}

/**
 * Makes programs of Debian packages available, and returns the PATH that finds them.
 *
 * Uses the programs that the machine has. apt downloads the others, which are unpacked into `folder` and not installed: no service is started or
 * enabled, no user is created, and root is needed only if apt's lists are outdated.
 *
 * @throws ProgramsMissing
 */
export function debianPrograms(packagesOf: Readonly<Record<string, readonly string[]>>, folder: string): string {
  const bin = join(folder, 'bin')
  const path = [process.env['PATH'], '/usr/sbin', '/sbin', bin].join(delimiter)
  const missing = Object.entries(packagesOf)
    .filter(([program, packages]) => !isFound(program, path) || isOutdated(join(bin, program), packages))
    .map(([program]) => program)
  if (missing.length === 0) return path
  unpackPackages([...new Set(missing.flatMap((program) => packagesOf[program] ?? []))].sort(), folder)
  mkdirSync(bin, { recursive: true })
  for (const program of missing) wrap(program, packagesOf[program] ?? [], folder)
  return path
}

/**
 * Unpacks Debian packages, with what they need and the machine lacks, below `rootOf(folder)`.
 *
 * @throws ProgramsMissing
 */
export function unpackPackages(packages: readonly string[], folder: string): void {
  try {
    unpack(packages, folder)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ProgramsMissing(`Missing: ${packages.join(', ')}. Install them and try again. (${cause.trim()})`)
  }
}

function isFound(program: string, path: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore', env: { PATH: path } }).status === 0
}

/** Whether we unpacked a program before it had the packages that it has now, such as those of its plugins. */
function isOutdated(script: string, packages: readonly string[]): boolean {
  return existsSync(script) && !readFileSync(script, 'utf8').includes(commentOn(packages))
}

/** The line of a script that names the packages that it came with. */
function commentOn(packages: readonly string[]): string {
  return `# ${packages.join(' ')}\n`
}

/** Packages, with those of their dependencies that the machine lacks. */
function unpack(packages: readonly string[], folder: string): void {
  if (process.getuid?.() === 0) apt(['update', '-qq'])
  const planned = apt(['install', '--simulate', '--no-install-recommends', ...packages])
  const versions = [...planned.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)].map(([, name, at]) => `${name}=${at}`)
  const debs = join(folder, 'debs')
  mkdirSync(debs, { recursive: true })
  apt(['download', '-qq', ...versions], debs)
  for (const file of readdirSync(debs)) execFileSync('dpkg', ['-x', join(debs, file), rootOf(folder)])
}

function apt(args: readonly string[], cwd?: string): string {
  return execFileSync('apt-get', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  })
}

/** Where the packages are unpacked: their `/`. */
export function rootOf(folder: string): string {
  return join(folder, 'root')
}

/** A script that replaces the program. It finds the libraries next to it, which no other program uses. */
function wrap(program: string, packages: readonly string[], folder: string): void {
  const root = rootOf(folder)
  const file = ['usr/sbin', 'usr/bin', 'bin']
    .map((place) => join(root, place, program))
    .find((place) => existsSync(place))
  if (file === undefined) throw new ProgramsMissing(`The package of ${program} does not have it.`)
  const libraries = ['lib', 'usr/lib'].flatMap((place) => librariesIn(join(root, place)))
  const script = join(folder, 'bin', program)
  const env = `LD_LIBRARY_PATH='${libraries.join(':')}' ${pythonOf(file, root)}`
  writeFileSync(script, `#!/bin/sh\n${commentOn(packages)}${env} '${file}' "$@"\n`)
  chmodSync(script, 0o755)
}

/** `exec`, and for a program in Python its interpreter, the machine's or the unpacked one, with the modules next to it. */
function pythonOf(file: string, root: string): string {
  if (!/^#!.*python3/.test(readFileSync(file, 'latin1').slice(0, 80))) return 'exec'
  const modules = `PYTHONPATH='${join(root, 'usr/lib/python3/dist-packages')}'`
  const own = '/usr/bin/python3'
  return existsSync(own)
    ? `${modules} exec ${own}`
    : `${modules} PYTHONHOME='${join(root, 'usr')}' exec '${join(root, own)}'`
}

/** The folder of this machine's libraries in a lib folder, such as `x86_64-linux-gnu`. */
export function librariesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.includes('-linux-gnu')).map((name) => join(folder, name))
}
