import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pages } from './pages.ts'

const root = new URL('../../../../../', import.meta.url)
const { docs, ...dashboardPages } = pages

test('every page that emails link to exists in the dashboard', () => {
  const router = readFileSync(new URL('dashboard/src/router.tsx', root), 'utf8')
  const paths = [...router.matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => path.replace(/\$\w+/, '$'))
  const ofZones = [...router.matchAll(/getParentRoute: \(\) => zone,\s+path: '(\/[^']*)'/g)]
  for (const [, path] of ofZones) paths.push(`/zones/$${path}`)
  assert.ok(paths.length > 20, `only ${paths.length} pages were found in the dashboard's router`)
  for (const [name, page] of Object.entries(dashboardPages)) {
    const led = page('https://dns.example.net', 'x')
      .replace('https://dns.example.net/app', '')
      .replace(/\?.*/, '')
      .replace(/\/x(?=\/|$)/, '/$')
    assert.ok(paths.includes(led), `${name} leads to ${led}, which the dashboard does not have`)
  }
})

test('every documentation page that emails link to exists, with its heading', () => {
  assert.equal(docs('https://dns.example.net', 'keys'), 'https://dns.example.net/docs/keys')
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const led = globSync('*.ts', { cwd: folder }).flatMap((file) =>
    [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/pages\.docs\([^']*'([^']+)'\)/g)].map(
      ([, page = '']) => page,
    ),
  )
  assert.ok(led.length >= 3)
  for (const page of led) {
    const [name, heading] = page.split('#')
    const source = ['docs/customers', 'docs']
      .map((at) => new URL(`${at}/${name}.md`, root))
      .find((at) => existsSync(at))
    assert.ok(source, `${page}: there is no page ${name}`)
    const headings = [...readFileSync(source, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    if (heading !== undefined) assert.ok(headings.includes(heading), `${page}: ${headings.join(', ')}`)
  }
})
