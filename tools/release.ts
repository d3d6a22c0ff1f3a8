// `npm run release`: checks that the commit can be released, writes the files of the release into `release/`, and tags the commit. It
// pushes nothing.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkFrozen, frozenFolders } from './local/frozen-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'release')
const library = 'packages/webhook-verify'
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const versionIn = (path: string): string => (JSON.parse(read(path)) as { version: string }).version

const version = versionIn('package.json')
const tag = `v${version}`
/** The newest section of the changelog. */
const [heading = '', ...notes] = (read('CHANGELOG.md').split('\n## ')[1] ?? '').split('\n')

const faults = await findFaults()
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1
else release()

async function findFaults(): Promise<string[]> {
  const frozen = await Promise.all(frozenFolders.map(checkFrozen))
  const databases = readdirSync(join(root, 'system-tests/releases'))
  const checks: [isFault: boolean, message: string][] = [
    [git('status', '--porcelain') !== '', 'There are changes that are not committed. Commit or remove them.'],
    [git('tag', '--list', tag) !== '', `The tag ${tag} exists. Set a new version in package.json, or delete the tag.`],
    [
      !/^\S+ \(\d{4}-\d\d-\d\d\)$/.test(heading) || !heading.startsWith(`${version} `),
      `The first heading of CHANGELOG.md is "${heading}". It must be "${version} (YYYY-MM-DD)", with the day of the release.`,
    ],
    [
      versionIn(`${library}/package.json`) !== version,
      `${library}/package.json has another version than package.json. Set it to ${version}.`,
    ],
    [
      !['sql', 'json'].every((ending) => databases.includes(`${version}.${ending}`)),
      `system-tests/releases has no database of ${version}. Create it as the README there says.`,
    ],
  ]
  return [...checks.flatMap(([isFault, message]) => (isFault ? [message] : [])), ...frozen.flat()]
}

function release(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const name = `zonewright-${version}`
  git('archive', `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, 'HEAD')
  run('npm', 'pack', '--silent', '--workspace', library, '--pack-destination', folder)
  const sums = readdirSync(folder)
    .sort()
    .map((file) => {
      const checksum = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      return `${checksum}  ${file}\n`
    })
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  git('tag', '--annotate', '--cleanup=whitespace', `--message=Zonewright ${version}\n\n${notes.join('\n').trim()}`, tag)
  process.stdout.write(
    `${sums.join('')}The files are in release/. To publish the tag, run \`git push origin ${tag}\`.\n`,
  )
}

function git(...args: readonly string[]): string {
  return run('git', ...args)
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
