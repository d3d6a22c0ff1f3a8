// `npm run pictures`: the browser tests, which keep a picture of every page that they check in .cache/pictures.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['system-tests/flows/the-dashboard.test.ts', 'system-tests/dashboard/*.test.ts']
const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'tools/test.ts', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    NIGHTLY: 'true',
    DASHBOARD_PICTURES: fileURLToPath(new URL('../.cache/pictures', import.meta.url)),
  },
})
child.once('close', (code) => {
  process.exitCode = code ?? 1
})
