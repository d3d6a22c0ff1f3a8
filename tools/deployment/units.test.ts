// deploy/systemd, and the rest of a machine without containers, without third-party programs.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { readConfiguration } from '@zonewright/service/configuration'
import { nodeArgs } from '../local/process.ts'
import { read, root, settingsOf } from './files.ts'
import { machineAfter, standIn } from './machine.ts'

test('the service accepts the settings of the examples in deploy/systemd', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-deploy-'))
  try {
    const shown = settingsOf('deploy/systemd/zonewright.env.example')
    const here = { DATA_DIR: dataDir }
    const taken = readConfiguration({ ...shown, ...here })
    assert.deepEqual(taken.primaryListen, { host: '192.0.2.1', port: 5300 })
    assert.equal(
      readConfiguration({ ...shown, ...here, ...settingsOf('deploy/systemd/migrate.env.example') }).databaseRole,
      'zonewright_service',
    )
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('systemd and Docker start every program with the same options of Node as npm start', () => {
  const programs = [
    ['nameserver', 'nameserver/bin/nameserver.ts', nodeArgs.nameserver],
    ['api', 'service/bin/api.ts', nodeArgs.service],
    ['dns-door', 'service/bin/dns-door.ts', nodeArgs.service],
    ['primary', 'service/bin/primary.ts', nodeArgs.service],
    ['worker', 'service/bin/worker.ts', nodeArgs.worker],
  ] as const
  const compose = read('deploy/docker/compose.yaml')
  for (const [name, file, args] of programs) {
    const units = globSync(`deploy/systemd/zonewright-${name}*.service`, { cwd: root })
    assert.ok(units.length > 0, name)
    const started = `/node --disable-warning=ExperimentalWarning ${args.join(' ')} ${file}`
    for (const unit of units) assert.ok(read(unit).includes(started), unit)
    const command = [...args, file]
    const list = command.map((each) => `      - ${each}\n`).join('')
    assert.ok(compose.includes(list) || compose.includes(`command: [${command.join(', ')}]`), name)
    assert.ok(!compose.includes(`[${file}`), `${file} without options`)
  }
})

test('the operator’s commands of every page load the settings of the units, which a shell can also read', () => {
  const load = 'set -a && . /etc/zonewright/zonewright.env && set +a'
  for (const page of globSync('docs/runbooks/*.md', { cwd: root })) {
    const text = read(page)
    const isInContainer = /docker compose (?:exec primary node|run --rm --no-deps primary) service\/bin\/admin\.ts/
    const commands = text
      .split('\n')
      .filter((line) => line.includes('service/bin/admin.ts') && !isInContainer.test(line))
    for (const line of commands) assert.match(line, /node_modules\/\.bin\/node service\/bin\/admin\.ts/, page)
    if (commands.length > 0) assert.ok(text.includes(`cd /opt/zonewright && ${load}\n`), page)
  }
  const example = 'deploy/systemd/zonewright.env.example'
  const shell = load.replace('/etc/zonewright/zonewright.env', join(root, example))
  const taken = execFileSync('sh', ['-euc', `${shell}; env`], { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  for (const [name, value] of Object.entries(settingsOf(example)))
    assert.ok(taken.split('\n').includes(`${name}=${value}`), name)
})

test('every line of the pages about the proxy and the backups works on an empty Debian 12', (t) => {
  const machine = machineAfter(t, 'The proxy')
  const file = (path: string): string => readFileSync(join(machine, 'etc/nginx/conf.d', path), 'utf8')
  assert.equal(file('zonewright.conf'), read('deploy/nginx/zonewright.conf'))
  assert.equal(file('zonewright-upstream.conf'), read('deploy/nginx/zonewright-upstream.conf'))
  assert.match(file('../nginx.conf'), /^\tworker_connections 4096;$/m)
  assert.equal(file('../modules-enabled/90-zonewright.conf'), 'worker_rlimit_nofile 8192;\n')
  const database = machineAfter(t, 'Back up')
  for (const path of ['systemd/system/zonewright-backup.timer', 'cron.d/zonewright-backup'])
    assert.ok(isThere(join(database, 'etc', path)), path)
})

test('the page for a restore on a new machine sets what copies lack: their owner, pg_hba.conf and listen_addresses', () => {
  const [, page = ''] = read('docs/runbooks/back-up-and-restore.md').split('### On a new machine\n')
  const [section = ''] = page.split('\n### ')
  for (const word of ['chown -R postgres:postgres /var/backups/zonewright', '`pg_hba.conf`', 'set listen_addresses ='])
    assert.ok(section.includes(word), word)
})

/** Whether the path exists, even as a dangling link. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

test('every path in the units and their settings exists after deploy.md was followed on an empty Debian 12', (t) => {
  const machine = machineAfter(t, 'With systemd')
  const units = globSync('etc/systemd/system/**/*.{service,conf}', { cwd: machine })
    .filter((file) => !file.includes('backup'))
    .flatMap((file) => readFileSync(join(machine, file), 'utf8').split('\n'))
  const settings = ['zonewright', 'migrate', 'nameserver', 'dns-door'].flatMap((name) =>
    Object.values(settingsOf(`deploy/systemd/${name}.env.example`)),
  )
  const named = [...units.filter((line) => !line.startsWith('#')), ...settings].flatMap((line) => [
    ...line.matchAll(/(?<=^|[=: ])\/(?:etc|opt|var)\/[\w./-]+/g),
  ])
  const paths = new Set(named.map(([path]) => path))
  assert.ok(paths.size >= 6, [...paths].join())
  for (const path of paths) {
    const isMadeBySystemd = path.startsWith('/var/lib/zonewright')
    const inClone = join(root, path.replace(/^\/opt\/zonewright\//, ''))
    assert.ok(isMadeBySystemd || isThere(join(machine, path)) || isThere(inClone), path)
  }
  assert.equal(
    readFileSync(join(machine, 'etc/sysusers.d/zonewright.conf'), 'utf8'),
    read('deploy/systemd/zonewright.sysusers.conf'),
  )
})

/** In bytes, or the share of the machine's memory. */
const amountOf = (text: string): number =>
  Number.parseFloat(text) * ({ M: 2 ** 20, G: 2 ** 30 }[text.at(-1) ?? ''] ?? 1)

test('every unit has a memory limit, and is throttled before it reaches the limit', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: root })
  assert.equal(units.length, 8)
  for (const unit of units) {
    const [high = '', max = ''] = ['MemoryHigh', 'MemoryMax'].map(
      (setting) => new RegExp(`^${setting}=(\\S+)$`, 'm').exec(read(unit))?.[1],
    )
    assert.match(`${high} ${max}`, /^(?:\d+[MG] \d+[MG]|\d+% \d+%)$/, unit)
    assert.ok(amountOf(high) < amountOf(max), unit)
    // systemd would prefer this setting to those of the units, for every unit.
    assert.doesNotMatch(read('deploy/systemd/zonewright-.service.d/50-common.conf'), /^Memory(?:High|Max)=/m)
  }
})

test('an API’s memory limit covers the bodies and responses that it may hold, and Node’s heap', () => {
  const max = amountOf(/^MemoryMax=(\S+)$/m.exec(read('deploy/systemd/zonewright-api@.service'))?.[1] ?? '')
  assert.ok(max / 2 + 256 * 2 ** 20 < max)
})

test('nginx limits requests and connections of every client, and gives the card gateway a higher limit', () => {
  const config = read('deploy/nginx/zonewright.conf')
  for (const [, zone = ''] of config.matchAll(/^ +limit_(?:req zone=|conn )(\w+)/gm))
    assert.match(config, new RegExp(`^limit_(?:req|conn)_zone \\$zonewright_client zone=${zone}:`, 'm'), zone)
  const [, secure = ''] = config.split('listen 443')
  const [server = '', ...locations] = secure.split(/^ +location /m)
  assert.match(server, /^ +limit_req zone=zonewright_requests burst=\d+ nodelay;$/m)
  assert.match(server, /^ +limit_conn zonewright_at_once \d+;$/m)
  // A location with its own limit no longer has those of the server.
  const own = locations.filter((text) => /^ +limit_/m.test(text)).map((text) => text.split(' {')[0])
  assert.deepEqual(own, ['= /api/v1/updates', '/api/v1/gateway/'])
  for (const status of ['limit_req_status 429;', 'limit_conn_status 429;']) assert.ok(config.includes(status), status)
})

test('units and machines are restarted one at a time, until one fails to come up', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-restart-'))
  t.after(() => rmSync(place, { recursive: true }))
  const said = join(place, 'said')
  const units = ['api@8081', 'api@8082', 'worker@19001', 'worker@19002', 'primary'].map(
    (unit) => `zonewright-${unit}.service`,
  )
  const listed = units.map((unit) => `${unit} loaded active running Zonewright`).join('\n')
  standIn(
    place,
    'systemctl',
    `if [ "$1" = restart ]; then echo "$2" >> "$SAID"; [ "$2" != "$BROKEN" ]; exit; fi
if [ "$1" = start ] || [ "$1" = stop ]; then echo "$1 $2" >> "$SAID"; [ "$1 $2" != "$BROKEN" ]; exit; fi
for pattern; do :; done
echo "$LISTED" | while read -r unit rest; do case "$unit" in $pattern) echo "$unit $rest" ;; esac; done`,
  )
  standIn(place, 'ssh', 'echo "$*" >> "$SAID"; [ "$1" != "$BROKEN" ]')
  const script = join(root, 'deploy/systemd/restart.sh')
  const done = (command: string, broken: string, here = listed): string[] => {
    writeFileSync(said, '')
    const env = { PATH: `${place}:${process.env['PATH']}`, SAID: said, BROKEN: broken, LISTED: here }
    const { status } = spawnSync('sh', ['-c', command], { env })
    const lines = readFileSync(said, 'utf8').trim().split('\n')
    // The loop over machines reports a failure by stopping.
    if (command === script) assert.equal(status === 0, broken === 'none')
    return lines
  }
  assert.deepEqual(done(script, 'none'), units)
  assert.deepEqual(done(script, units[1] ?? ''), units.slice(0, 2))
  assert.deepEqual(done(script, 'because nothing runs here', ''), [''])

  // A nameserver whose sockets systemd keeps: at every moment, one instance responds.
  const nameserver = (port: number): string => `zonewright-nameserver@${port}.service`
  const runs = (port: number): string => `${nameserver(port)} loaded active running Zonewright`
  const there = [`start ${nameserver(9154)}`, `stop ${nameserver(9153)}`]
  const back = [`start ${nameserver(9153)}`, `stop ${nameserver(9154)}`]
  assert.deepEqual(done(script, 'none', runs(9153)), [...there, ...back])
  assert.deepEqual(done(script, there[0] ?? '', runs(9153)), there.slice(0, 1))
  assert.deepEqual(done(script, back[0] ?? '', runs(9153)), [...there, ...back.slice(0, 1)])
  assert.deepEqual(done(script, 'none', runs(9154)), back)

  const [, loop = ''] = /^( +for machine in .*?done)$/ms.exec(read('docs/runbooks/deploy.md')) ?? []
  const machines = ['service2', 'service1', 'ns1', 'ns2'].map(
    (machine) => `root@${machine} /opt/zonewright/deploy/systemd/restart.sh`,
  )
  assert.deepEqual(done(loop, 'none'), machines)
  assert.deepEqual(done(loop, 'root@ns1'), machines.slice(0, 3))
})
