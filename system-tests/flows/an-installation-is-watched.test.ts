// What operators monitor: docs/metrics.md, the dashboard and the alerts of deploy/, and `admin.ts doctor` on a whole installation
// with faults.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routes } from '@zonewright/contract'
import pg from 'pg'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { eventually, nightlyTest, RegistryOffice, Shopper, worldForTests } from '../world/index.ts'

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string): string => readFileSync(inRepository(path), 'utf8')
const free = await freeAddresses()
const world = await worldForTests({ serviceRole: 'zonewright_service' })

/** Name, labels and help of the metrics of a process, without those of every Node.js process. */
async function figuresOf(url: string): Promise<Map<string, { help: string; labels: Set<string> }>> {
  const figures = new Map<string, { help: string; labels: Set<string> }>()
  for (const line of (await (await fetch(url)).text()).split('\n')) {
    const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/.exec(line) ?? []
    if (name !== '' && !/^(process|nodejs)_/.test(name)) figures.set(name, { help, labels: new Set() })
    const [, sample = '', labels = ''] = /^(\w+)\{(.*)\} /.exec(line) ?? []
    const figure = figures.get(sample.replace(/_(bucket|sum|count)$/, '')) ?? figures.get(sample)
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) if (label !== 'le') figure?.labels.add(label)
  }
  return figures
}

/** The tables of docs/metrics.md: name, labels, help. */
function documentedFigures(): Map<string, { labels: string[]; help: string }> {
  const rows = read('docs/metrics.md').matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$/gm)
  return new Map(
    [...rows].map(([, name = '', labels = '', help = '']) => [
      name,
      {
        labels: labels
          .split(',')
          .map((label) => label.trim())
          .filter((label) => label !== ''),
        help: help.trim(),
      },
    ]),
  )
}

/** The metrics of our nameserver, from the table in its README, which its own test compares with its registry. */
const ofNameservers = [...read('nameserver/README.md').matchAll(/^\| `(zonewright_nameserver_\w+)`/gm)].map(
  ([, name = '']) => name,
)

test('docs/metrics.md lists exactly the metrics that the service exports, with the same help texts', async () => {
  // Metrics with labels appear with the first thing that they count.
  await world.api.put(world.facts.zone.name, 'watched', 'A', ['192.0.2.1'])
  await world.received.waitFor('the event', ({ type }) => type === 'zone.records_changed')
  const told = await figuresOf(`${world.facts.base_url}/metrics`)
  const documented = documentedFigures()
  assert.deepEqual(
    [...documented].map(([name, { help }]) => `${name}: ${help}`).sort(),
    [...told].map(([name, { help }]) => `${name}: ${help}`).sort(),
  )
  for (const [name, { labels }] of told)
    for (const label of labels)
      assert.ok(documented.get(name)?.labels.includes(label), `${name} has the label ${label}`)
})

test('every metric that the Grafana dashboard, the alerts and the objectives use exists', () => {
  const known = new Set([...documentedFigures().keys(), ...ofNameservers])
  const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''))
  const board = JSON.parse(read('deploy/grafana/zonewright.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const asked = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const alerts = read('deploy/prometheus/zonewright.yml')
  const rules = [...alerts.matchAll(/^ {8}expr: (.*)$/gm)].map(([, expr = '']) => expr)
  const objectives = [...read('docs/reference/slo.md').matchAll(/^```promql\n(.*?)^```$/gms)].map(
    ([, expr = '']) => expr,
  )
  assert.ok(asked.length >= 12 && rules.length >= 10, `${asked.length} and ${rules.length}`)
  assert.equal(objectives.length, 5)
  const namesIn = (expr: string): string[] => expr.match(/\b(?:zonewright|webhook|mails?)_\w+/g) ?? []
  for (const expr of [...asked, ...rules, ...objectives]) {
    const names = namesIn(expr)
    assert.deepEqual(
      names.filter((name) => !isKnown(name)),
      [],
      expr,
    )
    assert.ok(names.length > 0 || /\bup\b|process_/.test(expr), expr)
  }
  const figuresIn = (exprs: readonly string[]): Set<string> =>
    new Set(exprs.flatMap(namesIn).map((name) => name.replace(/_bucket$/, '_count')))
  const onBoard = figuresIn(asked)
  assert.deepEqual(
    [...figuresIn(rules)].filter((name) => !onBoard.has(name)),
    [],
    'what an alert is about is on the board',
  )
  const runbook = read('docs/metrics.md')
  for (const [, alert = ''] of alerts.matchAll(/- alert: (\w+)/g))
    assert.ok(runbook.includes(`\`${alert}\``), `${alert} is explained`)
})

test('the routes that an alert excludes, and those that an objective covers, exist in the API', () => {
  const known = new Set(Object.values(routes).map(({ id }) => id))
  const [, leftOut = ''] = /route!~"([^"]+)"/.exec(read('deploy/prometheus/zonewright.yml')) ?? []
  assert.ok(leftOut.split('|').length > 10, leftOut)
  assert.deepEqual(
    leftOut.split('|').filter((id) => !known.has(id)),
    [],
  )
  const [, covered = ''] = /route=~"([^"]+)"/.exec(read('docs/reference/slo.md')) ?? []
  assert.ok(covered.split('|').length > 5, covered)
  assert.deepEqual(
    covered.split('|').filter((id) => !known.has(id)),
    [],
  )
})

test("one zone's broken parent does not raise the alert of our own resolver and firewall", () => {
  const [, rule = ''] =
    /alert: ZonewrightDelegationChecksFail\n +expr: (.*)/.exec(read('deploy/prometheus/zonewright.yml')) ?? []
  const [failing, most] = /outcome[^}]+\}.* > (\d+)$/.exec(rule) ?? []
  assert.deepEqual(new Set(failing?.match(/outcome[^}]+/g)), new Set(['outcome=~"no_parent|timeout"']))
  // The most frequent check is that of a new zone that waits, every 5 minutes, and the rule covers 30 minutes.
  assert.ok(Number(most) > 30 / 5, rule)
})

interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  readonly says: string
  readonly advice?: string
}

/** The findings of the doctor. `settings` replace those of the service. */
function doctor(env: Readonly<Record<string, string>> = {}): Promise<{ code: number; findings: Finding[] }> {
  return doctorIn({ ...process.env, ...world.env, ...env })
}

function doctorIn(env: NodeJS.ProcessEnv): Promise<{ code: number; findings: Finding[] }> {
  return new Promise((resolve, reject) => {
    const args = ['--disable-warning=ExperimentalWarning', inRepository('service/bin/admin.ts'), 'doctor', '--json']
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code)
      if (stdout === '') reject(new Error(stderr))
      else resolve({ code, findings: JSON.parse(stdout) })
    })
  })
}

const broken = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ level, says }) => (level === 'fault' ? [says] : []))

test('the doctor reports no problem with a healthy installation', async () => {
  const findings = await eventually('it finds nothing else', async () => {
    const found = await doctor()
    assert.deepEqual([found.code, found.findings.filter(({ level }) => level !== 'ok')], [0, []])
    return found.findings
  })
  const all = findings.map(({ says }) => says).join('\n')
  const watched = new Set(read('deploy/prometheus/zonewright.yml').match(/\w+_oldest_\w+_seconds/g))
  assert.match(all, new RegExp(`None of ${watched.size} queues is late`), 'each that an alert watches')
  for (const what of [
    /role zonewright_service has exactly the rights/,
    /clock/,
    /SECRET_KEY opens/,
    /queues/,
    /primary is the leader/,
    /DNS door at .* responds, and checks the signatures of API keys/,
    /ns1/,
    /ns2/,
    /mail server/,
    /registry \S+ accepts our login/,
    /card gateway/,
    /DELEGATION_RESOLVER .* finds the servers above/,
    /VERIFICATION_RESOLVER .* answers/,
    /ALIAS_RESOLVER .* answers/,
    /RESOLVERS .* answers/,
    /RDAP_BOOTSTRAP .* has the list/,
    /Every nameserver has an address/,
  ])
    assert.match(all, what)
})

test('next to npm start the doctor uses its settings automatically, unless others are set', async () => {
  const { PATH, HOME } = process.env
  const bare = { PATH, HOME, DATA_DIR: world.dataDir }
  assert.equal(statSync(join(world.dataDir, 'settings.json')).mode & 0o777, 0o600)
  await eventually('it finds nothing broken', async () => {
    const { code, findings } = await doctorIn(bare)
    assert.deepEqual([code, broken(findings)], [0, []])
    assert.match(findings.map(({ says }) => says).join('\n'), /Every nameserver has an address/)
    return true
  })
  const { findings } = await doctorIn({ ...bare, DELEGATION_RESOLVER: free.resolver })
  assert.match(broken(findings).join('\n'), /DELEGATION_RESOLVER \(.*\) does not find the servers above/)
})

const otherKey = Buffer.alloc(32, 7).toString('base64')

/** Wrong settings, and all faults that the doctor reports about them. */
const faults: readonly { env: Record<string, string>; says: readonly RegExp[] }[] = [
  { env: { DATABASE_URL: `postgres://nobody@${free.http}/none` }, says: [/database cannot be reached/] },
  {
    env: { NAMESERVERS: 'only-one=127.0.0.1:5301', HTTP_LISTEN: 'nowhere' },
    says: [/NAMESERVERS: at least two/, /HTTP_LISTEN: "nowhere"/],
  },
  {
    env: {
      SECRET_KEY: otherKey,
      TSIG_KEY: `hmac-sha256:zonewright-transfer:${otherKey}`,
      PUBLIC_URL: `http://${free.http}`,
      SMTP_URL: `smtp://${free.smtp}`,
      PAYSTACK_URL: `http://${free.gateway}`,
    },
    says: [
      /SECRET_KEY_FALLBACK is not set, but another key than SECRET_KEY sealed values in .*webhook_endpoints\.secrets \(1\)/,
      /primary at .* has another key/,
      /ns1\.zonewright\.test .* refuses our NOTIFY/,
      /cannot be reached: connect ECONNREFUSED/,
      /mail server refuses our connection: unreachable/,
      /card gateway does not respond/,
    ],
  },
  {
    env: { PRIMARY_LISTEN: free.primary, PUBLIC_URL: `https://${free.http}` },
    says: [/The primary does not respond at /, /certificate of https.* cannot be read/],
  },
  {
    env: {
      DELEGATION_RESOLVER: free.resolver,
      VERIFICATION_RESOLVER: free.resolver,
      WEBHOOK_RESOLVER: free.resolver,
      FREE_PARENTS: 'free.example.test',
      NAMESERVERS: (world.env['NAMESERVERS'] ?? '').replace('ns1.', 'unheard-of.'),
    },
    says: [
      /DELEGATION_RESOLVER \(.*\) does not find the servers above/,
      /VERIFICATION_RESOLVER \(.*\) does not answer/,
      /WEBHOOK_RESOLVER \(.*\) does not answer/,
      /FREE_PARENTS contains free\.example\.test, which is not a live zone/,
      /nameserver unheard-of\.zonewright\.test has no address in public DNS/,
    ],
  },
]

nightlyTest('the doctor reports each fault of the settings with what to do, and exits with 1', async () => {
  for (const { env, says } of faults) {
    const { code, findings } = await doctor(env)
    assert.equal(code, 1)
    for (const what of says) assert.match(broken(findings).join('\n'), what)
    for (const { level, advice } of findings) assert.equal(level === 'ok', advice === undefined)
  }
})

test('the doctor reports no address as ok if the resolvers do not answer or none is configured', async () => {
  const ofNames = async (resolvers: string): Promise<string[]> => {
    const { findings } = await doctor({ RESOLVERS: resolvers })
    return findings.filter(({ says }) => says.includes('public DNS')).map(({ level, says }) => `${level}: ${says}`)
  }
  assert.deepEqual(await ofNames(free.resolver), [
    'warning: The public DNS addresses of ns1.zonewright.test, ns2.zonewright.test could not be checked.',
  ])
  assert.deepEqual(await ofNames(''), [])
})

nightlyTest('the doctor reports what is down and what is behind, and when both have recovered', async () => {
  const { ns2, registry, service } = world.programs
  await ns2.stop()
  await registry.stop()
  await untilBroken(/ns2\.zonewright\.test .* does not answer/, /registry \S+ does not respond/)
  await ns2.start()
  await registry.start()
  await service.stop()
  await untilBroken(/No api and no worker and no primary is connected/, /No primary is the leader/)
  await service.start()
  await eventually('all is in order again', async () => (await doctor()).code === 0)
})

/** Waits until the doctor finds all these faults: PostgreSQL takes a moment to notice that a process has ended. */
async function untilBroken(...faults: readonly RegExp[]): Promise<void> {
  await eventually('the doctor finds it', async () => {
    const { code, findings } = await doctor()
    assert.equal(code, 1)
    for (const what of faults) assert.match(broken(findings).join('\n'), what)
    return true
  })
}

test('the doctor names a zone that a nameserver has stopped following', async () => {
  const { name } = world.facts.zone
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into zones_behind (zone_id, nameserver, serial, since)
       select id, 'ns2.zonewright.test', serial + 10, now() - interval '3 minutes' from zones where name = $1`,
      [name],
    )
    const { code, findings } = await doctor()
    assert.equal(code, 1)
    const finding = findings.find(({ says }) => says.includes('has stopped following'))
    assert.match(
      finding?.says ?? '',
      new RegExp(`^ns2\\.zonewright\\.test .* one zone: ${name} \\(serial \\d+, since 2`),
    )
    assert.match(finding?.advice ?? '', /A nameserver stops following a zone/)
    assert.ok(read('docs/runbooks/what-to-do-when-it-breaks.md').includes('## A nameserver stops following a zone'))
    await client.query('delete from zones_behind')
  } finally {
    await client.end()
  }
  assert.equal((await doctor()).code, 0)
})

test('the doctor reports an order that an empty registry account delays, and says what to do', async () => {
  const { account } = world.facts
  await world.admin('credit', 'grant', account.email, '5000000', 'for the watch')
  const [shopper, office] = [await Shopper.at(world), await RegistryOffice.of(world)]
  await office.behave('domain:create', 'held-up.test', { code: 2104 })
  const { id } = await shopper.order('held-up.test', { order: { use_credit: true } })
  await office.untilSent('held-up.test', 'domain:create')
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client
    .query(`update orders set paid_at = paid_at - interval '3700 seconds' where id = $1`, [id])
    .finally(() => client.end())
  const { findings } = await doctor()
  const finding = findings.find(({ says }) => says.startsWith('The oldest paid order that is not finished'))
  assert.equal(finding?.level, 'fault', JSON.stringify(findings))
  assert.match(finding?.says ?? '', /has waited for 62 minutes/)
  assert.match(finding?.advice ?? '', /2104: our account at the registry is empty/)
  await office.behave('domain:create', 'held-up.test', {})
  await world.admin('order', 'retry', id)
  await shopper.until(id, 'completed')
})
