// The files of deploy/, checked by the programs that read them in production.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { nightlyTest } from '../world/index.ts'
import { deployFile, inRepository } from './peers/deploy-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-deploy-'))
after(() => rmSync(folder, { recursive: true }))

/** The units of each kind of machine, as installed by the page that its operator has followed. */
const machines = {
  service: unitsInstalledBy('docs/runbooks/deploy.md'),
  database: unitsInstalledBy('docs/runbooks/back-up-and-restore.md'),
}

/** Makes a folder with what the page's `cp` lines copy into systemd's, with the paths of this checkout's code. */
function unitsInstalledBy(page: string): string {
  const name = page.replaceAll('/', '-')
  const units = join(folder, name)
  mkdirSync(units)
  const lines =
    readFileSync(inRepository(page), 'utf8').match(/^cp .*deploy\/systemd\/.* \/etc\/systemd\/system\/(?= |$)/gm) ?? []
  const script = ['set -e', ...lines].join('\n').replaceAll('/etc/systemd/system/', units)
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: inRepository(''), encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''], page)
  for (const file of globSync('**/*.{service,timer,conf}', { cwd: units })) {
    const path = join(units, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/opt/zonewright/', inRepository('')))
  }
  return units
}

const instances: Readonly<Record<string, string>> = { 'zonewright-api@': '8081', 'zonewright-worker@': '19001' }

for (const [machine, units] of Object.entries(machines))
  for (const file of globSync('*.{service,timer}', { cwd: units }).sort()) {
    const unit = file.replace(/@(?=\.)/, (at) => `${at}${instances[file.slice(0, file.indexOf('@') + 1)]}`)

    test(`systemd accepts ${unit} unchanged on a ${machine} machine`, () => {
      const { status, stdout, stderr } = systemdAnalyze(units, 'verify', '--man=no', unit)
      assert.deepEqual([status, `${stdout}${stderr}`], [0, ''])
    })

    if (!file.endsWith('.service')) continue
    test(`systemd rates the exposure of ${unit} as low on a ${machine} machine`, () => {
      const { status, stdout, stderr } = systemdAnalyze(units, 'security', '--offline=yes', '--threshold=20', unit)
      assert.equal(status, 0, `${stdout}${stderr}`)
      assert.doesNotMatch(stdout, /✗ (?:RootDirectory|User)=.*(?:root user|runs as root)/i)
    })

    test(`${unit} runs as the user that its work needs on a ${machine} machine`, () => {
      const isBackup = file === 'zonewright-backup.service'
      assert.equal(settingOf(units, file, 'User'), isBackup ? 'postgres' : 'zonewright')
      // IPC objects that systemd removes when the backup ends would include the shared memory of the server that is copied.
      if (isBackup) assert.equal(settingOf(units, file, 'RemoveIPC'), 'no')
    })
  }

test('a database-only machine runs only the backup and its timer', () => {
  assert.deepEqual(globSync('*.{service,timer}', { cwd: machines.database }).sort(), [
    'zonewright-backup.service',
    'zonewright-backup.timer',
  ])
})

test('systemd rejects a faulty unit', () => {
  const units = machines.service
  writeFileSync(join(units, 'zonewright-broken.service'), '[Service]\nExecStart=/no/such/program\nRestrat=always\n')
  assert.match(
    systemdAnalyze(units, 'verify', '--man=no', 'zonewright-broken.service').stderr,
    /Restrat|no\/such\/program/,
  )
})

test('docker-compose accepts compose.yaml unchanged, and gives our containers minimal rights', () => {
  const { status, stdout, stderr } = compose(inRepository('deploy/docker/compose.yaml'))
  assert.equal(status, 0, stderr)
  const ours = stdout.split(/^ {2}(?=\S+:$)/m).filter((part) => part.includes('image: zonewright\n'))
  assert.equal(ours.length, 10)
  for (const service of ours)
    for (const limit of ['cap_drop:\n    - ALL', 'no-new-privileges:true', 'read_only: true'])
      assert.ok(service.includes(limit), `${service}: ${limit}`)
})

test('docker-compose understands the memory limit of every container', () => {
  const parts = compose(inRepository('deploy/docker/compose.yaml')).stdout.split(/^(?=\S)/m)
  const services = parts.find((part) => part.startsWith('services:')) ?? ''
  const limits = services.split(/^ {2}(?=\S+:$)/m).slice(1)
  assert.equal(limits.length, 12)
  for (const service of limits) assert.match(service, /^ {4}mem_limit: (?:\d+[mg]|"?\d{9,}"?)$/m)
})

test('docker-compose passes on NAMESERVERS, and publishes the primaries at PRIMARY_ADDRESS', () => {
  const usual = compose(inRepository('deploy/docker/compose.yaml')).stdout
  assert.deepEqual(primariesIn(usual), ['127.0.0.1:5300', '127.0.0.1:5300', '127.0.0.1:5301', '127.0.0.1:5301'])
  const NAMESERVERS = 'ns1.example.net=172.30.53.21:5353,ns3.example.net=198.51.100.60:53'
  const own = compose(inRepository('deploy/docker/compose.yaml'), { NAMESERVERS, PRIMARY_ADDRESS: '192.0.2.1' }).stdout
  assert.equal(own.split(`NAMESERVERS: ${NAMESERVERS}\n`).length - 1, 8)
  assert.deepEqual(primariesIn(own), ['192.0.2.1:5300', '192.0.2.1:5300', '192.0.2.1:5301', '192.0.2.1:5301'])
})

/** The addresses at which the primaries are published, in the configuration that docker-compose prints. */
const primariesIn = (config: string): string[] =>
  [...config.matchAll(/^ +- (\S+):5300\/(?:udp|tcp)$/gm)].map(([, at = '']) => at).sort()

test('docker-compose rejects a faulty compose.yaml', () => {
  const broken = join(folder, 'broken.yaml')
  writeFileSync(broken, deployFile('docker/compose.yaml', { 'restart: unless-stopped': 'restrat: always' }))
  assert.notEqual(compose(broken).status, 0)
})

test('Prometheus accepts the alert rules, and rejects a faulty rule', () => {
  const rules = 'prometheus/zonewright.yml'
  const check = (file: string) => spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  const { status, stdout, stderr } = check(inRepository(`deploy/${rules}`))
  assert.deepEqual([status, stderr], [0, ''], stdout)
  const broken = join(folder, 'broken.yml')
  writeFileSync(
    broken,
    deployFile(rules, { 'max(webhook_oldest_due_seconds) > 60': 'max(webhook_oldest_due_seconds >' }),
  )
  assert.notEqual(check(broken).status, 0)
})

nightlyTest('normal operation raises no alert, and each fault raises its own', () => {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    [
      'test',
      'rules',
      ...['alerts', 'alerts-over-days'].map((name) => inRepository(`system-tests/conformance/${name}.yml`)),
    ],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, `${stdout}${stderr}`)
})

/** Series of an hour, and the result of each query of docs/reference/slo.md, rounded to an eighth. */
const objectives: readonly {
  readonly series: Readonly<Record<string, string>>
  readonly value: number
  readonly labels?: string
}[] = [
  {
    series: {
      'zonewright_nameserver_responses_total{instance="ns1",rcode="NOERROR"}': '0+70x60',
      'zonewright_nameserver_responses_total{instance="ns1",rcode="SERVFAIL"}': '0+5x60',
      'zonewright_nameserver_queries_unanswered_total{instance="ns1",reason="send_fault"}': '0+5x60',
      'zonewright_nameserver_queries_unanswered_total{instance="ns1",reason="rate_limit"}': '0+500x60',
    },
    value: 0.875,
  },
  {
    series: {
      'zonewright_replication_seconds_bucket{nameserver="ns1",le="1"}': '0+3x60',
      'zonewright_replication_seconds_count{nameserver="ns1"}': '0+4x60',
    },
    value: 0.75,
    labels: '{nameserver="ns1"}',
  },
  {
    series: {
      'zonewright_http_request_seconds_count{route="getZone",status="200",waited="no"}': '0+5x60',
      'zonewright_http_request_seconds_count{route="getZone",status="503",waited="no"}': '0+3x60',
    },
    value: 0.625,
  },
  {
    series: {
      'zonewright_http_request_seconds_bucket{route="putRrset",status="200",waited="no",le="0.1"}': '0+7x60',
      'zonewright_http_request_seconds_count{route="putRrset",status="200",waited="no"}': '0+8x60',
      'zonewright_http_request_seconds_count{route="putRrset",status="200",waited="yes"}': '0+900x60',
      'zonewright_http_request_seconds_count{route="importZone",status="200",waited="no"}': '0+900x60',
    },
    value: 0.875,
  },
  {
    series: {
      'webhook_first_attempt_seconds_bucket{le="5"}': '0+6x60',
      webhook_first_attempt_seconds_count: '0+8x60',
    },
    value: 0.75,
  },
]

test('Prometheus measures each objective of docs/reference/slo.md with its query', () => {
  const page = readFileSync(inRepository('docs/reference/slo.md'), 'utf8')
  const queries = [...page.matchAll(/^```promql\n(.*?)^```$/gms)].map(([, query = '']) => query)
  assert.equal(queries.length, objectives.length)
  const tests = objectives.map(({ series, value, labels = '{}' }, i) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
    promql_expr_test: [{ expr: `round(${queries[i]}, 0.125)`, eval_time: '1h', exp_samples: [{ labels, value }] }],
  }))
  const file = join(folder, 'slo.yml')
  writeFileSync(file, JSON.stringify({ evaluation_interval: '1m', tests }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
})

test('Prometheus accepts the configurations of docs/metrics.md unchanged, with the alert rules next to them', () => {
  const place = join(folder, 'prometheus')
  mkdirSync(place)
  writeFileSync(join(place, 'zonewright.yml'), deployFile('prometheus/zonewright.yml', {}))
  const page = readFileSync(inRepository('docs/metrics.md'), 'utf8')
  const shown = [...page.matchAll(/^```yaml\n(scrape_configs:.*?)^```$/gms)].map(([, block = '']) => block)
  assert.equal(shown.length, 2)
  for (const text of shown) {
    const file = join(place, 'prometheus.yml')
    writeFileSync(file, text)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''], stdout)
    assert.match(stdout, /1 rule files found/)
  }
})

/** The effective value of a unit's setting: the last one in the unit and then in its drop-in folders, by file name. */
function settingOf(units: string, unit: string, setting: string): string | undefined {
  const more = globSync(`{zonewright-.service.d,${unit}.d}/*.conf`, { cwd: units })
  const files = [unit, ...more.sort((a, b) => (basename(a) < basename(b) ? -1 : 1))]
  const text = files.map((file) => readFileSync(join(units, file), 'utf8')).join('\n')
  return [...text.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].at(-1)?.[1]
}

function systemdAnalyze(units: string, ...args: readonly string[]) {
  return spawnSync('systemd-analyze', args, {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${units}:`, SYSTEMD_COLORS: '0' },
  })
}

/** The environment takes precedence over the file. */
function compose(file: string, settings: Readonly<Record<string, string>> = {}) {
  const example = inRepository('deploy/docker/env.example')
  const env = { ...process.env, ...settings }
  return spawnSync('docker-compose', ['--env-file', example, '--file', file, 'config'], { encoding: 'utf8', env })
}
