// Third-party nameservers as customers' own secondaries of a running installation, each with the configuration that the service offers for
// it, which is that of the customers' page. Only settings for the test's machine are added: ports and folders.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { eventually, Shopper, untilAnswered, worldForTests } from '../world/index.ts'
import { inRepository } from './peers/deploy-files.ts'
import { answered, transferred } from './peers/kdig.ts'
import { portOf, type Running, runPeer } from './peers/peer.ts'
import { places, schema } from './peers/powerdns.ts'

/** A program, and how to start it with the service's configuration. */
interface Program {
  readonly name: 'bind' | 'knot' | 'nsd' | 'powerdns'
  readonly listen: string
  /** The block of the page with its configuration. */
  readonly block: string
  start(folder: string, config: string): Promise<Running>
}

const page = readFileSync(inRepository('docs/customers/secondaries.md'), 'utf8')

/** A block of the customers' page, by its name. */
function shown(name: string): string {
  const [, block] = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? []
  assert.ok(block, `the page has no block ${name}`)
  return block
}

const free = await freeAddresses()
const programs: readonly Program[] = [
  {
    name: 'bind',
    listen: free.ns1,
    block: 'named.conf',
    start: (folder, config) => {
      const file = join(folder, 'named.conf')
      const options = [
        `directory "${folder}"; pid-file "${folder}/named.pid"; session-keyfile none;`,
        `listen-on port ${portOf(free.ns1)} { 127.0.0.1; }; listen-on-v6 { none; };`,
        'recursion no; dnssec-validation no; allow-transfer { none; }; notify no;',
      ]
      writeFileSync(file, `options { ${options.join('\n')} };\ncontrols {};\n${config}`)
      return runPeer('named', ['-g', '-c', file], free.ns1)
    },
  },
  {
    name: 'knot',
    listen: free.ns2,
    block: 'knot.conf',
    start: (folder, config) => {
      const file = join(folder, 'knot.conf')
      const lines = [
        `server:\n  listen: ${free.ns2.replace(':', '@')}\n  rundir: ${folder}`,
        `log:\n  - target: stderr\n    any: info`,
        `database:\n  storage: ${folder}`,
        `template:\n  - id: default\n    storage: ${folder}`,
      ]
      writeFileSync(file, `${lines.join('\n')}\n${config}`)
      return runPeer('knotd', ['-c', file], free.ns2)
    },
  },
  {
    name: 'nsd',
    listen: free.http,
    block: 'nsd.conf',
    start: (folder, config) => {
      const file = join(folder, 'nsd.conf')
      const lines = [
        `server:\n  ip-address: ${free.http.replace(':', '@')}\n  username: ""\n  zonesdir: "${folder}"\n  database: ""`,
        `  zonelistfile: "${folder}/zone.list"\n  xfrdfile: "${folder}/xfrd.state"\n  xfrdir: "${folder}"`,
        `  pidfile: "${folder}/nsd.pid"\nremote-control:\n  control-enable: no`,
      ]
      writeFileSync(file, `${lines.join('\n')}\n${config}`)
      return runPeer('nsd', ['-d', '-V', '2', '-c', file], free.http)
    },
  },
  {
    name: 'powerdns',
    listen: free.primary,
    block: 'pdnsutil',
    start: (folder, config) => {
      const { root, modules } = places()
      const settings = [
        shown('pdns.conf').replace('/var/lib/powerdns', folder),
        `local-address=${free.primary}\nsocket-dir=${folder}\nmodule-dir=${modules}`,
      ]
      writeFileSync(join(folder, 'pdns.conf'), `${settings.join('\n')}\n`)
      const setup = [
        `sqlite3 ${folder}/pdns.sqlite3 < ${root}${schema}`,
        config.replaceAll('pdnsutil ', `pdnsutil --config-dir=${folder} `),
      ]
      execFileSync('sh', ['-e', '-c', setup.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] })
      return runPeer('pdns_server', [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'], free.primary)
    },
  },
]

const trusted = programs.map(({ listen }) => listen).join(',')
const world = await worldForTests({ env: { WEBHOOK_TRUSTED_TARGETS: trusted } })
const { facts, api } = world
const { address: door, tsig } = facts.dns_door
const ourServer = facts.nameservers[0]?.address ?? ''
const { dashboard } = await Shopper.at(world)
const running: Running[] = []
after(() => Promise.all(running.map((one) => one.stop())))

/** A secondary as the API shows it. */
interface ShownSecondary {
  readonly state: string
  readonly notify_outcome: string | null
  readonly read_at: string | null
}

for (const { name, listen, block, start } of programs)
  test(`${name} copies a zone with the configuration of the service, and follows its changes by NOTIFY`, async (t) => {
    const zone = `${name}.secondaries.test`
    await world.admin('zone', 'add', facts.account.email, zone)
    await api.put(zone, 'www', 'A', ['192.0.2.1'])
    await api.put(zone, 'ns3', 'A', ['192.0.2.53'])
    const nsName = `ns3.${zone}`
    const secondary = {
      address: '127.0.0.1',
      port: Number(portOf(listen)),
      key_id: tsig.name.replace('-', '_'),
      ns_name: nsName,
    }
    const path = `/api/v1/zones/${zone}/secondaries`
    const saved = await dashboard.call('PUT', path, { secondaries: [secondary] })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    const config = await fetch(new URL(`${path}/config?for=${name}`, facts.base_url), {
      headers: { authorization: `Bearer ${facts.api_key}` },
    })
    assert.equal(config.status, 200)
    const offered = await config.text()
    const [doorHost = '', doorPort = ''] = door.split(':')
    const documented = shown(block)
      .replaceAll('192.0.2.5', doorHost)
      .replaceAll('5305', doorPort)
      .replaceAll('key-019ab3c4d5e6f708', tsig.name)
      .replaceAll('example.com', zone)
    assert.equal(offered, documented, 'the page shows what the service offers')
    const folder = join(world.dataDir, name)
    mkdirSync(folder)
    running.push(await start(folder, offered.replaceAll('SECRET', tsig.secret)))
    await untilAnswered(listen, `www.${zone}`, 'A', '192.0.2.1')

    const key = `${tsig.algorithm}:${tsig.name}:${tsig.secret}`
    const isWhole = async (): Promise<boolean> => {
      const records = transferred(door, key, zone)
      assert.ok(records.some((record) => record.endsWith(` NS ${nsName}.`)))
      assert.deepEqual(answered(listen, records), records)
      assert.deepEqual(answered(ourServer, records), records, 'our nameservers serve the same')
      return true
    }
    await eventually(`${name} serves ${zone} as it is`, isWhole)
    const startedMs = performance.now()
    await api.put(zone, 'www', 'A', ['192.0.2.2'])
    // The zone is refreshed only every four hours, so a NOTIFY caused this.
    await untilAnswered(listen, `www.${zone}`, 'A', '192.0.2.2')
    t.diagnostic(`served after ${Math.round(performance.now() - startedMs)} ms`)
    await eventually('its NOTIFY is acknowledged, and its queries are recorded', async () => {
      const { body } = await dashboard.call('GET', path)
      const [first] = body['secondaries'] as ShownSecondary[]
      assert.equal(first?.notify_outcome, 'acknowledged')
      assert.notEqual(first.read_at, null)
      return first.state === 'active'
    })
  })
