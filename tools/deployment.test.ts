// deploy/ as far as no program of others is needed: the settings that are shown, and the Dockerfile.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfiguration } from '@zonewright/service/configuration'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The settings of an environment file, quotes around a value taken off. */
function settingsOf(path: string): Record<string, string> {
  const lines = read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  )
}

test('the service takes the settings that deploy/systemd shows', () => {
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

test('the operator’s commands of every page are run with the settings of the units, which a shell takes, too', () => {
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

/** What Debian 12 has from the start, or with the packages that a page names, of what our pages write into. */
const foldersOfDebian = ['etc/systemd/system', 'etc/cron.d', 'etc/nginx/conf.d', 'var/backups', 'var/lib', 'opt']

/** Programs of a machine that have no part in its files, as far as a page is concerned. */
const otherPrograms = ['apt-get', 'git', 'systemctl', 'systemd-sysusers', 'runuser', 'certbot', 'nginx', 'docker', 'ls']

/**
 * A machine with an empty Debian 12 on which an operator has typed every line of these sections of the pages, in their order, and
 * none has failed. Its files are below the folder that is returned; who owns them is left out.
 */
function machineAfter(t: TestContext, ...sections: readonly string[]): string {
  const machine = mkdtempSync(join(tmpdir(), 'zonewright-machine-'))
  t.after(() => rmSync(machine, { recursive: true }))
  for (const folder of foldersOfDebian) mkdirSync(join(machine, folder), { recursive: true })
  const programs = join(machine, 'programs')
  const program = (name: string, script: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  mkdirSync(programs)
  for (const name of otherPrograms) program(name, 'exit 0')
  program('npm', '[ "$1" = ci ] || echo /built/dashboard')
  program('install', 'exec /usr/bin/install $(echo " $*" | sed "s/ -[og] [^ ]*//g")')
  // The clone.
  cpSync(join(root, 'deploy'), join(machine, 'opt/zonewright/deploy'), { recursive: true })
  mkdirSync(join(machine, 'opt/zonewright/.cache'))

  const pages = ['deploy', 'back-up-and-restore'].flatMap((page) => read(`docs/runbooks/${page}.md`).split(/^## /m))
  const lines = sections.flatMap((section) => {
    const text = pages.find((part) => part.startsWith(`${section}\n`)) ?? assert.fail(section)
    return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  })
  const script = lines.join('').replaceAll(/(?<=^|[\s='"])\/(?=etc\/|opt\/|var\/)/gm, `${machine}/`)
  const env = { PATH: `${programs}:${process.env['PATH']}` }
  const { status, stderr } = spawnSync('sh', ['-euc', script], {
    cwd: machine,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  assert.deepEqual([status, stderr], [0, ''])
  return machine
}

test('an empty Debian 12 takes every line of the pages about the proxy and the copies', (t) => {
  const machine = machineAfter(t, 'The proxy')
  const file = (path: string): string => readFileSync(join(machine, 'etc/nginx/conf.d', path), 'utf8')
  assert.equal(file('zonewright.conf'), read('deploy/nginx/zonewright.conf'))
  assert.equal(file('zonewright-upstream.conf'), read('deploy/nginx/zonewright-upstream.conf'))
  const database = machineAfter(t, 'Back up')
  for (const path of ['systemd/system/zonewright-backup.timer', 'cron.d/zonewright-backup'])
    assert.ok(isThere(join(database, 'etc', path)), path)
})

/** Whether it is there, if only as a link to what is not. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

test('every file and folder that the units and their settings name is there once deploy.md was followed on an empty Debian 12', (t) => {
  const machine = machineAfter(t, 'With systemd')
  const units = globSync('etc/systemd/system/**/*.{service,conf}', { cwd: machine })
    .filter((file) => !file.includes('backup'))
    .flatMap((file) => readFileSync(join(machine, file), 'utf8').split('\n'))
  const settings = ['zonewright', 'migrate', 'nameserver'].flatMap((name) =>
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

test('the files of a registry are where connect-a-registry.md puts them, for the user of the processes, in containers, too', () => {
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
  const [ofAll = ''] = read('deploy/docker/compose.yaml').split('\nx-nameserver:')
  assert.match(ofAll, /^ {4}REGISTRIES: \$\{REGISTRIES:-\}$/m)
  assert.ok(ofAll.includes(`'${folder}:${folder}:ro'`))
})

test('every setting of an example or of compose.yaml is one that README.md has', () => {
  const documented = new Set([...read('README.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name))
  const inCompose = /environment: &settings\n((?: {4}\S.*\n)+)/.exec(read('deploy/docker/compose.yaml'))?.[1] ?? ''
  const names = [
    ...Object.keys(settingsOf('deploy/systemd/zonewright.env.example')),
    ...Object.keys(settingsOf('deploy/systemd/migrate.env.example')),
    ...[...inCompose.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name ?? ''),
  ]
  assert.ok(names.length > 20, `${names}`)
  assert.deepEqual(
    names.filter((name) => !documented.has(name)),
    [],
  )
})

/** The instructions of the Dockerfile, by stage; what is continued on further lines is one of them. */
function stagesOf(text: string): { from: string; name: string | undefined; steps: { word: string; rest: string }[] }[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: ReturnType<typeof stagesOf> = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    const [, from, name] = /^(\S+:\S+)(?: AS (\w+))?$/.exec(word === 'FROM' ? rest : '') ?? []
    if (from !== undefined) stages.push({ from, name, steps: [] })
    else stages.at(-1)?.steps.push({ word, rest })
  }
  return stages
}

test('the Dockerfile says what Docker knows, copies what is there, and its image runs as nobody in particular', () => {
  const stages = stagesOf(read('deploy/docker/Dockerfile'))
  const known = [
    'ARG',
    'CMD',
    'COPY',
    'ENTRYPOINT',
    'ENV',
    'HEALTHCHECK',
    'RUN',
    'STOPSIGNAL',
    'USER',
    'VOLUME',
    'WORKDIR',
  ]
  const steps = stages.flatMap((stage) => stage.steps)
  assert.deepEqual(
    steps.filter(({ word }) => !known.includes(word)),
    [],
  )
  const node = `node:${/>=(\d+)/.exec(JSON.parse(read('package.json')).engines.node)?.[1]}-`
  for (const { from } of stages) assert.ok(from.startsWith(node), `${from} is not the Node of package.json`)
  const copied = steps.filter(({ word, rest }) => word === 'COPY' && rest.startsWith('--from=packages'))
  assert.ok(copied.length >= 5)
  for (const { rest } of copied) {
    const [, from = '', source = ''] = /^--from=(\w+) \/opt\/zonewright\/(\S+) /.exec(rest) ?? []
    assert.ok(
      stages.some(({ name }) => name === from),
      rest,
    )
    assert.ok(existsSync(join(root, source)), rest)
  }
  const last = stages.at(-1)?.steps ?? []
  assert.deepEqual(
    last.filter(({ word }) => word === 'USER').map(({ rest }) => rest),
    ['node'],
  )
  for (const { word, rest } of last)
    if (word === 'CMD') for (const file of JSON.parse(rest)) assert.ok(existsSync(join(root, file)), file)
  assert.deepEqual(
    last.slice(-1).map(({ word }) => word),
    ['CMD'],
  )
})

test('nobody else on the machine reads what containers are given, and their own users can; no tracked file is changed', (t) => {
  const machine = machineAfter(t, 'With containers')
  const docker = join(machine, 'opt/zonewright/deploy/docker')
  const modeOf = (file: string): number => statSync(join(docker, file)).mode & 0o777
  assert.deepEqual(['.', '.env', 'tsig.key'].map(modeOf), [0o700, 0o600, 0o644])
  const { TSIG_KEY: key } = settingsOf('deploy/docker/env.example')
  assert.equal(readFileSync(join(docker, 'tsig.key'), 'utf8'), `${key}\n`)
  const ignored = read('.gitignore').split('\n')
  for (const file of globSync('**/*', { cwd: join(machine, 'opt/zonewright/deploy') })) {
    const made = join(machine, 'opt/zonewright/deploy', file)
    if (statSync(made).isDirectory()) continue
    if (!ignored.includes(`deploy/${file}`)) assert.equal(readFileSync(made, 'utf8'), read(`deploy/${file}`), file)
  }
})

/** The part of compose.yaml about one service. */
function serviceInCompose(name: string): string {
  const [, part = ''] =
    new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(read('deploy/docker/compose.yaml')) ?? []
  return part
}

test('nginx finds in its container what its configuration names, from a machine where certbot keeps the certificate of its own name', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-proxy-'))
  try {
    // certbot's layout: `live` has links into `archive`, by which the latest one is found.
    const machine = machineAfter(t, 'With containers')
    const name = 'zones.example.org'
    const docker = join(machine, 'opt/zonewright/deploy/docker')
    const env = join(docker, '.env')
    writeFileSync(env, readFileSync(env, 'utf8').replace('https://dns.example.net', `https://${name}`))
    execFileSync(join(docker, 'prepare.sh'))
    const letsencrypt = join(machine, 'etc/letsencrypt')
    for (const folder of ['live', 'archive']) mkdirSync(join(letsencrypt, folder, name), { recursive: true })
    for (const pem of ['fullchain', 'privkey']) {
      writeFileSync(join(letsencrypt, `archive/${name}/${pem}1.pem`), '')
      const link = join(letsencrypt, `live/${name}/${pem}.pem`)
      symlinkSync(`../../archive/${name}/${pem}1.pem`, link)
    }
    mkdirSync(join(machine, 'var/www/acme'), { recursive: true })

    const container = join(place, 'container')
    const given = settingsOf('deploy/docker/env.example')
    const mounts = serviceInCompose('proxy').replace(/\$\{(\w+):[^}]*\}/g, (_, setting) => given[setting] ?? '')
    for (const [, source = '', target = ''] of mounts.matchAll(/^ +- ([./]\S+?):(\/\S+?):ro$/gm))
      cpSync(join(source.startsWith('/') ? machine : docker, source), join(container, target), {
        recursive: true,
        verbatimSymlinks: true,
      })
    const folder = join(container, 'etc/nginx/conf.d')
    assert.deepEqual(readdirSync(folder).sort(), ['upstream.conf', 'zonewright.conf'])
    const config = readFileSync(join(folder, 'zonewright.conf'), 'utf8')
    assert.deepEqual(
      [...config.matchAll(/\bserver_name (\S+);/g)].map(([, shown]) => shown),
      [name, name],
    )
    assert.ok(!config.includes('dns.example.net'))
    const named = [...config.matchAll(/\b(?:ssl_certificate|ssl_certificate_key|root) (\/[^;]+);/g)]
    assert.equal(named.length, 3)
    for (const [, path = ''] of named) assert.ok(existsSync(join(container, path)), path)
  } finally {
    rmSync(place, { recursive: true })
  }
})

test('the doctor is asked in a container that runs as the processes do and knows where the primary is', () => {
  const [, container = ''] =
    /^docker compose exec (\w+) node service\/bin\/admin\.ts doctor\b/m.exec(read('docs/runbooks/deploy.md')) ?? []
  const part = serviceInCompose(container)
  assert.match(part, /^ +PRIMARY_LISTEN: \S/m, container)
  assert.doesNotMatch(part, /DATABASE_URL/, 'it is that of the settings that all have')
  assert.match(read('deploy/docker/compose.yaml'), /&settings\n +DATABASE_URL: postgres:\/\/zonewright_service:/)
})

test('no container is given an address that another one has for itself', () => {
  const compose = read('deploy/docker/compose.yaml')
  const [, subnet = '', range = ''] = /subnet: (\S+?), ip_range: (\S+) /.exec(compose) ?? []
  const [network, given] = [subnet, range].map((text) => {
    const [address = '', bits = ''] = text.split('/')
    const block = new BlockList()
    block.addSubnet(address, Number(bits))
    return block
  })
  const own = [...compose.matchAll(/ipv4_address: ([0-9.]+)/g)].map(([, address = '']) => address)
  assert.equal(new Set(own).size, 9)
  for (const address of own) assert.deepEqual([network?.check(address), given?.check(address)], [true, false], address)
})

test('every unit and container that a page names is there', () => {
  const units = globSync('zonewright-*.{service,timer}', { cwd: join(root, 'deploy/systemd') })
  const containers = [...read('deploy/docker/compose.yaml').matchAll(/^ {2}([a-z0-9-]+):$/gm)].map(([, name]) => name)
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

test('what the page for the worst day says of systemd and containers is what deploy/ has', () => {
  const page = read('docs/runbooks/what-to-do-when-it-breaks.md')
  const [, table = ''] = /^\| `npm start` \| with systemd(.*?)\n\n/ms.exec(page) ?? []
  const ports = [18081, 18082, 19001, 19002, 19300, 9153].map(String)
  const figures = table.split('\n').find((line) => line.startsWith('| figures')) ?? ''
  assert.deepEqual(
    figures.match(/\b\d{4,5}(?=[,;) ])/g)?.filter((port) => ports.includes(port)),
    ports,
  )
  for (const [name, port] of [
    ['api-1', 8080],
    ['api-2', 8080],
    ['primary', ' -p 5300'],
  ]) {
    const address = /ipv4_address: ([0-9.]+)/.exec(serviceInCompose(`${name}`))?.[1]
    assert.ok(table.includes(typeof port === 'number' ? `${address}:${port}` : `${address}${port}`), `${name}`)
  }
  // Each log that the page names is there for the others, too.
  for (const [, log = ''] of page.matchAll(/`(\w+\.log)`/g))
    if (!['receiver.log', 'mailbox.log'].includes(log)) assert.ok(table.includes(`\`${log}\``), log)
})

/** The Prometheus configurations of docs/metrics.md: whom each asks, by job. */
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

test('Prometheus asks every process of both machines, and each nameserver, where the units and pages have their figures served', (t) => {
  const machine = machineAfter(t, 'With systemd')
  const page = read('docs/runbooks/deploy.md')
  const [, ...started] = page.split('systemctl enable --now ')
  const instances = started.flatMap((line) => line.split('\n')[0]?.split(' ') ?? [])
  assert.equal(instances.length, 6)
  const listens = instances
    .filter((unit) => unit !== 'zonewright-nameserver')
    .map((unit) => {
      const [name = '', instance = ''] = unit.split(/(?<=@)/)
      const more = readFileSync(join(machine, `etc/systemd/system/${name}.service.d/metrics.conf`), 'utf8')
      return /METRICS_LISTEN=(\S+)/.exec(more)?.[1]?.replace('%i', instance) ?? ''
    })
  const machines =
    settingsOf('deploy/systemd/nameserver.env.example')['NAMESERVER_FLAGS']?.match(/(?<=--primary )[0-9.]+/g) ?? []
  assert.deepEqual(machines, ['192.0.2.1', '192.0.2.2'])
  const [bySystemd = {}] = scraped()
  assert.deepEqual(Object.keys(bySystemd), ['zonewright-service', 'zonewright-nameservers'])
  assert.deepEqual(
    bySystemd['zonewright-service']?.toSorted(),
    machines.flatMap((address) => listens.map((listen) => listen.replace('192.0.2.1:', `${address}:`))).toSorted(),
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

test('Prometheus asks every container of ours for its figures, at its own address and the port where they are served', () => {
  const compose = read('deploy/docker/compose.yaml')
  assert.match(compose, /METRICS_LISTEN: 0\.0\.0\.0:9100\n/)
  assert.match(compose, /--metrics=0\.0\.0\.0:9100\n/)
  const [, byCompose = {}] = scraped()
  for (const [job, kind] of [
    ['zonewright-service', 'service'],
    ['zonewright-nameservers', 'nameserver'],
  ] as const) {
    const names = [...compose.matchAll(new RegExp(`^ {2}(\\S+):\\n {4}<<: \\*${kind}$`, 'gm'))].map(
      ([, name = '']) => name,
    )
    const at = names
      .filter((name) => name !== 'migrate')
      .map((name) => `${/ipv4_address: ([0-9.]+)/.exec(serviceInCompose(name))?.[1]}:9100`)
    assert.deepEqual(byCompose[job]?.toSorted(), at.toSorted(), job)
  }
})

test('what compose.yaml runs and mounts is there', () => {
  const compose = read('deploy/docker/compose.yaml')
  const programs = [...compose.matchAll(/\b((?:service|nameserver)\/bin\/\S+?\.ts)/g)].map(([, file = '']) => file)
  assert.deepEqual([...new Set(programs)].sort(), [
    'nameserver/bin/nameserver.ts',
    ...['api', 'migrate', 'primary', 'worker'].map((part) => `service/bin/${part}.ts`),
  ])
  for (const [, file = ''] of compose.matchAll(/- (\.\.?\/\S+?):\//g))
    assert.ok(existsSync(join(root, 'deploy/docker', file)), file)
  const given = new Set(Object.keys(settingsOf('deploy/docker/env.example')))
  const needed = [...compose.matchAll(/\$\{([A-Z0-9_]+):\?\}/g)].map(([, name = '']) => name)
  assert.deepEqual(
    needed.filter((name) => !given.has(name)),
    [],
  )
})

test('compose.yaml hands on every setting, and the service takes them as they are, with the defaults of README.md', () => {
  const [, block = ''] = /environment: &settings\n((?: {4}\S.*\n)+)/.exec(read('deploy/docker/compose.yaml')) ?? []
  const given = settingsOf('deploy/docker/env.example')
  const settings = Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', text = '']) => [
      name,
      text
        .replace(/^'(.*)'$/, '$1')
        .replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, from: string, fallback: string) => given[from] ?? fallback),
    ]),
  )
  // Of the image, of one container alone, or for tests.
  const others = ['DATA_DIR', 'DASHBOARD_DIR', 'DATABASE_ROLE', 'PRIMARY_LISTEN', 'PAYSTACK_URL']
  const configuration = read('README.md').split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? ''
  const documented = [...configuration.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name)
  assert.ok(documented.length > 20)
  assert.deepEqual(
    documented.filter((name) => !others.includes(name) && settings[name] === undefined && !name.startsWith('SANDBOX_')),
    [],
  )
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-compose-'))
  try {
    const taken = readConfiguration({ ...settings, DATA_DIR: dataDir })
    const usual = readConfiguration({ DATA_DIR: dataDir })
    for (const name of [
      'freeParents',
      'verificationResolver',
      'delegationResolver',
      'webhookResolver',
      'webhookTrustedTargets',
      'webhookCaFile',
      'resolvers',
      'rdapBootstrap',
      'presetsDir',
      'logLevel',
    ] as const)
      assert.deepEqual(taken[name], usual[name], name)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('containers are replaced one after the other, never two of a kind at once, and no further than one that does not come up', (t) => {
  const machine = machineAfter(t, 'With containers')
  const place = mkdtempSync(join(tmpdir(), 'zonewright-replace-'))
  t.after(() => rmSync(place, { recursive: true }))
  const said = join(place, 'said')
  writeFileSync(join(place, 'docker'), '#!/bin/sh\necho "$*" >> "$SAID"\n[ "$6" != "$BROKEN" ]\n', { mode: 0o755 })
  const replaced = (broken: string): (string | undefined)[] => {
    writeFileSync(said, '')
    const env = { PATH: `${place}:${process.env['PATH']}`, SAID: said, BROKEN: broken }
    const { status } = spawnSync(join(machine, 'opt/zonewright/deploy/docker/replace.sh'), { env })
    assert.equal(status === 0, broken === 'none')
    const commands = readFileSync(said, 'utf8').trim().split('\n')
    const reload = 'compose exec -T proxy nginx -s reload'
    assert.equal(commands.includes(reload), broken === 'none')
    return commands
      .filter((command) => command !== reload)
      .map((command) => /^compose up --detach --no-deps --wait (\S+)$/.exec(command)?.[1])
  }
  const all = replaced('none')
  const ours = [...read('deploy/docker/compose.yaml').matchAll(/^ {2}(\S+):\n {4}<<: \*(?:service|nameserver)$/gm)]
  assert.deepEqual(
    all.toSorted(),
    ours
      .map(([, name]) => name)
      .filter((name) => name !== 'migrate')
      .toSorted(),
  )
  assert.deepEqual(replaced('api-2'), ['api-1', 'api-2'])
})

test('with systemd, too: units are restarted in turn, machines as well, and no further than one that does not come up', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-restart-'))
  t.after(() => rmSync(place, { recursive: true }))
  const said = join(place, 'said')
  const units = ['api@8081', 'api@8082', 'worker@19001', 'worker@19002', 'primary'].map(
    (unit) => `zonewright-${unit}.service`,
  )
  const listed = units.map((unit) => `${unit} loaded active running Zonewright`).join('\n')
  const standIn = (name: string, script: string) =>
    writeFileSync(join(place, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  standIn(
    'systemctl',
    `if [ "$1" = restart ]; then echo "$2" >> "$SAID"; [ "$2" != "$BROKEN" ]; exit; fi
for pattern; do :; done
echo "$LISTED" | while read -r unit rest; do case "$unit" in $pattern) echo "$unit $rest" ;; esac; done`,
  )
  standIn('ssh', 'echo "$*" >> "$SAID"; [ "$1" != "$BROKEN" ]')
  const script = join(root, 'deploy/systemd/restart.sh')
  const done = (command: string, broken: string, here = listed): string[] => {
    writeFileSync(said, '')
    const env = { PATH: `${place}:${process.env['PATH']}`, SAID: said, BROKEN: broken, LISTED: here }
    const { status } = spawnSync('sh', ['-c', command], { env })
    const lines = readFileSync(said, 'utf8').trim().split('\n')
    // The loop over machines tells of a failure by ending.
    if (command === script) assert.equal(status === 0, broken === 'none')
    return lines
  }
  assert.deepEqual(done(script, 'none'), units)
  assert.deepEqual(done(script, units[1] ?? ''), units.slice(0, 2))
  assert.deepEqual(done(script, 'because nothing runs here', ''), [''])

  const [, loop = ''] = /^( +for machine in .*?done)$/ms.exec(read('docs/runbooks/deploy.md')) ?? []
  const machines = ['service2', 'service1', 'ns1', 'ns2'].map(
    (machine) => `root@${machine} /opt/zonewright/deploy/systemd/restart.sh`,
  )
  assert.deepEqual(done(loop, 'none'), machines)
  assert.deepEqual(done(loop, 'root@ns1'), machines.slice(0, 3))
})

test('a container has as long to come up as a unit of systemd, which has less than systemd gives a start by itself', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: root }).map(read)
  const posts = units.flatMap((unit) => unit.match(/(?<=^ExecStartPost=.* )\d+$/gm) ?? [])
  assert.deepEqual(posts, ['60', '60', '60', '60'])
  const periods = read('deploy/docker/compose.yaml').match(/(?<=start_period: )\d+(?=s$)/gm)
  assert.deepEqual(periods, ['60', '60'])
})

test('nginx asks the APIs of compose.yaml where they are, and PostgreSQL keeps its log where the copies are', () => {
  const upstream = [...read('deploy/docker/proxy/upstream.conf').matchAll(/^ +server (\S+):8080 max_fails=0;$/gm)]
  const addresses = ['api-1', 'api-2'].map((name) => /ipv4_address: ([0-9.]+)/.exec(serviceInCompose(name))?.[1])
  assert.deepEqual(
    upstream.map(([, address]) => address),
    addresses,
  )
  const postgres = serviceInCompose('postgres')
  const [, script = '', archive = ''] = /archive_command=(\S+) (\S+) %p %f$/m.exec(postgres) ?? []
  assert.match(postgres, new RegExp(`- \\.\\./backup:${script.replace(/\/[^/]+$/, '')}:ro$`, 'm'))
  assert.match(postgres, new RegExp(`:${archive}$`, 'm'))
  for (const [, name = '', at = ''] of read('docs/runbooks/back-up-and-restore.md').matchAll(
    /(\/opt\/\S+\.sh) (\/\S+)/g,
  )) {
    assert.ok(existsSync(join(root, name.replace('/opt/zonewright/', ''))), name)
    assert.equal(at, archive)
  }
})

test('an upgrade of containers has a folder that PostgreSQL can write its log to, and leaves no container of old code', () => {
  const [, upgrade = ''] = read('docs/runbooks/deploy.md').split('## Upgrade\n')
  const [, steps = ''] = upgrade.split('## Roll back\n')[0]?.split('With containers, ') ?? []
  const [, first = '', ...others] = steps.split(/^\d\. /m)
  const [, folder = 'none'] = /\$\{BACKUPS:-([^}]+)\}/.exec(serviceInCompose('postgres')) ?? []
  assert.ok(first.includes(`install -d -o 999 -g 999 -m 0700 ${folder}`), first)
  assert.match(others.at(-1) ?? '', /^`docker compose up --detach --remove-orphans`/)
})
