// deploy/docker, without third-party programs: compose.yaml, what is mounted, and the scripts.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
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
import test from 'node:test'
import { readConfiguration } from '@zonewright/service/configuration'
import { addressOf, compose, containersOf, partOf, read, root, settingsInCompose, settingsOf } from './files.ts'
import { machineAfter, standIn } from './machine.ts'

test('only the containers’ users can read the containers’ secrets, and no tracked file is changed', (t) => {
  const machine = machineAfter(t, 'With containers')
  const docker = join(machine, 'opt/zonewright/deploy/docker')
  const modeOf = (file: string): number => statSync(join(docker, file)).mode & 0o777
  assert.deepEqual(['.', '.env', 'tsig.key'].map(modeOf), [0o700, 0o600, 0o644])
  const { TSIG_KEY: key } = settingsOf('deploy/docker/env.example')
  assert.equal(readFileSync(join(docker, 'tsig.key'), 'utf8'), `${key}\n`)
  const other = 'hmac-sha256:former:b3RoZXI='
  const env = readFileSync(join(docker, '.env'), 'utf8')
  for (const [fallback, lines] of [
    [other, `${key}\n${other}\n`],
    ['', `${key}\n`],
  ] as const) {
    writeFileSync(join(docker, '.env'), `${env}TSIG_KEY_FALLBACK=${fallback}\n`)
    execFileSync('sh', [join(docker, 'prepare.sh')])
    assert.equal(readFileSync(join(docker, 'tsig.key'), 'utf8'), lines)
  }
  writeFileSync(join(docker, '.env'), env)
  const ignored = read('.gitignore').split('\n')
  for (const file of globSync('**/*', { cwd: join(machine, 'opt/zonewright/deploy') })) {
    const made = join(machine, 'opt/zonewright/deploy', file)
    if (statSync(made).isDirectory()) continue
    if (!ignored.includes(`deploy/${file}`)) assert.equal(readFileSync(made, 'utf8'), read(`deploy/${file}`), file)
  }
})

test('the programs and files that compose.yaml runs and mounts exist', () => {
  const programs = [...compose.matchAll(/\b((?:service|nameserver)\/bin\/\S+?\.ts)/g)].map(([, file = '']) => file)
  assert.deepEqual([...new Set(programs)].sort(), [
    'nameserver/bin/nameserver.ts',
    ...['api', 'dns-door', 'migrate', 'primary', 'worker'].map((part) => `service/bin/${part}.ts`),
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

test('compose.yaml passes on every setting, and the service accepts them, with the defaults of configuration.md', () => {
  const given = settingsOf('deploy/docker/env.example')
  const settings = Object.fromEntries(
    Object.entries(settingsInCompose()).map(([name, text]) => [
      name,
      text
        .replace(/^'(.*)'$/, '$1')
        .replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, from: string, fallback: string) => given[from] ?? fallback),
    ]),
  )
  // Settings of the image, of only one container, or for tests.
  const others = [
    'DATA_DIR',
    'DASHBOARD_DIR',
    'DATABASE_ROLE',
    'DATABASE_DOCTOR_ROLE',
    'PRIMARY_LISTEN',
    'DOOR_LISTEN',
    'DOOR_TLS_LISTEN',
    'PAYSTACK_URL',
    // Settings of a door without SECRET_KEY, which runs on a separate machine.
    'DATABASE_DOOR_ROLE',
    'DOOR_KEY',
    'DOOR_KEY_FALLBACK',
  ]
  const configuration = read('docs/reference/configuration.md').split('\n## ')[0] ?? ''
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
      'webhookSourceAddresses',
      'resolvers',
      'rdapBootstrap',
      'presetsDir',
      'domainConnect',
      'domainConnectDir',
      'brand',
      'logLevel',
    ] as const)
      assert.deepEqual(taken[name], usual[name], name)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

/** Settings that .env cannot change, with the reason. */
const fixedInCompose: Readonly<Record<string, string>> = {
  DATABASE_URL: 'PostgreSQL is one of the containers; its password is from .env',
  HTTP_LISTEN: 'nginx finds the APIs there',
  METRICS_LISTEN: 'Prometheus and the healthchecks ask there',
  METRICS_TARGETS: 'the containers have these addresses',
  TRUSTED_PROXIES: 'nginx is one of the containers',
  DRAIN_SECONDS: 'as nginx and stop_grace_period of the same file want it',
}

test('.env can set each setting of compose.yaml by its own name, except those that the containers themselves decide', () => {
  const settings = Object.entries(settingsInCompose())
  assert.ok(settings.length > 20)
  const others = settings.filter(([name, text]) => !new RegExp(`^\\$\\{${name}:[-?][^}]*\\}$`).test(text))
  assert.deepEqual(
    others.map(([name]) => name),
    Object.keys(fixedInCompose),
  )
})

test('.env lists nameservers on other machines, which reach the primaries only if it sets PRIMARY_ADDRESS', () => {
  const { NAMESERVERS: shown = '' } = settingsOf('deploy/docker/env.example')
  const ours = ['ns1', 'ns2'].map((name) => `${name}.example.net=${addressOf(name)}:5353`)
  assert.equal(shown, ours.join())
  for (const [container, port] of [
    ['primary', 5300],
    ['standby', 5301],
  ] as const) {
    const [, listen] = /PRIMARY_LISTEN: \S+:(\d+)$/m.exec(partOf(container)) ?? []
    const published = ['udp', 'tcp'].map((way) => `'\${PRIMARY_ADDRESS:-127.0.0.1}:${port}:${listen}/${way}'`)
    assert.ok(partOf(container).includes(`ports: [${published.join(', ')}]`), container)
  }
  const page = read('docs/runbooks/secondaries.md').split('## With containers\n')[1]?.split('\n## ')[0] ?? ''
  for (const word of ['`NAMESERVERS`', '`PRIMARY_ADDRESS`', 'port 5300', '5301', '`./replace.sh`'])
    assert.ok(page.includes(word), word)
})

test('only nginx is trusted for client addresses; ports are IPv4 only, because Docker hides IPv6 addresses', () => {
  assert.equal(settingsInCompose()['TRUSTED_PROXIES'], addressOf('proxy'))
  const published = [...compose.matchAll(/ports: \[(.*)\]/g)].flatMap(([, list = '']) => list.split(', '))
  assert.ok(published.length > 6)
  for (const port of published) assert.match(port, /^'(?:0\.0\.0\.0|\$\{\w+_ADDRESS:[-?][^}]*\}):/)
})

test('the log of every container has a size limit', () => {
  const [, kept = ''] = /&logging\n((?: {2}.*\n)+)/.exec(compose) ?? []
  assert.match(kept, /max-size: \d+m, max-file: '\d+'/)
  const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nsecrets:\n'))
  const parts = [...services.matchAll(/^ {2}(\S+):$/gm)].map(([, name = '']) => name)
  assert.ok(parts.length >= 10, parts.join())
  for (const name of parts) assert.match(partOf(name), /<<: \*(?:service|nameserver)|logging: \*logging/, name)
})

test('every container has a memory limit, the same as that of the corresponding unit', () => {
  const limitOf = (text: string): string | undefined => /^ +mem_limit: (\d+[mg])$/m.exec(text)?.[1]
  const usual = { service: '', nameserver: '' }
  for (const name of ['service', 'nameserver'] as const) {
    const [, block = ''] = new RegExp(`^x-${name}: &${name}\\n((?: .*\\n)+)`, 'm').exec(compose) ?? []
    usual[name] = limitOf(block) ?? assert.fail(name)
  }
  const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nsecrets:\n'))
  const parts = [...services.matchAll(/^ {2}(\S+):$/gm)].map(([, name = '']) => name)
  assert.ok(parts.length >= 10)
  const limits = Object.fromEntries(
    parts.map((name) => {
      const [, kind] = /^ {4}<<: \*(service|nameserver)$/m.exec(partOf(name)) ?? []
      return [name, limitOf(partOf(name)) ?? usual[kind as keyof typeof usual] ?? assert.fail(name)]
    }),
  )
  const ofUnit = (unit: string) =>
    /^MemoryMax=(\S+)$/m.exec(read(`deploy/systemd/zonewright-${unit}.service`))?.[1]?.toLowerCase()
  for (const [container = '', unit = ''] of [
    ['api-1', 'api@'],
    ['api-2', 'api@'],
    ['worker-1', 'worker@'],
    ['worker-2', 'worker@'],
    ['primary', 'primary'],
    ['standby', 'primary'],
    ['dns-door', 'dns-door'],
  ])
    assert.equal(limits[container], ofUnit(unit), container)
})

test('Docker assigns no container the fixed address of another one', () => {
  const [, subnet = '', range = ''] = /subnet: (\S+?), ip_range: (\S+) /.exec(compose) ?? []
  const [network, given] = [subnet, range].map((text) => {
    const [address = '', bits = ''] = text.split('/')
    const block = new BlockList()
    block.addSubnet(address, Number(bits))
    return block
  })
  const own = [...compose.matchAll(/ipv4_address: ([0-9.]+)/g)].map(([, address = '']) => address)
  assert.equal(new Set(own).size, 11)
  for (const address of own) assert.deepEqual([network?.check(address), given?.check(address)], [true, false], address)
})

test('the doctor runs in a container with the settings of the processes and the address of the primary', () => {
  const [, container = ''] =
    /^docker compose exec (\w+) node service\/bin\/admin\.ts doctor\b/m.exec(read('docs/runbooks/deploy.md')) ?? []
  const part = partOf(container)
  assert.match(part, /^ +PRIMARY_LISTEN: \S/m, container)
  assert.doesNotMatch(part, /DATABASE_URL/, 'it is that of the settings that all have')
  assert.match(compose, /&settings\n +DATABASE_URL: postgres:\/\/zonewright_service:/)
})

test('nginx finds in its container every file that its configuration names, and the certificate of its own name', (t) => {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-proxy-'))
  try {
    // certbot's layout: `live` has links into `archive`, which lead to the latest one.
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
    const mounts = partOf('proxy').replace(/\$\{(\w+):[^}]*\}/g, (_, setting) => given[setting] ?? '')
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

test('nginx uses the addresses of the APIs in compose.yaml, and PostgreSQL keeps its log next to the copies', () => {
  // It is the same as the one for machines, with these APIs.
  const ofMachines = directivesOf(read('deploy/nginx/zonewright-upstream.conf'))
  const [first = '', second = ''] = ['api-1', 'api-2'].map((name) => `${addressOf(name)}:8080`)
  const ofContainers = ofMachines.map((line) => line.replace('127.0.0.1:8081', first).replace('127.0.0.1:8082', second))
  assert.deepEqual(directivesOf(read('deploy/docker/proxy/upstream.conf')), ofContainers)
  assert.deepEqual(
    ofContainers.flatMap((line) => /^server (\S+)/.exec(line)?.[1] ?? []),
    // The second list is for streams of updates.
    [first, second, first, first, second],
  )
  const postgres = partOf('postgres')
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

test('containers are replaced one at a time, until one fails to come up', (t) => {
  const machine = machineAfter(t, 'With containers')
  const place = mkdtempSync(join(tmpdir(), 'zonewright-replace-'))
  t.after(() => rmSync(place, { recursive: true }))
  const said = join(place, 'said')
  standIn(place, 'docker', 'echo "$*" >> "$SAID"; for part; do :; done; [ "$part" != "$BROKEN" ]')
  const replaced = (broken: string): (string | undefined)[] => {
    writeFileSync(said, '')
    const env = { PATH: `${place}:${process.env['PATH']}`, SAID: said, BROKEN: broken }
    const { status } = spawnSync(join(machine, 'opt/zonewright/deploy/docker/replace.sh'), { env })
    assert.equal(status === 0, broken === 'none')
    const commands = readFileSync(said, 'utf8').trim().split('\n')
    const reload = 'compose exec -T proxy nginx -s reload'
    assert.equal(commands.includes(reload), broken === 'none')
    return (
      commands
        .filter((command) => command !== reload)
        // For compose, a new key in the file does not change a nameserver's container.
        .map(
          (command) =>
            /^compose up --detach --no-deps --wait (?:--force-recreate (?=ns)|(?!ns))(\S+)$/.exec(command)?.[1],
        )
    )
  }
  assert.deepEqual(replaced('none').toSorted(), containersOf('service', 'nameserver').toSorted())
  assert.deepEqual(replaced('api-2'), ['api-1', 'api-2'])
  assert.deepEqual(replaced('ns1').at(-1), 'ns1')
})

test('an upgrade of containers makes a folder for PostgreSQL’s log, and leaves no container of old code', () => {
  const [, upgrade = ''] = read('docs/runbooks/deploy.md').split('## Upgrade\n')
  const [, steps = ''] = upgrade.split('\n## ')[0]?.split('With containers, ') ?? []
  const [, first = '', ...others] = steps.split(/^\d\. /m)
  const [, folder = 'none'] = /\$\{BACKUPS:-([^}]+)\}/.exec(partOf('postgres')) ?? []
  assert.ok(first.includes(`install -d -o 999 -g 999 -m 0700 ${folder}`), first)
  assert.match(others.at(-1) ?? '', /^`docker compose up --detach --remove-orphans`/)
})

test('a restore of containers stops at a command that fails, and moves serials once PostgreSQL accepts writes', (t) => {
  const [, restore = ''] = read('docs/runbooks/back-up-and-restore.md').split('### With containers, step by step\n')
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(restore) ?? []
  const place = mkdtempSync(join(tmpdir(), 'zonewright-restore-'))
  t.after(() => rmSync(place, { recursive: true }))
  const said = join(place, 'said')
  standIn(
    place,
    'docker',
    'echo "$*" | tr "\\n" " " >> "$SAID"; echo >> "$SAID"; [ "$(wc -l < "$SAID")" != "$BROKEN" ]',
  )
  const commandsUntil = (broken: number): string[] => {
    writeFileSync(said, '')
    const script = block.replace('/opt/zonewright/deploy/docker', join(root, 'deploy/docker'))
    const env = { PATH: `${place}:${process.env['PATH']}`, SAID: said, BROKEN: String(broken) }
    // As typed: no `set -e`.
    spawnSync('sh', ['-c', script], { env })
    return readFileSync(said, 'utf8').trim().split('\n')
  }
  const all = commandsUntil(0)
  const at = ['up --detach --no-deps --wait postgres', '/until-restored.sh', 'restore-serials', 'up --detach'].map(
    (part) => all.findIndex((command) => command.trim().endsWith(part)),
  )
  assert.deepEqual(at, [2, 3, 4, 5], block)
  for (let broken = 1; broken <= all.length; broken++) assert.equal(commandsUntil(broken).length, broken)
})

/** The settings in a file of nginx, one per line. */
function directivesOf(config: string): string[] {
  return config
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
