import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { read, root } from './files.ts'

/** The folders to which our pages write and that Debian 12 has from the start, or with the packages that a page names. */
const foldersOfDebian = [
  'etc/systemd/system',
  'etc/cron.d',
  'etc/nginx/conf.d',
  'etc/nginx/modules-enabled',
  'var/backups',
  'var/lib',
  'opt',
]

/** The same for files, with the content that our pages expect in them. */
const filesOfDebian = { 'etc/nginx/nginx.conf': 'events {\n\tworker_connections 768;\n}\n' }

/** Programs of a machine that do not change its files, as far as a page is concerned. */
const otherPrograms = [
  'apt-get',
  'git',
  'systemctl',
  'systemd-sysusers',
  'runuser',
  'certbot',
  'nginx',
  'docker',
  'ls',
  'dig',
  'kdig',
]

/**
 * A machine with an empty Debian 12 on which an operator has typed every line of these sections of the pages, in order, and none has failed.
 * Its files are below the returned folder. Their owners are ignored.
 */
export function machineAfter(t: TestContext, ...sections: readonly string[]): string {
  const machine = mkdtempSync(join(tmpdir(), 'zonewright-machine-'))
  t.after(() => rmSync(machine, { recursive: true }))
  for (const folder of foldersOfDebian) mkdirSync(join(machine, folder), { recursive: true })
  for (const [path, text] of Object.entries(filesOfDebian)) writeFileSync(join(machine, path), text)
  const programs = join(machine, 'programs')
  mkdirSync(programs)
  for (const name of otherPrograms) standIn(programs, name, 'exit 0')
  standIn(programs, 'npm', '[ "$1" = ci ] || echo /built/dashboard')
  standIn(programs, 'install', 'exec /usr/bin/install $(echo " $*" | sed "s/ -[og] [^ ]*//g")')
  // The clone.
  cpSync(join(root, 'deploy'), join(machine, 'opt/zonewright/deploy'), { recursive: true })
  mkdirSync(join(machine, 'opt/zonewright/.cache'))

  const pages = ['deploy', 'back-up-and-restore'].flatMap((page) => read(`docs/runbooks/${page}.md`).split(/^## /m))
  const lines = sections.flatMap((section) => {
    const text = pages.find((part) => part.startsWith(`${section}\n`)) ?? assert.fail(section)
    return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  })
  const script = lines.join('').replaceAll(/(?<=^|[\s='"])\/(?=etc\/|opt\/|var\/)/gm, `${machine}/`)
  const env = { PATH: `${programs}:${process.env['PATH']}` }
  const { status, stderr } = spawnSync('sh', ['-euc', script], {
    cwd: machine,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  assert.deepEqual([status, stderr], [0, ''])
  return machine
}

/** Writes a shell script that replaces the program with this name. */
export function standIn(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
