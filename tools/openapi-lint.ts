// `npm run openapi:lint`: checks openapi.json, or the file that is named, with the rules of Redocly and of Spectral. A warning fails it.
// Node's permission model keeps both from opening a connection and from writing files.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = resolve(process.argv[2] ?? `${root}openapi.json`)
const linters = [
  [
    fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js')),
    'lint',
    file,
    '--config',
    'tools/openapi/redocly.yaml',
  ],
  ['tools/openapi/spectral.ts', file],
]
for (const linter of linters) {
  const { status } = spawnSync(process.execPath, ['--permission', '--allow-fs-read=*', ...linter], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) process.exitCode = 1
}
