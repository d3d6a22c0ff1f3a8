import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copySource } from './local/source-copy.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'zonewright-release-'))
/** A version that is never released. */
const version = '99.1.0'
const notes = '- **Upgrade:** Stop all processes.\n# no heading'
const changelog = `# Changelog\n\n## ${version} (2026-12-01)\n\n${notes}\n\n## 99.0.0 (2026-11-01)\n\n- Older.\n`
const env = {
  ...process.env,
  ...{
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.net',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.net',
  },
}
const git = (...args: string[]): string => execFileSync('git', args, { cwd: copy, env, encoding: 'utf8' })
const write = (path: string, text: string): void => writeFileSync(join(copy, path), text)
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')
const run = (tool: string) => spawnSync(process.execPath, [`tools/${tool}.ts`], { cwd: copy, env, encoding: 'utf8' })

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Prepare a release')
}

function setVersion(path: string): void {
  write(path, read(path).replace(/"version": ".*?"/, `"version": "${version}"`))
}

before(() => {
  copySource(root, copy)
  git('init', '--quiet')
  git('config', 'commit.gpgSign', 'false')
  git('config', 'tag.gpgSign', 'false')
  commit()
})
after(() => rmSync(copy, { recursive: true, force: true }))

test('everything that a release lacks is reported at once, and nothing is written', () => {
  write('CHANGELOG.md', changelog.replace('(2026-12-01)', '(not released yet)'))
  setVersion('package.json')
  const { status, stderr, stdout } = run('release')
  assert.deepEqual([status, stdout], [1, ''])
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'There are changes that are not committed. Commit or remove them.',
    `The first heading of CHANGELOG.md is "${version} (not released yet)". It must be "${version} (YYYY-MM-DD)", with the day of the release.`,
    `packages/webhook-verify/package.json has another version than package.json. Set it to ${version}.`,
    `system-tests/releases has no database of ${version}. Create it as the README there says.`,
  ])
  assert.ok(!readdirSync(copy).includes('release'))
  assert.equal(git('tag'), '')
})

test('a database that is not in checksums.json is reported', () => {
  write('CHANGELOG.md', changelog)
  setVersion('packages/webhook-verify/package.json')
  for (const ending of ['sql', 'json'])
    cpSync(
      join(root, `system-tests/releases/18d4a2f.${ending}`),
      join(copy, `system-tests/releases/${version}.${ending}`),
    )
  commit()
  const { status, stderr } = run('release')
  assert.equal(status, 1)
  assert.deepEqual(
    stderr.trimEnd().split('\n'),
    ['json', 'sql'].map(
      (ending) =>
        `system-tests/releases/${version}.${ending} is not in checksums.json. Run \`npm run migrations\` and commit the list.`,
    ),
  )
})

test('a release is an archive of the commit, the webhook library, their checksums, and a tag with the notes', () => {
  assert.equal(run('migrations').status, 0)
  commit()
  const { status, stderr } = run('release')
  assert.equal(status, 0, stderr)
  const archive = `zonewright-${version}.tar.gz`
  const library = `zonewright-webhook-verify-${version}.tgz`
  assert.deepEqual(readdirSync(join(copy, 'release')).sort(), ['SHA256SUMS', archive, library])
  const sumOf = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(copy, 'release', file)))
      .digest('hex')
  assert.equal(read('release/SHA256SUMS'), [archive, library].map((file) => `${sumOf(file)}  ${file}\n`).join(''))

  const listOf = (file: string): string[] =>
    execFileSync('tar', ['-tzf', join('release', file)], { cwd: copy, encoding: 'utf8' })
      .trimEnd()
      .split('\n')
  const files = listOf(archive).filter((path) => !path.endsWith('/'))
  const tracked = git('-c', 'core.quotePath=false', 'ls-files').trimEnd().split('\n')
  assert.deepEqual(files.sort(), tracked.map((path) => `zonewright-${version}/${path}`).sort())
  assert.ok(listOf(library).includes('package/dist/index.js'))

  assert.equal(git('for-each-ref', '--format=%(objecttype) %(refname)', 'refs/tags'), `tag refs/tags/v${version}\n`)
  assert.equal(git('tag', '--list', '--format=%(contents)').trimEnd(), `Zonewright ${version}\n\n${notes}`)
  assert.equal(git('rev-parse', `v${version}^{commit}`), git('rev-parse', 'HEAD'))
  assert.equal(git('status', '--porcelain'), '', 'the files of a release are not committed')
})

test('a version cannot be released twice', () => {
  const { status, stderr } = run('release')
  assert.deepEqual(
    [status, stderr],
    [1, `The tag v${version} exists. Set a new version in package.json, or delete the tag.\n`],
  )
})
