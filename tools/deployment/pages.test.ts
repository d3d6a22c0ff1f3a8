// Checks what the pages say about units and containers alike.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { addressOf, compose, containersOf, partOf, read, root, settingsInCompose, settingsOf } from './files.ts'
import { machineAfter } from './machine.ts'

test('configuration.md documents every setting of the examples and of compose.yaml', () => {
  const documented = new Set(
    [...read('docs/reference/configuration.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name),
  )
  const names = [
    ...Object.keys(settingsOf('deploy/systemd/zonewright.env.example')),
    ...Object.keys(settingsOf('deploy/systemd/migrate.env.example')),
    ...Object.keys(settingsInCompose()),
  ]
  assert.ok(names.length > 20, `${names}`)
  assert.deepEqual(
    names.filter((name) => !documented.has(name)),
    [],
  )
})

test('every unit and container that a page names exists', () => {
  const units = globSync('zonewright-*.{service,timer}', { cwd: join(root, 'deploy/systemd') })
  const containers = [...compose.matchAll(/^ {2}([a-z0-9-]+):$/gm)].map(([, name]) => name)
  const named = { units: 0, containers: 0 }
  for (const page of globSync('docs/{*,runbooks/*}.md', { cwd: root })) {
    const text = read(page)
    for (const [, name = ''] of text.matchAll(
      /(?<!\/)\b(zonewright-(?:(?:api|worker)@?|(?:primary|nameserver|migrate|backup)(?!\w)))/g,
    )) {
      named.units++
      assert.ok(
        units.some((unit) => unit.replace(/\.\w+$/, '') === name),
        `${page}: ${name}`,
      )
    }
    for (const [, words = ''] of text.matchAll(/docker compose (?:stop|logs --no-log-prefix|logs) ([a-z0-9 -]+)/g))
      for (const name of words.trim().split(/ +/)) {
        named.containers++
        assert.ok(containers.includes(name), `${page}: ${name}`)
      }
  }
  assert.ok(named.units > 20 && named.containers > 15, JSON.stringify(named))
})

test('processes and containers find a registry’s files where connect-a-registry.md puts them, with the right owner', () => {
  const page = read('docs/runbooks/connect-a-registry.md')
  const [, user = '', files = '', folder = ''] = /^install -o (\w+) -m 0600 (.*) (\/\S+)\/$/m.exec(page) ?? []
  assert.match(read('deploy/systemd/zonewright-.service.d/50-common.conf'), new RegExp(`^User=${user}$`, 'm'))
  const named = [...page.matchAll(/"\w+_file": "([^"]+)"/g)].map(([, path = '']) => path)
  const setting = /`REGISTRIES=(\S+)`/.exec(page)?.[1] ?? ''
  assert.equal(named.length, 4)
  assert.deepEqual(
    [setting, ...named].sort(),
    files
      .split(' ')
      .map((file) => `${folder}/${file}`)
      .sort(),
  )
  for (const example of ['docker/env.example', 'systemd/zonewright.env.example'])
    assert.match(read(`deploy/${example}`), new RegExp(`^#REGISTRIES=${setting}$`, 'm'))
  const [ofAll = ''] = compose.split('\nx-nameserver:')
  assert.match(ofAll, /^ {4}REGISTRIES: \$\{REGISTRIES:-\}$/m)
  assert.ok(ofAll.includes(`'${folder}:${folder}:ro'`))
})

test('a container has as long to come up as a unit of systemd: 60 s', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: root }).map(read)
  const posts = units.flatMap((unit) => unit.match(/(?<=^ExecStartPost=.* )\d+$/gm) ?? [])
  assert.deepEqual(posts, ['60', '60', '60', '60', '60', '60'])
  const [ofOurs = '', ofOthers = ''] = compose.split('\nservices:\n')
  const periodsIn = (text: string): string[] | null => text.match(/(?<=start_period: )\d+(?=s$)/gm)
  assert.deepEqual([periodsIn(ofOurs), periodsIn(ofOthers)?.length], [['60', '60'], 1])
})

test('deploy.md installs the programs that what-to-do-when-it-breaks.md uses', () => {
  const page = read('docs/runbooks/what-to-do-when-it-breaks.md')
  const [, installed = ''] = /apt-get install --yes (git curl .*?)`/.exec(read('docs/runbooks/deploy.md')) ?? []
  for (const [program, from] of [
    ['psql', 'postgresql-client'],
    ['kdig', 'knot-dnsutils'],
    ['dig', 'bind9-dnsutils'],
    ['curl', 'curl'],
  ] as const) {
    assert.match(page, new RegExp(`\\b${program} `))
    assert.ok(installed.split(' ').includes(from), from)
  }
})

test('PostgreSQL’s container has minutes to make its cluster, or to read its log after a crash or a restore', () => {
  const [, period] = /start_period: (\d+)s$/m.exec(partOf('postgres')) ?? []
  assert.ok(Number(period) >= 300, `${period} s`)
})

test('what-to-do-when-it-breaks.md has the ports, addresses and logs of deploy/', () => {
  const page = read('docs/runbooks/what-to-do-when-it-breaks.md')
  const [, table = ''] = /^\| `npm start` \| with systemd(.*?)\n\n/ms.exec(page) ?? []
  const ports = [18081, 18082, 19001, 19002, 19300, 9153].map(String)
  const figures = table.split('\n').find((line) => line.startsWith('| metrics')) ?? ''
  assert.deepEqual(
    figures.match(/\b\d{4,5}(?=[,;) ])/g)?.filter((port) => ports.includes(port)),
    ports,
  )
  for (const [name, at] of [
    ['api-1', ':8080'],
    ['api-2', ':8080'],
    ['primary', ' -p 5300'],
  ] as const)
    assert.ok(table.includes(`${addressOf(name)}${at}`), name)
  // Each log that the page names also exists for the others.
  for (const [, log = ''] of page.matchAll(/`(\w+\.log)`/g))
    if (!['receiver.log', 'mailbox.log'].includes(log)) assert.ok(table.includes(`\`${log}\``), log)
})

test('Prometheus scrapes every process of both machines, and each nameserver, at the addresses of units and pages', (t) => {
  const machine = machineAfter(t, 'With systemd')
  const page = read('docs/runbooks/deploy.md')
  const [, ...started] = page.split('systemctl enable --now ')
  const instances = started.flatMap((line) => line.split('\n')[0]?.split(' ') ?? [])
  assert.equal(instances.length, 7)
  const listens = instances
    .filter((unit) => !['zonewright-nameserver', 'zonewright-dns-door'].includes(unit))
    .map((unit) => {
      const [name = '', instance = ''] = unit.split(/(?<=@)/)
      const more = readFileSync(join(machine, `etc/systemd/system/${name}.service.d/metrics.conf`), 'utf8')
      return /METRICS_LISTEN=(\S+)/.exec(more)?.[1]?.replace('%i', instance) ?? ''
    })
  const machines =
    settingsOf('deploy/systemd/nameserver.env.example')['NAMESERVER_FLAGS']?.match(/(?<=--primary )[0-9.]+/g) ?? []
  assert.deepEqual(machines, ['192.0.2.1', '192.0.2.2'])
  const { METRICS_LISTEN: ofDoor = '' } = settingsOf('deploy/systemd/dns-door.env.example')
  const [bySystemd = {}] = scraped()
  assert.deepEqual(Object.keys(bySystemd), ['zonewright-service', 'zonewright-nameservers'])
  assert.deepEqual(
    bySystemd['zonewright-service']?.toSorted(),
    [...machines.flatMap((at) => listens.map((listen) => listen.replace('192.0.2.1:', `${at}:`))), ofDoor].toSorted(),
  )
  const nameservers = bySystemd['zonewright-nameservers'] ?? []
  assert.equal(
    nameservers.length,
    settingsOf('deploy/systemd/zonewright.env.example')['NAMESERVERS']?.split(',').length,
  )
  const shown = ['deploy/systemd/nameserver.env.example', 'docs/runbooks/secondaries.md'].map(
    (file) => /^METRICS_LISTEN=(\S+)$/m.exec(read(file))?.[1],
  )
  assert.deepEqual(shown, [nameservers[0], nameservers[0]])
})

test('Prometheus scrapes each of our containers at its own address and metrics port', () => {
  assert.match(compose, /METRICS_LISTEN: 0\.0\.0\.0:9100\n/)
  assert.match(compose, /--metrics=0\.0\.0\.0:9100\n/)
  const [, byCompose = {}] = scraped()
  for (const [job, kind] of [
    ['zonewright-service', 'service'],
    ['zonewright-nameservers', 'nameserver'],
  ] as const) {
    const at = containersOf(kind).map((name) => `${addressOf(name)}:9100`)
    assert.deepEqual(byCompose[job]?.toSorted(), at.toSorted(), job)
  }
})

/** The Prometheus configurations of docs/metrics.md: the targets of each, by job. */
function scraped(): Record<string, string[]>[] {
  const blocks = [...read('docs/metrics.md').matchAll(/^```yaml\n(scrape_configs:.*?)^rule_files:/gms)]
  return blocks.map(([, block = '']) =>
    Object.fromEntries(
      block
        .split('- job_name: ')
        .slice(1)
        .map((job) => [/^\S+/.exec(job)?.[0], [...job.matchAll(/'([0-9.]+:\d+)'/g)].map(([, at = '']) => at)]),
    ),
  )
}
