// The first things that a newcomer sees: README.md, the pages that it leads to, and the first npm command.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The heading of a page as GitHub links to it. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Links of a page that lead nowhere: to no file, or to no heading of a page. */
function brokenLinks(page: string): string[] {
  const text = read(page).replaceAll(/^```.*?^```$/gms, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor)
    })
}

const pages = globSync(
  ['*.md', 'docs/**/*.md', '{packages,service,nameserver,dashboard,sandbox,bench,tools,system-tests}/**/*.md'],
  {
    cwd: root,
    exclude: ['**/node_modules/**'],
  },
)

test('every link in every page leads to an existing file, and to an existing heading if it names one', () => {
  assert.ok(pages.length > 50, `${pages.length}`)
  assert.deepEqual(
    pages.flatMap((page) => brokenLinks(page).map((target) => `${page}: ${target}`)),
    [],
  )
})

test('README.md has one picture', () => {
  assert.equal([...read('README.md').matchAll(/!\[/g)].length, 1)
})

test('README.md names the license of package.json', () => {
  const { license } = JSON.parse(read('package.json')) as { license: string }
  const section = read('README.md').split('\n## License\n')[1] ?? ''
  assert.match(section, new RegExp(`\\\`${license}\\\``))
})

test('every npm script is in docs/reference/commands.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const rows = read('docs/reference/commands.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ')[0] ?? '')
    .join('\n')
  const missing = Object.keys(scripts).filter((name) => !new RegExp(`[\` ]${name}[\` ]`).test(rows))
  assert.deepEqual(missing, [])
})

test('npm prints no warning about engines when it installs under the oldest Node that developers may have', () => {
  const npmrc = read('.npmrc').split('\n')
  assert.ok(npmrc.includes('loglevel=error'))
  const env = { ...process.env }
  // npm passes its own settings to its child processes, but this is an independent run.
  for (const name of Object.keys(env)) if (name.toLowerCase().startsWith('npm_')) delete env[name]
  // The machine's own Node, which may be older than the project's.
  env['PATH'] = (env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  const { stderr, status } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})

/** Entries of a changelog as people read them: without the targets of links. */
function entriesOf(changelog: string): string[] {
  const list = changelog.replaceAll(/\n {2,}/g, ' ').replaceAll(/\]\([^)]*\)/g, ']')
  return [...list.matchAll(/^- (.*)$/gm)].map(([, entry = '']) => entry)
}

const longestEntry = 240
const isTooLong = (entry: string): boolean => entry.length > longestEntry

test('each entry of CHANGELOG.md has at most 240 characters', () => {
  const entries = entriesOf(read('CHANGELOG.md'))
  assert.ok(entries.length > 50, `${entries.length}`)
  assert.deepEqual(
    entries.filter(isTooLong).map((entry) => `${entry.slice(0, 60)}… has ${entry.length} characters`),
    [],
    `Shorten these entries to ${longestEntry} characters, and link to a page for the rest. Targets of links do not count.`,
  )
  const wrapped = `- **Long:** ${'word '.repeat(30)}\n  ${'word '.repeat(30)}[page](docs/x.md)\n- **Short:** ${'word '.repeat(30)}\n`
  assert.deepEqual(entriesOf(wrapped).map(isTooLong), [true, false])
})
