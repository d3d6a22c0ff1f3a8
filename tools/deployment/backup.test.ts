// deploy/backup, without PostgreSQL. system-tests/conformance/restore.test.ts tests it with one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { read } from './files.ts'
import { standIn } from './machine.ts'

const script = (name: string): string[] => ['-c', read(`deploy/backup/${name}.sh`), name]

test('a log segment that was ended early takes little space, and is never overwritten', (t) => {
  const place = placeOf(t)
  const segment = '000000010000000000000007'
  const archived = (content: Uint8Array): number | null => {
    writeFileSync(join(place, 'piece'), content)
    return spawnSync('sh', [...script('archive-wal'), place, join(place, 'piece'), segment]).status
  }
  const piece = new Uint8Array(16 * 1024 * 1024).fill(7, 0, 1000)
  assert.deepEqual([archived(piece), archived(piece)], [0, 0])
  assert.notEqual(archived(new Uint8Array(piece).fill(8, 0, 1000)), 0)
  assert.deepEqual(readdirSync(join(place, 'wal')), [`${segment}.gz`])
  const kept = join(place, 'wal', `${segment}.gz`)
  assert.ok(gunzipSync(readFileSync(kept)).equals(piece))
  assert.ok(statSync(kept).size < 50_000, `${statSync(kept).size} bytes`)
})

test('a copy that a signal ends leaves nothing, and old remains of an interrupted copy are removed', (t) => {
  const place = placeOf(t)
  standIn(place, 'pg_basebackup', 'kill -s TERM $PPID')
  const cut = join(place, 'base/.unfinished.aaaaaa')
  const other = join(place, 'base/.unfinished.bbbbbb')
  for (const folder of [cut, other]) mkdirSync(folder, { recursive: true })
  const daysAgo = Date.now() / 1000 - 4 * 86_400
  utimesSync(cut, daysAgo, daysAgo)
  const { status } = spawnSync('sh', [...script('base-backup'), place], {
    env: { PATH: `${place}:${process.env['PATH']}` },
  })
  assert.equal(status, 1)
  assert.deepEqual(readdirSync(join(place, 'base')), ['.unfinished.bbbbbb'])
})

test('a restore reports copies that it cannot read, instead of finding none', (t) => {
  const place = placeOf(t)
  mkdirSync(join(place, 'base/20261120T031500.000000Z'), { recursive: true })
  chmodSync(join(place, 'base'), 0)
  const { status, stderr } = spawnSync('sh', [...script('restore'), place, join(place, 'cluster')], {
    encoding: 'utf8',
    cwd: '/',
    // Root can access everything.
    ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
  })
  chmodSync(join(place, 'base'), 0o700) // otherwise only root can remove it
  assert.equal(status, 1)
  assert.match(stderr, /^\S+\/base cannot be read by \S+\n$/)
})

function placeOf(t: TestContext): string {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-backup-'))
  t.after(() => rmSync(place, { recursive: true }))
  chmodSync(place, 0o755)
  return place
}
